import { apiJson } from "./api_client.ts";

/** What a page of a list is asked for by; empty values are left out. */
export type PageChoice = Record<string, string | number | null | undefined>;

/**
 * Reads a page of the list at `path`. What somebody searches for, a number or a name, goes in the body: addresses stand
 * in the logs of whatever lies between.
 */
export function readPage<T>(path: string, choice: PageChoice, signal: AbortSignal): Promise<T> {
  const given = Object.fromEntries(
    Object.entries(choice).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  ) as Record<string, string | number>;
  if ("q" in given) return apiJson<T>("POST", `${path}/search`, { body: given, signal });
  const search = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return apiJson<T>("GET", `${path}?${search}`, { signal });
}
