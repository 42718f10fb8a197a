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

/** Extended codes of the constraints; a remote database does not tell them apart. */
const CONSTRAINT_CODES: Record<number, string> = {
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
};

/** The error libSQL's client would throw for what `node:sqlite` threw; any other error comes back as it is. */
export function toLibsqlError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code !== "ERR_SQLITE_ERROR" && error.code !== "ERR_INVALID_STATE") return error;
  const number = "errcode" in error ? Number(error.errcode) : 1;
  const code = RESULT_CODES[number & 0xff] ?? "SQLITE_UNKNOWN";
  return new LibsqlError(error.message, code, CONSTRAINT_CODES[number], number, error);
}

/** The same error, saying which statement of a batch (from 0) failed; other errors come back as they are. */
export function toBatchError(error: unknown, statementIndex: number): unknown {
  if (!(error instanceof LibsqlError)) return error;
  const { code, extendedCode, rawCode } = error;
  // Its constructor puts the code before the message, once more.
  const message = error.message.replace(`${code}: `, "");
  return new LibsqlBatchError(message, statementIndex, code, extendedCode, rawCode, error);
}

/** Codes that another try meets again until a person mends the file or its rights. */
const NEEDS_PERSON = ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_READONLY", "SQLITE_PERM"];
/** Codes of a file that must not be written on. */
const DAMAGE = ["SQLITE_CORRUPT", "SQLITE_NOTADB"];

/** Whether `error`, or what caused it, stays until a person mends the database's file or its rights. */
export function needsPerson(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const seen = toLibsqlError(error);
  return (seen instanceof LibsqlError && NEEDS_PERSON.includes(seen.code)) || needsPerson(error.cause);
}

/** The code of an error that says the database is damaged, else null. */
export function damageIn(error: unknown): string | null {
  return error instanceof LibsqlError && DAMAGE.includes(error.code) ? error.code : null;
}

/** True when another connection held the lock, so that nothing was done and trying again is safe. */
export function isBusy(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "SQLITE_BUSY";
}
