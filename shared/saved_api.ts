/** Saved messages: /api/saved-messages. Times are integer milliseconds. */
import { z } from "zod";
import { campaignKindSchema, DECLARED_KINDS, MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from "./campaign.ts";
import { nameText, typedText } from "./http_api.ts";

/** Most saved messages of a client. */
export const MAX_SAVED = 200;

export const savedMessageSchema = z.object({
  id: z.int(),
  name: z.string(),
  message: z.string(),
  kind: campaignKindSchema,
  imageUrl: z.string().nullable(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Name of the person of the last change. */
  changedBy: z.string(),
  /** Campaigns that began with it. */
  usedCount: z.int(),
  usedAt: z.int().nullable(),
});
export type SavedMessage = z.infer<typeof savedMessageSchema>;
export const savedMessagesSchema = z.object({ items: z.array(savedMessageSchema) });
export type SavedMessages = z.infer<typeof savedMessagesSchema>;

/** Text fields of the multipart body; `image` is the optional file beside them. */
export const savedFieldsSchema = z.object({
  name: nameText.min(1).max(MAX_NAME_CHARS),
  message: typedText.min(1).max(MAX_MESSAGE_CHARS),
  kind: z.enum(DECLARED_KINDS),
  /** For a change: "remove" takes the image away; a new one replaces it in any case. */
  oldImage: z.enum(["keep", "remove"]).default("keep"),
  /** For a change: `updatedAt` of the message as the person saw it; another one is refused. */
  seen: z.coerce.number().int().optional(),
});
/** What is saved of a campaign. */
export const saveCampaignRequestSchema = z.object({ name: nameText.min(1).max(MAX_NAME_CHARS) });
