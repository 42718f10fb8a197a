/** Paths of saved messages; a separate file, so visitors do not load them. */
import { PATHS } from "./paths.ts";

export const SAVED_PATHS = { all: `${PATHS.client}/messages` } as const;
