/** What the log says of an error: its text, and in one closed word why a remote database could not be asked. */
import { LibsqlError } from "@libsql/client/web";
import { NETWORK_CAUSES, networkCause } from "shared/network_cause.ts";

export const ERROR_CAUSES = [
  ...NETWORK_CAUSES,
  /** 401 or 403: the database does not take DATABASE_AUTH_TOKEN. */
  "token_refused",
  /** 5xx: the database's server, or a proxy before it, failed. */
  "server_error",
  /** Any other answer than a database's: often a wrong DATABASE_URL. */
  "http_status",
] as const;
export type ErrorCause = (typeof ERROR_CAUSES)[number];

/** Fields for a line of the log; `cause` is left out where the error is not the network's. */
export function errorFields(error: unknown): { error: string; cause?: ErrorCause; status?: number } {
  const status = statusIn(error);
  const cause = status === null ? networkCauseOf(error) : causeOfStatus(status);
  return { error: `${error}${reasonOf(error)}`, ...(cause && { cause }), ...(status !== null && { status }) };
}

/** The error's message, with its reason where fetch() says only "fetch failed". */
export function errorText(error: unknown): string {
  return `${error instanceof Error ? error.message : error}${reasonOf(error)}`;
}

/** "error sending request for url (https://…): client error (Connect): …": its end is of use. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error.message !== "fetch failed") return "";
  if (!(error.cause instanceof Error)) return "";
  return ` (${error.cause.message.replace(/^.*?client error \(\w+\): /, "")})`;
}

/** A text of SQLite's may hold any word: only fetch's own errors are read. */
function networkCauseOf(error: unknown): ErrorCause | null {
  const isFetchs = error instanceof TypeError || error instanceof DOMException;
  return isFetchs ? networkCause(error) : null;
}

/** The status of an answer that was none of a database's. */
function statusIn(error: unknown): number | null {
  if (!(error instanceof LibsqlError) || error.code !== "SERVER_ERROR") return null;
  const status = error.cause instanceof Error && "status" in error.cause ? error.cause.status : null;
  return typeof status === "number" ? status : null;
}

function causeOfStatus(status: number): ErrorCause {
  if (status === 401 || status === 403) return "token_refused";
  return status >= 500 ? "server_error" : "http_status";
}
