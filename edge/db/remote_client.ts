/** A remote database on a network that loses answers: reads are repeated, writes are sent once. */
import {
  type Client,
  createClient,
  type InArgs,
  type InStatement,
  type TransactionMode,
} from "@libsql/client/web";
import { isReadOnly } from "./read_only.ts";

/** A kept connection is used again within this time; servers close idle ones after 5 s (Node) to 75 s (nginx). */
const KEPT_FOR_MS = 4_000;
/** A request fails after this time without an answer; Turso ends a transaction after 5 s, sqld after 10 s. */
const ANSWERED_WITHIN_MS = 10_000;
/** Total tries of a read. */
const READS = 3;

/**
 * Opens the remote database at `url`. A statement or batch that changes nothing is repeated when the network fails or
 * gives no answer in time. A write is not repeated: whether it was done is unknown, so the caller gets the error.
 * `limit` is called for each request; an interactive transaction makes several requests.
 */
export function openRemote(
  url: string,
  authToken?: string,
  limit: () => AbortSignal = () => AbortSignal.timeout(ANSWERED_WITHIN_MS),
): Client {
  const network = Deno.createHttpClient({ poolIdleTimeout: KEPT_FOR_MS });
  const db = createClient({ url, authToken, fetch: sendOnce(network, limit) });
  const once = { execute: db.execute.bind(db), batch: db.batch.bind(db), close: db.close.bind(db) };
  const execute = (stmt: InStatement | string, args?: InArgs) => {
    const statement = typeof stmt === "string" ? { sql: stmt, args } : stmt as { sql: string; args?: InArgs };
    const act = () => once.execute(statement);
    return isReadOnly(statement.sql) ? askAgain(act) : act();
  };
  const batch = (statements: Parameters<Client["batch"]>[0], mode?: TransactionMode) => {
    const act = () => once.batch(statements, mode);
    return mode === "read" ? askAgain(act) : act();
  };
  const close = () => {
    if (db.closed) return;
    once.close();
    network.close();
  };
  return Object.assign(db, { execute, batch, close });
}

/**
 * Sends a request exactly once. Deno repeats a request, even a POST, when a kept connection closes during it,
 * although the server may have executed it (denoland/deno 32566, 36786; measured with 2.9.6). It does not repeat one
 * whose body is a stream, which can only be read once.
 */
function sendOnce(client: Deno.HttpClient, limit: () => AbortSignal) {
  return ({ url, method, headers, body }: Request) => {
    // The DOM types do not have Deno's `client`.
    const init: RequestInit & { client: Deno.HttpClient } = {
      method,
      headers,
      // A stream of ours is needed: Deno still has the text of a Request's own body.
      body: body?.pipeThrough(new TransformStream()),
      client,
      signal: limit(),
      // The token belongs to this address alone.
      redirect: "manual",
    };
    return fetch(url, init);
  };
}

async function askAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!isUnanswered(error) || tries === READS) throw error;
    }
  }
}

/** Returns whether `fetch` got no answer (Fetch standard, "network error"); SQL errors are LibsqlError. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
