/** The caller of the edge for whom the present work reads: reads of different callers alternate (read_turns.ts). */
import { AsyncLocalStorage } from "node:async_hooks";

/** A user's id, or the session cookie of a caller who is not identified yet. */
export type ReaderKey = number | string;

const callers = new AsyncLocalStorage<ReaderKey>();

/** Runs `act`, and what it starts, for `caller`. */
export function readFor<T>(caller: ReaderKey, act: () => T): T {
  return callers.run(caller, act);
}

/** Returns undefined for agents, duties and visitors: they are one caller together. */
export function currentCaller(): ReaderKey | undefined {
  return callers.getStore();
}
