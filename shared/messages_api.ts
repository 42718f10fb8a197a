/** Schemas of the calls about messages by call: /api/messages. */
import { z } from "zod";
import { campaignKindSchema, DECLARED_KINDS, MAX_MESSAGE_CHARS } from "./campaign.ts";
import { FieldsSchema } from "./contact_fields.ts";
import { deliveryReasonSchema } from "./delivery.ts";
import { typedText } from "./http_api.ts";
import { MAX_REFERENCE_CHARS, MESSAGE_MODES, MESSAGE_STATES } from "./message.ts";
import { plainText } from "./plain_text.ts";

export const messageStateSchema = z.enum(MESSAGE_STATES);
export const messageModeSchema = z.enum(MESSAGE_MODES);
const referenceSchema = plainText.min(1).max(MAX_REFERENCE_CHARS);

export const messageRequestSchema = z.object({
  /** One phone number, as people write it or in E.164. */
  to: z.string().min(1).max(40),
  /** The words. `{{name}}` is replaced by a value of `values`, `{{name|fallback}}` also without one. */
  text: typedText.min(1).max(MAX_MESSAGE_CHARS),
  values: FieldsSchema.default({}),
  kind: z.enum(DECLARED_KINDS),
  /** A picture that `POST /api/messages/images` took. */
  image: z.int().positive().nullable().default(null),
  /** Time in milliseconds before which it is not sent, at most 7 days ahead. Null means at once. */
  sendAfter: z.int().positive().nullable().default(null),
  /** Time in milliseconds after which it is not sent any more; by default 24 hours after `sendAfter` or the call. */
  expiresAt: z.int().positive().nullable().default(null),
  /** The caller's own word for it, by which it is found again; better without names and numbers. */
  reference: referenceSchema.nullable().default(null),
  /** True sends although the person may have this message already, after the server was restored from a backup. */
  evenIfSent: z.boolean().default(false),
});
export type MessageRequest = z.infer<typeof messageRequestSchema>;

export const messageSchema = z.object({
  id: z.int(),
  state: messageStateSchema,
  /** Why it is in this state; null when the state alone says enough. */
  reason: deliveryReasonSchema.nullable(),
  /** A message of a test key reaches no phone. */
  mode: messageModeSchema,
  /** E.164; "" after its owner was erased, or after the time for which numbers are kept. Masked for administrators. */
  to: z.string(),
  /** The whole text, with the lines that the law adds to advertising; null when it is gone, and for administrators. */
  text: z.string().nullable(),
  kind: campaignKindSchema,
  hasImage: z.boolean(),
  reference: z.string().nullable(),
  sendAfter: z.int().nullable(),
  expiresAt: z.int(),
  createdAt: z.int(),
  /** Time of the last change of its state. */
  updatedAt: z.int(),
  attempts: z.int(),
  /** The number that sent it, in E.164; null while it is not known. */
  sender: z.string().nullable(),
});
export type Message = z.infer<typeof messageSchema>;

/** A kind of messages that stands still until a person lets it go on, with `POST /api/campaigns/{carrier}/resume`. */
export const pausedMessagesSchema = z.object({
  carrier: z.int(),
  kind: campaignKindSchema,
  /** `client`, `admin`, or the code of a rule. */
  by: z.string(),
  /** What the rule saw, to be named when it goes on; null after a person's pause. */
  trip: z.int().nullable(),
  /** The same in a Hebrew sentence, or null. */
  why: z.string().nullable(),
  waiting: z.int(),
});
export type PausedMessages = z.infer<typeof pausedMessagesSchema>;

export const messagePageSchema = z.object({
  items: z.array(messageSchema),
  nextCursor: z.string().nullable(),
  paused: z.array(pausedMessagesSchema),
});
export type MessagePage = z.infer<typeof messagePageSchema>;

const filters = {
  state: messageStateSchema.optional(),
  mode: messageModeSchema.optional(),
  cursor: z.string().max(60).optional(),
};
const limitSchema = z.coerce.number().int().min(1).max(500).default(100);
const timeSchema = z.coerce.number().int().positive();

/** `client` is for administrators, who name whose messages they look at. */
export const messagesQuerySchema = z.object({
  ...filters,
  reference: referenceSchema.optional(),
  from: timeSchema.optional(),
  until: timeSchema.optional(),
  client: timeSchema.optional(),
  limit: limitSchema,
});
export type MessagesQuery = z.infer<typeof messagesQuerySchema>;

/** A search for a number or its first digits, or for a whole reference; such words stand in no address. */
export const messageSearchSchema = z.object({
  ...filters,
  q: z.string().trim().min(1).max(MAX_REFERENCE_CHARS),
  from: z.int().positive().optional(),
  until: z.int().positive().optional(),
  client: z.int().positive().optional(),
  limit: z.int().min(1).max(500).default(100),
});

export const messageImageSchema = z.object({
  /** The picture's id for `image` of a message. */
  image: z.int(),
  /** Until then messages may use it. */
  keptUntil: z.int(),
});
export type MessageImage = z.infer<typeof messageImageSchema>;

export const messageResolveSchema = z.object({ as: z.enum(["sent", "failed", "resend"]) });
