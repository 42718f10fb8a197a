/** A mail server that speaks SMTP (RFC 5321) on a real socket, a receiver of webhooks, and servers that only claim to. */
import type { EmailConfig } from "../config.ts";
import { type Certificate, certificateOf } from "shared/testing/faulty_servers.ts";
import { startPeer } from "./fake_clamd.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as sent, without the dots. */
  data: string;
  /** What AUTH PLAIN carried; undefined without it. */
  auth: string | undefined;
}

export interface FakeMail extends AsyncDisposable {
  email: EmailConfig;
  received: ReceivedMail[];
  /** Commands of all connections. */
  heard: string[];
  readonly open: number;
}

export interface MailManners {
  /** Reply codes in place of the usual ones, by command: `{ RCPT: "550 no" }`, or "DATA." for the message itself. */
  replies?: Record<string, string>;
  extensions?: string[];
  auth?: EmailConfig["auth"];
  isLocal?: boolean;
  /** TLS from the first byte, or after STARTTLS, with a certificate of testdata/tls. */
  tls?: { begins: "at once" | "after STARTTLS"; certificate: Certificate };
}

/** Starts a mail server. */
export function startFakeMail(
  { replies = {}, extensions = [], auth, isLocal = true, tls }: MailManners = {},
): FakeMail {
  const received: ReceivedMail[] = [];
  const heard: string[] = [];
  const certificate = tls && certificateOf(tls.certificate);
  const isUpgraded = tls?.begins === "after STARTTLS";
  const inside = isUpgraded ? startPeer((conn) => talk(conn, true), certificate) : undefined;
  const peer = startPeer((conn) => talk(conn, false), isUpgraded ? undefined : certificate);

  async function talk(conn: Deno.Conn, isInside: boolean): Promise<void> {
    const lines = readLines(conn);
    const say = (line: string) => conn.write(new TextEncoder().encode(`${line}\r\n`));
    const offered = inside && !isInside ? ["STARTTLS"] : extensions;
    let mail: ReceivedMail = { from: "", to: [], data: "", auth: undefined };
    if (!isInside) await say("220 mail.test");
    for await (const line of lines) {
      heard.push(line);
      const verb = line.split(/[ :]/)[0]!.toUpperCase();
      const own = replies[verb];
      if (own !== undefined) {
        if (own === "hang up") return;
        if (own === "silence") await until(conn);
        await say(own);
      } else if (verb === "EHLO") {
        await say(
          ["250-mail.test", ...offered.map((one) => `250-${one}`), "250 SIZE 100000"].join("\r\n"),
        );
      } else if (verb === "STARTTLS" && inside && !isInside) {
        await say("220 go on");
        const upgraded = await Deno.connect(inside.address);
        await Promise.all([
          conn.readable.pipeTo(upgraded.writable),
          upgraded.readable.pipeTo(conn.writable),
        ]);
        return;
      } else if (verb === "AUTH") {
        mail.auth = atob(line.split(" ")[2] ?? "");
        await say("235 ok");
      } else if (verb === "MAIL") {
        mail = { ...mail, from: addressIn(line), to: [] };
        await say("250 ok");
      } else if (verb === "RCPT") {
        mail.to.push(addressIn(line));
        await say("250 ok");
      } else if (verb === "DATA") {
        await say("354 go on");
        const data: string[] = [];
        for await (const part of lines) {
          if (part === ".") break;
          data.push(part.replace(/^\./, ""));
        }
        received.push({ ...mail, data: data.join("\n") });
        const end = replies["DATA."];
        if (end === "hang up") return;
        if (end === "silence") await until(conn);
        await say(end ?? "250 taken");
      } else if (verb === "QUIT") {
        await say("221 bye");
        return;
      } else await say("502 what");
    }
  }
  return {
    email: {
      // Their certificates name it.
      host: tls ? "localhost" : peer.address.hostname,
      port: peer.address.port,
      isSecure: tls?.begins === "at once",
      isLocal,
      auth,
      from: "shigur@example.com",
      to: ["ops@example.com", "boss@example.com"],
    },
    received,
    heard,
    get open() {
      return peer.open;
    },
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await inside?.[Symbol.asyncDispose]();
    },
  };
}

export interface FakeReceiver extends AsyncDisposable {
  url: URL;
  received: { path: string; body: Record<string, unknown>; headers: Headers }[];
}

/** Starts a receiver of webhooks on a real port; `answer` gets each request's number. */
export function startReceiver(
  answer: (no: number) => Response | Promise<Response> = () => new Response(null, { status: 204 }),
): FakeReceiver {
  const received: FakeReceiver["received"] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const text = await request.text();
    received.push({
      path: new URL(request.url).pathname,
      body: text === "" ? {} : JSON.parse(text),
      headers: request.headers,
    });
    return await answer(received.length);
  });
  return {
    url: new URL(`http://127.0.0.1:${server.addr.port}/hook/s3cret`),
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Returns the text of a mail: its subject and its body, decoded. */
export function readMail({ data }: ReceivedMail): { subject: string; body: string; headers: string } {
  const [head, ...rest] = data.split("\n\n");
  const headers = head!.replaceAll(/\n[ \t]+/g, " ");
  const subject = headers.match(/^Subject: (.*)$/m)![1]!.replaceAll(/\?= =\?/g, "?==?").replaceAll(
    /=\?UTF-8\?([BQ])\?([^?]*)\?=/gi,
    (_, kind: string, text: string) => kind.toUpperCase() === "B" ? `b64:${text};` : `q:${text};`,
  );
  const encoded = rest.join("\n\n");
  const isBase64 = /^content-transfer-encoding: base64$/im.test(headers);
  const body = isBase64 ? utf8(atob(encoded.replaceAll("\n", ""))) : utf8(unquote(encoded));
  return { subject: decodeWords(subject), body, headers };
}

function decodeWords(text: string): string {
  const bytes = text.replaceAll(
    /(b64|q):([^;]*);/g,
    (_, kind: string, part: string) => kind === "b64" ? atob(part) : unquote(part.replaceAll("_", " ")),
  );
  return utf8(bytes);
}

function unquote(text: string): string {
  return text.replaceAll("=\n", "").replaceAll(
    /=([0-9A-F]{2})/gi,
    (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
  );
}

function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

function addressIn(line: string): string {
  return line.match(/<([^>]*)>/)?.[1] ?? "";
}

/** Waits until the caller hangs up. */
async function until(conn: Deno.Conn): Promise<void> {
  while (await conn.read(new Uint8Array(64)) !== null);
}

async function* readLines(conn: Deno.Conn): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  const bytes = new Uint8Array(4096);
  for (;;) {
    const read = await conn.read(bytes);
    if (read === null) return;
    text += decoder.decode(bytes.subarray(0, read), { stream: true });
    for (let end = text.indexOf("\r\n"); end !== -1; end = text.indexOf("\r\n")) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      yield line;
    }
  }
}
