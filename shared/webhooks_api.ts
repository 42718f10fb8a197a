/** Schemas of the calls about webhooks: /api/webhooks. */
import { z } from "zod";
import { provedFields } from "./http_api.ts";
import { plainText } from "./plain_text.ts";
import {
  ADMIN_WEBHOOK_TYPES,
  CLIENT_WEBHOOK_TYPES,
  MAX_ENDPOINT_NAME_CHARS,
  MAX_ENDPOINT_URL_CHARS,
  WEBHOOK_CALL_STATES,
  WEBHOOK_FAILURES,
  WEBHOOK_PAUSES,
} from "./webhook_event.ts";

const chosenTypeSchema = z.enum([...CLIENT_WEBHOOK_TYPES, ...ADMIN_WEBHOOK_TYPES]);
export type ChosenWebhookType = z.infer<typeof chosenTypeSchema>;
const quotaBelowSchema = z.int().min(1).max(1_000_000);
const callStateSchema = z.enum(WEBHOOK_CALL_STATES);

export const webhookSchema = z.object({
  id: z.int(),
  /** The owner's own word for it. */
  name: z.string(),
  url: z.string(),
  types: z.array(chosenTypeSchema),
  /** `quota.low` comes when fewer messages than this are left. */
  quotaBelow: z.int(),
  createdAt: z.int(),
  /** Null means that it is not paused. */
  paused: z.object({ at: z.int(), why: z.enum(WEBHOOK_PAUSES) }).nullable(),
  /** The first failure since the last call that arrived; null means that the last one arrived. */
  failingSince: z.int().nullable(),
  /** When a call last arrived. */
  arrivedAt: z.int().nullable(),
  /** Calls that wait to be tried, or tried again. */
  waiting: z.int(),
  /** Calls of the last 14 days that did not arrive within three days. */
  givenUp: z.int(),
  /** Until then calls are signed with the secret before the present one too; null means only with the present one. */
  oldSecretUntil: z.int().nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;
export const webhooksSchema = z.object({ webhooks: z.array(webhookSchema) });
export type Webhooks = z.infer<typeof webhooksSchema>;

const urlSchema = z.string().max(MAX_ENDPOINT_URL_CHARS);
const nameSchema = plainText.min(1).max(MAX_ENDPOINT_NAME_CHARS);
const typesSchema = z.array(chosenTypeSchema).min(1).max(CLIENT_WEBHOOK_TYPES.length);

export const makeWebhookRequestSchema = z.object({
  ...provedFields,
  name: nameSchema,
  /** http or https, on port 80, 443 or 8443. */
  url: urlSchema,
  types: typesSchema,
  quotaBelow: quotaBelowSchema.default(100),
});
export type MakeWebhookRequest = z.infer<typeof makeWebhookRequestSchema>;
/** `secret` is shown once. */
export const madeWebhookSchema = z.object({ webhook: webhookSchema, secret: z.string() });
export type MadeWebhook = z.infer<typeof madeWebhookSchema>;

/** What is not named stays. */
export const changeWebhookRequestSchema = z.object({
  ...provedFields,
  name: nameSchema.optional(),
  url: urlSchema.optional(),
  types: typesSchema.optional(),
  quotaBelow: quotaBelowSchema.optional(),
});
export type ChangeWebhookRequest = z.infer<typeof changeWebhookRequestSchema>;

/** `secret` is shown once; calls are signed with the old one too until `oldSecretUntil`. */
export const newWebhookSecretSchema = z.object({ secret: z.string(), oldSecretUntil: z.int() });
export type NewWebhookSecret = z.infer<typeof newWebhookSecretSchema>;

const webhookCallSchema = z.object({
  id: z.int(),
  /** The header `webhook-id`. */
  webhookId: z.string(),
  /** The event's type, or message.batch. */
  type: z.string(),
  /** Number of events in it. */
  events: z.int(),
  campaignId: z.int().nullable(),
  state: callStateSchema,
  madeAt: z.int(),
  tries: z.int(),
  /** When it is tried next, at the earliest; null means that it is not waiting. */
  nextAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  /** The answer's status at the last try; null means no answer, or no try. */
  lastStatus: z.int().nullable(),
  /** Why the last try did not arrive; null means that it did, or no try. */
  lastReason: z.enum(WEBHOOK_FAILURES).nullable(),
});
export type WebhookCall = z.infer<typeof webhookCallSchema>;
export const webhookCallsQuerySchema = z.object({
  state: callStateSchema.optional(),
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** Newest first. */
export const webhookCallPageSchema = z.object({
  items: z.array(webhookCallSchema),
  nextCursor: z.int().nullable(),
});
export type WebhookCallPage = z.infer<typeof webhookCallPageSchema>;

export const webhookCallDetailSchema = webhookCallSchema.extend({
  attempts: z.array(z.object({
    at: z.int(),
    ms: z.int(),
    status: z.int().nullable(),
    reason: z.enum(WEBHOOK_FAILURES).nullable(),
  })),
  /** The body, as it would be sent now; null means that its events are no longer kept. */
  body: z.string().nullable(),
});
export type WebhookCallDetail = z.infer<typeof webhookCallDetailSchema>;

/** Calls that were made within from ≤ time < to, in milliseconds. */
export const sendAgainRequestSchema = z.object({
  from: z.int().min(0),
  to: z.int().min(0),
  /** given_up = those that did not arrive; all = those that arrived too. */
  which: z.enum(["given_up", "all"]).default("given_up"),
});
export type SendAgainRequest = z.infer<typeof sendAgainRequestSchema>;
/** `hasMore` means that a further call with the same range sends more again. */
export const sentAgainSchema = z.object({ calls: z.int(), hasMore: z.boolean() });
export type SentAgain = z.infer<typeof sentAgainSchema>;
export const testedWebhookSchema = z.object({ callId: z.int() });
