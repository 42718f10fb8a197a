/**
 * The record of a call with an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header). A verb writes it in the
 * transaction of its effect, so neither exists without the other: after a kill between effect and answer, a repeated
 * call finds what was done.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { InStatement, InValue } from "@libsql/client/web";
import { STEP_BEFORE_CHANGED } from "../db/write_batch.ts";

/** How long a key is remembered, from the start of its call. */
export const CALLS_KEPT_MS = 24 * 60 * 60_000;

/** The present call, if it has an Idempotency-Key. */
export interface RepeatableCall {
  person: number;
  keyMark: string;
  attempt: string;
  /** "" until a long body has arrived. */
  callMark: string;
  beganAt: number;
  /** Whether a verb has written the record. */
  isRecorded: boolean;
  /** Takes the digest of a long body, which its reader computes. */
  sawBody(digest: string): void;
}

const calls = new AsyncLocalStorage<RepeatableCall>();

/** Runs `act` as `call`. */
export function asRepeatable<T>(call: RepeatableCall, act: () => T): T {
  return calls.run(call, act);
}

/** Returns the present call; undefined = no Idempotency-Key, or no call. */
export function repeatableCall(): RepeatableCall | undefined {
  return calls.getStore();
}

export interface CallEnd {
  status: number;
  /** Id of what was made, as a value or as SQL without arguments. */
  made?: number | { sql: string };
  /** Counts of the answer, as SQL for a JSON object with its arguments. */
  figures?: { sql: string; args: InValue[] };
}

// Another run has taken this call over: NULL breaks the column's rule, so the whole transaction is undone.
const MINE = "CASE WHEN repeatable_calls.attempt = excluded.attempt THEN excluded.status END";

/**
 * Returns the statement that records the end of the present call; undefined without one. The caller adds it to the
 * transaction of the effect, as a step right after the one that may have changed nothing, or `always`.
 */
export function recordCall(
  { status, made, figures = { sql: "'{}'", args: [] } }: CallEnd,
  { always = false } = {},
): Exclude<InStatement, string> | undefined {
  const call = repeatableCall();
  if (call === undefined) return undefined;
  call.isRecorded = true;
  const { person, keyMark, attempt, callMark, beganAt } = call;
  const madeSql = typeof made === "object" ? made.sql : "?";
  return {
    sql:
      `INSERT INTO repeatable_calls (person, key_mark, attempt, call_mark, status, made, figures, began_at, runs_until)
      SELECT ?, ?, ?, ?, ?, ${madeSql}, ${figures.sql}, ?, 0 WHERE ${always ? "1" : STEP_BEFORE_CHANGED}
      ON CONFLICT (person, key_mark) DO UPDATE SET status = ${MINE}, call_mark = excluded.call_mark,
        made = excluded.made, figures = excluded.figures`,
    args: [
      ...[person, keyMark, attempt, callMark, status],
      ...(typeof made === "object" ? [] : [made ?? null]),
      ...figures.args,
      beganAt,
    ],
  };
}
