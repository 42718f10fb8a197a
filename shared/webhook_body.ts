/** Schemas of what a webhook's receiver gets: the API description shows them, and the client library's types follow. */
import { z } from "zod";
import { campaignCountsSchema } from "./campaign.ts";

/** What every event has: its id stays the same at each try, its time is ISO 8601. */
const event = <Type extends string, Data extends z.ZodType>(types: readonly [Type, ...Type[]], data: Data) =>
  z.object({ id: z.string(), type: z.enum(types), timestamp: z.string(), data });
const phone = z.string().nullable();

const campaignEventSchema = event(
  [
    "campaign.queued",
    "campaign.taken_back",
    "campaign.started",
    "campaign.paused",
    "campaign.resumed",
    "campaign.completed",
    "campaign.failed",
    "campaign.cancelled",
    "campaign.reopened",
  ],
  z.object({
    campaignId: z.int(),
    name: z.string().nullable(),
    status: z.string(),
    /** client, admin, or a rule's code; null means not paused. */
    pausedBy: z.string().nullable(),
    /** As they were when it happened. */
    counts: campaignCountsSchema,
  }),
);
const messageEventSchema = event(
  [
    "message.sent",
    "message.failed",
    "message.unknown",
    "message.skipped",
    "message.cancelled",
    "message.expired",
  ],
  z.object({
    messageId: z.int(),
    campaignId: z.int(),
    /** The recipient's number; null means that it was erased. */
    to: phone,
    reason: z.string().nullable(),
  }),
);
const optOutEventSchema = event(["opt_out.created"], z.object({ phone }));
const replyEventSchema = event(
  ["reply.received"],
  z.object({
    replyId: z.int(),
    campaignId: z.int(),
    phone,
    /** The beginning of the reply, without numbers. */
    text: z.string().nullable(),
    /** What became of it by now: waiting, removed or kept. */
    state: z.string().nullable(),
  }),
);
const quotaEventSchema = event(["quota.low"], z.object({ messageQuota: z.int(), below: z.int() }));
const siteEventSchema = event(
  [
    "site.created",
    "site.enrolled",
    "site.connected",
    "site.lost",
    "site.stopped",
    "site.started",
    "site.revoked",
  ],
  z.object({ siteId: z.int(), name: z.string().nullable(), reason: z.string().nullable().optional() }),
);
const accountEventSchema = event(
  [
    "account.ok",
    "account.banned",
    "account.restricted",
    "account.logged_out",
    "account.app_missing",
    "account.unreachable",
  ],
  z.object({ accountId: z.int(), siteId: z.int(), deviceId: z.int(), was: z.string() }),
);
const alertEventSchema = event(
  ["alert.raised", "alert.ended"],
  z.object({ cause: z.string(), code: z.string(), severity: z.string(), count: z.int().optional() }),
);
const testEventSchema = event(["webhook.test"], z.object({}));
const messageBatchSchema = event(
  ["message.batch"],
  z.object({
    /** Of one campaign, in order; each has an id of its own. */
    events: z.array(messageEventSchema).min(1).max(100),
  }),
);

/** The body of a call: one event, or a batch of events about messages. */
export const webhookBodySchema = z.union([
  messageBatchSchema,
  campaignEventSchema,
  optOutEventSchema,
  replyEventSchema,
  quotaEventSchema,
  siteEventSchema,
  accountEventSchema,
  alertEventSchema,
  testEventSchema,
]);
export const webhookMessageEventSchema = messageEventSchema;
export type WebhookBody = z.infer<typeof webhookBodySchema>;
