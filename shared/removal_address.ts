/** Addresses of recipients' personal links for removal; without schemas, so that the browser can use it. */

/** Path of the page; the token follows. */
export const REMOVAL_PATH = "/r/";
/** Path of the page's calls; the token follows. */
export const REMOVAL_API = "/api/removals/";
/** Longest token: a row's number and its seal. */
export const MAX_TOKEN_CHARS = 29;

/** Stands for a token where a text is shown or measured before it is anybody's: as long as the longest. */
export const SAMPLE_TOKEN = "•".repeat(MAX_TOKEN_CHARS);

/** Returns the address of a link's page. */
export function removalLink(origin: string, token: string): string {
  return `${origin}${REMOVAL_PATH}${token}`;
}

/** Returns a link as long as any, for a preview. */
export function sampleRemovalLink(origin: string): string {
  return removalLink(origin, SAMPLE_TOKEN);
}
