/** The request of the current work: log lines below it name it without passing an id along. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { LogFields } from "../log.ts";

const scope = new AsyncLocalStorage<LogFields>();

/** Runs `act` and what it starts as work of a request; later messages of a socket belong to its upgrade request. */
export function inRequest<T>(requestId: string, act: () => T): T {
  return scope.run({ requestId }, act);
}

/** Returns the log fields of the current request; none outside a request. */
export function requestFields(): LogFields {
  return scope.getStore() ?? {};
}
