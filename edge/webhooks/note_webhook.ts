import type { InStatement } from "@libsql/client/web";
import type { WebhookType } from "shared/webhook_event.ts";
import { statement } from "../db/statement.ts";

/** An event that no rule of 25_webhooks.sql writes. */
export interface WebhookNote {
  /** The client that hears of it. */
  client: number;
  type: WebhookType;
  /** Calls of one campaign go in order; 0 = of none. */
  campaign?: number;
  /** Id of the delivery, of the campaign, or of whatever else the type is about. */
  subject?: number;
  /** Ids, states and reasons; never a number or a text of a recipient. */
  data?: Record<string, unknown>;
}

/**
 * Returns the statement that tells a client's webhooks of an event; add it to the batch of the act. It writes nothing
 * for a client without an endpoint. `onlyIf` is SQL, for example STEP_BEFORE_CHANGED in a step made with rightAfter().
 *
 * A message that is a row of `deliveries` needs no call: the rule tells of every state that it rests in. This is for
 * messages that have no such row, as those of test keys.
 */
export function noteWebhook(
  now: number,
  { client, type, campaign = 0, subject, data = {} }: WebhookNote,
  onlyIf = "1",
): Exclude<InStatement, string> {
  return statement(
    `INSERT INTO webhook_log (at, hears, type, lane, subject, data)
     SELECT :now, :client, :type, :campaign, :subject, :data
     WHERE EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = :client) AND ${onlyIf}`,
    { now, client, type, campaign, subject: subject ?? null, data: JSON.stringify(data) },
  );
}
