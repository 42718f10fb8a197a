/** This database must not be served as it is; `message` gives the operator the reason and the remedy. */
export class DatabaseRefusedError extends Error {
  override readonly name = "DatabaseRefusedError";
}
