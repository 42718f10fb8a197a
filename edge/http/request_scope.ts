/** Which request the present work is for: what is logged below it says so, without being handed an id. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LogFields } from "../log.ts";

const scope = new AsyncLocalStorage<LogFields>();

/** Runs `act` and what it starts as the work of a request; what a socket says later is its upgrade's. */
export function inRequest<T>(requestId: string, act: () => T): T {
  return scope.run({ requestId }, act);
}

/** What each line of the log bears of the present request; nothing outside one. */
export function requestFields(): LogFields {
  return scope.getStore() ?? {};
}
