import { LibsqlBatchError, LibsqlError } from "@libsql/client/web";

/** Primary result codes of SQLite by number (sqlite.org/rescode.html). */
const RESULT_CODES: Record<number, string> = {
  1: "SQLITE_ERROR",
  2: "SQLITE_INTERNAL",
  3: "SQLITE_PERM",
  4: "SQLITE_ABORT",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  9: "SQLITE_INTERRUPT",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  12: "SQLITE_NOTFOUND",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  23: "SQLITE_AUTH",
  25: "SQLITE_RANGE",
  26: "SQLITE_NOTADB",
};

/** Extended codes of the constraints; a remote database does not distinguish them. */
const CONSTRAINT_CODES: Record<number, string> = {
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
};

/** Returns the error that libSQL's client would throw for an error of `node:sqlite`; returns any other unchanged. */
export function toLibsqlError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code !== "ERR_SQLITE_ERROR" && error.code !== "ERR_INVALID_STATE") return error;
  const number = "errcode" in error ? Number(error.errcode) : 1;
  const code = RESULT_CODES[number & 0xff] ?? "SQLITE_UNKNOWN";
  return new LibsqlError(error.message, code, CONSTRAINT_CODES[number], number, error);
}

/**
 * Returns the same error with the index (from 0) of the failed statement of a batch; returns other errors unchanged.
 */
export function toBatchError(error: unknown, statementIndex: number): unknown {
  if (!(error instanceof LibsqlError)) return error;
  const { code, extendedCode, rawCode } = error;
  // The constructor adds the code before the message again.
  const message = error.message.replace(`${code}: `, "");
  return new LibsqlBatchError(message, statementIndex, code, extendedCode, rawCode, error);
}

/** Codes that every try returns until a person repairs the file or its permissions. */
const NEEDS_PERSON = ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_READONLY", "SQLITE_PERM"];
/** Codes of a file that must not be written to. */
const DAMAGE = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/** Returns whether `error`, or its cause, persists until a person repairs the database's file or its permissions. */
export function needsPerson(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const seen = toLibsqlError(error);
  return (seen instanceof LibsqlError && NEEDS_PERSON.includes(seen.code)) || needsPerson(error.cause);
}

/** Returns the code of an error that reports a damaged database, otherwise null. */
export function damageIn(error: unknown): string | null {
  return error instanceof LibsqlError && DAMAGE.includes(error.code) ? error.code : null;
}

/** Returns true when another connection held the lock: nothing was done, and another try is safe. */
export function isBusy(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "SQLITE_BUSY";
}
