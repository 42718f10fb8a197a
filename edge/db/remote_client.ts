/** A remote database on a network that loses answers: reads are asked for again, writes are sent once. */
import {
  type Client,
  createClient,
  type InArgs,
  type InStatement,
  type TransactionMode,
} from "@libsql/client/web";
import { isReadOnly } from "./read_only.ts";

/** A kept connection is used again within this; servers close theirs after 5 s (Node) to 75 s (nginx) of rest. */
const KEPT_FOR_MS = 4_000;
/** A request without an answer is given up after this; Turso ends a transaction after 5 s, sqld after 10 s. */
const ANSWERED_WITHIN_MS = 10_000;
/** Times a read is asked for in all. */
const READS = 3;

/**
 * Opens the remote database at `url`. A statement or batch that changes nothing is asked for again when the network
 * fails it or gives no answer in time. One that writes is not: nobody knows whether it was done, and the caller is told
 * that it failed. `limit` is asked for each request, of which an interactive transaction makes several.
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
 * Deno sends a request anew, also a POST, when a kept connection closes under it, though the server may have done it
 * (denoland/deno 32566, 36786; measured with 2.9.6). It does not when the body is a stream, which can't be read twice.
 */
function sendOnce(client: Deno.HttpClient, limit: () => AbortSignal) {
  return ({ url, method, headers, body }: Request) => {
    // The browsers' types don't know Deno's `client`.
    const init: RequestInit & { client: Deno.HttpClient } = {
      method,
      headers,
      // Through a stream of ours: Deno still knows the text behind a Request's own.
      body: body?.pipeThrough(new TransformStream()),
      client,
      signal: limit(),
      // The token is for this address alone.
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

/** What `fetch` throws when there was no answer (Fetch standard, "network error"); an answer of SQL is LibsqlError. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
