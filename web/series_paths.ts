/** Paths of repeats; a separate file, so visitors and the home screen do not load them. */
import { PATHS } from "./paths.ts";

export const SERIES_PATHS = {
  all: `${PATHS.client}/series`,
  one: (id: number | string) => `${PATHS.client}/series/${id}`,
} as const;
