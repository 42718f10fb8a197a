/** The page of a recipient's personal link, on which one press removes them from the sender's list. */
import { z } from "zod";

/** Path of the page; the token follows. */
export const REMOVAL_PATH = "/r/";
/** Path of the page's calls; the token follows. */
export const REMOVAL_API = "/api/removals/";
/** Longest token: a row's number and its seal. */
export const MAX_TOKEN_CHARS = 29;

/** Stands for a token where a text is shown or measured before it is anybody's: as long as the longest. */
const SAMPLE_TOKEN = "•".repeat(MAX_TOKEN_CHARS);

/** Returns the address of a link's page. */
export function removalLink(origin: string, token: string): string {
  return `${origin}${REMOVAL_PATH}${token}`;
}

/** Returns a link as long as any, for a preview. */
export function sampleRemovalLink(origin: string): string {
  return removalLink(origin, SAMPLE_TOKEN);
}

/** GET and POST /api/removals/{token}. */
export const removalPageSchema = z.object({
  /** The advertiser's name. */
  sender: z.string(),
  /** The recipient's number, masked. */
  phone: z.string(),
  /** Whether the sender's messages no longer go to it. */
  isRemoved: z.boolean(),
});
export type RemovalPage = z.infer<typeof removalPageSchema>;
