/** This database is not to be served as it is; `message` tells the operator why, and what to do. */
export class DatabaseRefusedError extends Error {
  override readonly name = "DatabaseRefusedError";
}
