/** An error's fields in the log: its text, and one word from a closed set for why a remote database was not reached. */
import { LibsqlError } from "@libsql/client/web";
import { NETWORK_CAUSES, networkCause } from "shared/network_cause.ts";

const ERROR_CAUSES = [
  ...NETWORK_CAUSES,
  /** 401 or 403: the database refuses DATABASE_AUTH_TOKEN. */
  "token_refused",
  /** 5xx: the database's server, or a proxy before it, failed. */
  "server_error",
  /** A response that no database gives: often a wrong DATABASE_URL. */
  "http_status",
] as const;
export type ErrorCause = (typeof ERROR_CAUSES)[number];

/** Returns the fields of a log line; `cause` is absent unless the network failed. */
export function errorFields(error: unknown): { error: string; cause?: ErrorCause; status?: number } {
  const status = statusIn(error);
  const cause = status === null ? networkCauseOf(error) : causeOfStatus(status);
  return { error: `${error}${reasonOf(error)}`, ...(cause && { cause }), ...(status !== null && { status }) };
}

/** Returns the error's message, with the reason when fetch() reports only "fetch failed". */
export function errorText(error: unknown): string {
  return `${error instanceof Error ? error.message : error}${reasonOf(error)}`;
}

/** "error sending request for url (https://…): client error (Connect): …": the end is useful. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error.message !== "fetch failed") return "";
  if (!(error.cause instanceof Error)) return "";
  return ` (${error.cause.message.replace(/^.*?client error \(\w+\): /, "")})`;
}

/** Reads only fetch's own errors: a text from SQLite may contain any word. */
function networkCauseOf(error: unknown): ErrorCause | null {
  const isFetchs = error instanceof TypeError || error instanceof DOMException;
  return isFetchs ? networkCause(error) : null;
}

/** Returns the status of a response that no database gives. */
function statusIn(error: unknown): number | null {
  if (!(error instanceof LibsqlError) || error.code !== "SERVER_ERROR") return null;
  const status = error.cause instanceof Error && "status" in error.cause ? error.cause.status : null;
  return typeof status === "number" ? status : null;
}

function causeOfStatus(status: number): ErrorCause {
  if (status === 401 || status === 403) return "token_refused";
  return status >= 500 ? "server_error" : "http_status";
}
