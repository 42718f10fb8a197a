/** The API key by which the present call acts; the audit log names it beside the person. */
import { AsyncLocalStorage } from "node:async_hooks";

const acting = new AsyncLocalStorage<number>();

/** Runs `act`, and what it starts, as an act by the key with this id. */
export function actByKey<T>(key: number, act: () => T): T {
  return acting.run(key, act);
}

/** Returns the id of the present call's key; undefined = a session, or no call. */
export function actingKey(): number | undefined {
  return acting.getStore();
}
