/** What webhooks tell of, and how calls to them end. The browser and the client library import it: no schemas. */

/** Events of a client's account. */
export const CLIENT_WEBHOOK_TYPES = [
  "campaign.queued",
  "campaign.taken_back",
  "campaign.started",
  "campaign.paused",
  "campaign.resumed",
  "campaign.completed",
  "campaign.failed",
  "campaign.cancelled",
  "campaign.reopened",
  "message.sent",
  "message.failed",
  "message.unknown",
  "message.skipped",
  "message.cancelled",
  "message.expired",
  "opt_out.created",
  "reply.received",
  "quota.low",
] as const;
/** Events for administrators. */
export const ADMIN_WEBHOOK_TYPES = [
  "site.created",
  "site.enrolled",
  "site.connected",
  "site.lost",
  "site.stopped",
  "site.started",
  "site.revoked",
  "account.ok",
  "account.banned",
  "account.restricted",
  "account.logged_out",
  "account.app_missing",
  "account.unreachable",
  "alert.raised",
  "alert.ended",
] as const;
/** The event of a press on "test"; every endpoint gets it. */
export const TEST_WEBHOOK_TYPE = "webhook.test";
export const WEBHOOK_TYPES = [...CLIENT_WEBHOOK_TYPES, ...ADMIN_WEBHOOK_TYPES, TEST_WEBHOOK_TYPE] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];
/** A call with several events about messages. */
export const BATCH_WEBHOOK_TYPE = "message.batch";
export type WebhookCallType = WebhookType | typeof BATCH_WEBHOOK_TYPE;

/** Most events of one call. */
export const MAX_BATCH_EVENTS = 100;
/** Most endpoints of an account. */
export const MAX_ENDPOINTS = 20;
export const MAX_ENDPOINT_NAME_CHARS = 60;
export const MAX_ENDPOINT_URL_CHARS = 500;
/** How long calls and attempts are kept. */
export const WEBHOOKS_KEPT_DAYS = 14;
/** How long a call is tried. */
export const WEBHOOK_TRIED_DAYS = 3;
/** How long the secret before the present one signs too. */
export const OLD_SECRET_HOURS = 24;
/** Most calls that are sent again at once. */
export const MAX_AGAIN = 1_000;

/** waiting = it will be tried, or tried again; arrived = the receiver said yes; given_up = three days passed. */
export const WEBHOOK_CALL_STATES = ["waiting", "arrived", "given_up"] as const;
export type WebhookCallState = (typeof WEBHOOK_CALL_STATES)[number];

/** failed = nothing arrived for three days; gone = the receiver answered 410; restored = after a backup was restored. */
export const WEBHOOK_PAUSES = ["person", "failed", "gone", "restored"] as const;
export type WebhookPause = (typeof WEBHOOK_PAUSES)[number];

/**
 * Why a try did not arrive. name = the name has no address; address = an address that is not allowed; connect = no
 * connection; tls = no secure connection under the name; refused = another status than 2xx; timeout = no answer within
 * 10 s; broken = the connection ended, or the answer is no HTTP; too_long = more than 64 kB before the answer's end;
 * secret = the edge's own key does not open the secret.
 */
export const WEBHOOK_FAILURES = [
  "name",
  "address",
  "connect",
  "tls",
  "refused",
  "timeout",
  "broken",
  "too_long",
  "secret",
] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];
