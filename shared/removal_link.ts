/** The page of a recipient's personal link, on which one press removes them from the sender's list. */
import { z } from "zod";

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
