import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { noteWebhook } from "../webhooks/note_webhook.ts";

const HOUR_MS = 3_600_000;
// They are paused: a world that somebody looks at sends nothing anywhere, and no secret of it opens.
const ADD =
  `INSERT INTO webhook_endpoints (owner, hears, label, url, types, messages, secret, cursor, paused_at, paused_why,
    failing_since, created_at)
  VALUES (:client, :client, :name, :url, :types, 0, 'none', 0, :at, :why, :at, :at) RETURNING id`;
const CALLS =
  `INSERT INTO webhook_calls (endpoint, uid, lane, type, log_ids, events, state, made_at, tries, ended_at)
  SELECT :id, uid, lane, type, json_array(id), 1, iif(id % 3 = 0, 'given_up', 'arrived'), at, 1 + id % 4, at
  FROM webhook_log WHERE hears = :client`;
const ATTEMPTS = `INSERT INTO webhook_attempts (call, at, ms, status, reason)
  SELECT id, made_at, 80 + id, iif(state = 'arrived', 204, 500), iif(state = 'arrived', NULL, 'refused')
  FROM webhook_calls WHERE endpoint = :id`;

/** Gives a client two webhooks: one paused by the edge, with calls, and one paused by its owner. */
export async function makeWebhooks(ctx: EdgeContext, client: number): Promise<void> {
  const at = ctx.now() - HOUR_MS;
  const types = "campaign.completed campaign.cancelled opt_out.created quota.low";
  const add = (name: string, host: string, why: string) =>
    ctx.db.execute(statement(ADD, { client, name, url: `https://${host}/hooks/shigur`, types, at, why }));
  const { rows: [failed] } = await add("מערכת הלקוחות", "crm.example.co.il", "failed");
  await add("גיליון הדיוור", "sheets.example.com", "person");
  const kinds = ["campaign.queued", "campaign.started", "campaign.completed", "opt_out.created"] as const;
  await ctx.db.batch(
    Array.from({ length: 12 }, (_, no) => noteWebhook(at, { client, type: kinds[no % 4]!, campaign: 0 })),
    "write",
  );
  await ctx.db.batch([CALLS, ATTEMPTS].map((sql) => statement(sql, { client, id: failed!.id! })), "write");
}
