/**
 * One HTTP request to a checked address. The runtime's own fetch resolves the name again and connects to whatever it
 * finds then, so the connection is opened here, to the address that was checked.
 */
import type { WebhookFailure } from "shared/webhook_event.ts";
import type { PostWebhook } from "../context.ts";
import { AddressError, type AddressRules, findAddresses } from "./find_addresses.ts";
import { readTarget, type Target } from "./read_target.ts";

/** For all of it: name, connection, TLS, request and answer. */
export const WITHIN_MS = 10_000;
/** Most bytes of an answer's status and headers. */
const MOST_BYTES = 64 * 1024;
/** Answers before the answer (RFC 9110, 15.2). */
const MOST_EARLY_ANSWERS = 8;

export interface PostRules extends AddressRules {
  withinMs?: number;
  /** Certificates to trust beside the usual ones, for tests. */
  caCerts?: string[];
}

class PostError extends Error {
  override readonly name = "PostError";
  constructor(readonly reason: WebhookFailure) {
    super(`Cannot send the webhook: ${reason}`);
  }
}

/** Returns a sender that follows no redirect and reads of an answer its status and headers alone. */
export function openPost({ withinMs = WITHIN_MS, ...rules }: PostRules): PostWebhook {
  return async (url, headers, body) => {
    const target = readTarget(url);
    if (target === null) return { status: null, reason: "address" };
    // Whatever the request holds when the time is over: closing it ends each wait.
    const held = new Held();
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const timer = setTimeout(() => late.reject(new PostError("timeout")), withinMs);
    try {
      const status = await Promise.race([late.promise, post(target, { headers, body }, rules, held)]);
      return { status, reason: status >= 200 && status < 300 ? null : "refused" };
    } catch (error) {
      if (error instanceof PostError || error instanceof AddressError) {
        return { status: null, reason: error.reason };
      }
      return { status: null, reason: "broken" };
    } finally {
      clearTimeout(timer);
      held.close();
    }
  };
}

/** A connection that may open after nobody waits for it. */
class Held {
  #isOver = false;
  #connection: Deno.Conn | undefined;

  hold(connection: Deno.Conn): void {
    this.#connection = connection;
    if (this.#isOver) this.close();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  close(): void {
    this.#isOver = true;
    try {
      this.#connection?.close();
    } catch {
      // The other side closed it, or TLS took it over.
    }
    this.#connection = undefined;
  }
}

async function post(
  target: Target,
  { headers, body }: { headers: Record<string, string>; body: string },
  rules: PostRules,
  held: Held,
): Promise<number> {
  const addresses = await findAddresses(target, rules);
  const plain = await connect(addresses, target.port, held);
  const connection = target.isSecure ? await secure(plain, target.host, rules.caCerts, held) : plain;
  const bytes = new TextEncoder().encode(body);
  const head = requestHead(target, { ...headers, "content-length": String(bytes.length) });
  // A receiver may answer before it has read everything, and then read nothing more.
  writeAll(connection, head, bytes).catch(() => {});
  return await readStatus(connection);
}

/** Opens the first address that answers. */
async function connect(addresses: readonly string[], port: number, held: Held): Promise<Deno.TcpConn> {
  for (const hostname of addresses) {
    if (held.isOver) break;
    try {
      const connection = await Deno.connect({ hostname, port });
      held.hold(connection);
      return connection;
    } catch {
      // The next one may answer.
    }
  }
  throw new PostError("connect");
}

async function secure(
  plain: Deno.TcpConn,
  hostname: string,
  caCerts: string[] | undefined,
  held: Held,
): Promise<Deno.TlsConn> {
  try {
    const connection = await Deno.startTls(plain, { hostname, ...caCerts && { caCerts } });
    held.hold(connection);
    await connection.handshake();
    return connection;
  } catch {
    throw new PostError("tls");
  }
}

function requestHead({ authority, path }: Target, headers: Record<string, string>): Uint8Array {
  const lines = Object.entries({ host: authority, ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return new TextEncoder().encode(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
}

async function writeAll(connection: Deno.Conn, ...parts: Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
  }
}

/** Reads to the end of the answer's headers. */
async function readStatus(connection: Deno.Conn): Promise<number> {
  const read = new Uint8Array(MOST_BYTES);
  let [length, looked] = [0, 0];
  for (let early = 0; early <= MOST_EARLY_ANSWERS;) {
    const end = endOfHeaders(read.subarray(0, length), looked);
    if (end === null) {
      if (length === MOST_BYTES) throw new PostError("too_long");
      // Bytes may come one by one: none is looked at for each of the others.
      looked = Math.max(0, length - 3);
      const more = await connection.read(read.subarray(length));
      if (more === null) throw new PostError("broken");
      length += more;
      continue;
    }
    const status = statusOf(read.subarray(0, end));
    if (status >= 200) return status;
    read.copyWithin(0, end, length);
    [length, looked] = [length - end, 0];
    early++;
  }
  throw new PostError("broken");
}

/** Returns the length of the first block of headers, whose end is not before `from`; null = its end has not come. */
function endOfHeaders(bytes: Uint8Array, from: number): number | null {
  for (let at = from + 3; at < bytes.length; at++) {
    const isEnd = bytes[at] === 10 && bytes[at - 1] === 13 && bytes[at - 2] === 10 && bytes[at - 3] === 13;
    if (isEnd) return at + 1;
  }
  return null;
}

function statusOf(head: Uint8Array): number {
  const [, status] = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |\r)/.exec(new TextDecoder("latin1").decode(head)) ?? [];
  if (status === undefined) throw new PostError("broken");
  return Number(status);
}
