/** Shigur for TypeScript: calls by an API key that act once, lists page after page, and webhooks that can be believed. */
export {
  type Answer,
  type CallOptions,
  type Input,
  type Item,
  type Operation,
  type PagedOperation,
  Shigur,
  ShigurError,
  type ShigurOptions,
} from "./client.ts";
export { eventsOf, verifyWebhook, type WebhookCall, WebhookError, type WebhookEvent } from "./webhooks.ts";
export type { Operations, WebhookBody } from "./api.ts";
