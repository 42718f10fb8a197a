import { apiJson } from "./api_client.ts";

/** Parameters of a list page; empty values are left out. */
export type PageChoice = Record<string, string | number | null | undefined>;

/**
 * Returns a page of the list at `path`. A search text (a number or a name) is sent in the body, because URLs end
 * up in the logs of proxies.
 */
export function readPage<T>(path: string, choice: PageChoice, signal: AbortSignal): Promise<T> {
  const given = Object.fromEntries(
    Object.entries(choice).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  ) as Record<string, string | number>;
  if ("q" in given) return apiJson<T>("POST", `${path}/search`, { body: given, signal });
  const search = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return apiJson<T>("GET", `${path}?${search}`, { signal });
}
