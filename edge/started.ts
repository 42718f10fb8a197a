/** Settled once in main.ts, when the edge serves: for an entry that has to do something before main.ts runs. */
import type { EdgeContext } from "./context.ts";

export const started: PromiseWithResolvers<EdgeContext> = Promise.withResolvers();
