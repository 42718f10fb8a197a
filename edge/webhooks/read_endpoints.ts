import type { ChosenWebhookType, Webhook } from "shared/webhooks_api.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { webhookEndpoints } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";

const READ =
  `SELECT id, label, url, types, quota_below, created_at, paused_at, paused_why, failing_since, arrived_at,
    iif(secret_before IS NOT NULL AND secret_before_until > :now, secret_before_until, NULL) AS secret_before_until,
    (SELECT count(*) FROM webhook_calls c WHERE c.endpoint = e.id AND c.state = 'waiting') AS waiting,
    (SELECT count(*) FROM webhook_calls c WHERE c.endpoint = e.id AND c.state = 'given_up') AS "givenUp"
  FROM webhook_endpoints e WHERE owner = :owner AND (:id IS NULL OR id = :id) ORDER BY id DESC`;

/** Returns the endpoints of the caller's account, newest first; never what opens anything. */
export async function listWebhooks(
  ctx: EdgeContext,
  { client }: Pick<Caller, "client">,
  id: number | null = null,
): Promise<Webhook[]> {
  const { id: no, label, url, types, quotaBelow, createdAt } = webhookEndpoints;
  const { pausedAt, pausedWhy, failingSince, arrivedAt, secretBeforeUntil } = webhookEndpoints;
  const rows = rowsAs(await ctx.db.execute(statement(READ, { owner: client, id, now: ctx.now() })), {
    ...{ id: no, label, url, types, quotaBelow, createdAt },
    ...{ pausedAt, pausedWhy, failingSince, arrivedAt, secretBeforeUntil },
    ...{ waiting: wholeNumber, givenUp: wholeNumber },
  });
  return rows.map(({ label, types, pausedAt, pausedWhy, secretBeforeUntil, ...row }) => ({
    ...row,
    name: label,
    types: types.split(" ") as ChosenWebhookType[],
    paused: pausedAt === null ? null : { at: pausedAt, why: pausedWhy! },
    oldSecretUntil: secretBeforeUntil,
  }));
}

/** Returns one endpoint of the caller's account. @throws HttpError not_found */
export async function findWebhook(
  ctx: EdgeContext,
  caller: Pick<Caller, "client">,
  id: number,
): Promise<Webhook> {
  const [webhook] = await listWebhooks(ctx, caller, id);
  if (webhook === undefined) throw new HttpError("not_found");
  return webhook;
}
