/** Paths of lists; a separate file, so visitors and the home screen do not load them. */
import { PATHS } from "./paths.ts";

export const LIST_PATHS = {
  all: `${PATHS.client}/lists`,
  /** The lists of another client, for administrators. */
  ofClient: (client: number) => `${PATHS.client}/lists?client=${client}`,
  list: (id: number | string) => `${PATHS.client}/lists/${id}`,
} as const;
