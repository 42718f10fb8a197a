import type { SQLInputValue } from "node:sqlite";

/** What a part of the journal needs of its file. */
export interface JournalTables {
  /** Runs `change` in the transaction of the present write, or in one of its own, without raising the counter. */
  write(change: () => void): void;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number;
  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined;
  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[];
  /** Milliseconds since 1970. */
  now(): number;
}

/** Returns the device of an account key, for example "R58M" of "R58M/com.whatsapp/0". */
export function deviceOf(account: string): string {
  return account.slice(0, account.indexOf("/"));
}
