/** main.ts resolves it once when the edge serves, for an entry that must act before main.ts runs. */
import type { EdgeContext } from "./context.ts";

export const started: PromiseWithResolvers<EdgeContext> = Promise.withResolvers();
