import type { QueuesCleared } from "shared/http_api.ts";
import { countOf } from "../text/hebrew_count.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { cancelBy } from "./cancel.ts";
import type { Actor } from "./own_campaign.ts";
import { rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const NOTE = `INSERT INTO activity (at, kind, code, data, user) SELECT :now, 'warning', 'queues_cleared',
  json_object('by', username, 'campaigns', :campaigns, 'messages', :messages), id FROM users WHERE id = :user`;
const RUNNING = "SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused') ORDER BY id";

/**
 * Cancels every running and paused campaign, each in its own transaction. Returns the numbers of rows that changed at
 * once. Rows that sites have acknowledged are recalled, and the sites' reports settle them.
 */
export async function clearQueues(ctx: EdgeContext, admin: Actor): Promise<QueuesCleared> {
  let messageQueueCleared = 0;
  let campaignQueueCleared = 0;
  let recalled = 0;
  for (const { id } of rowsAs(await ctx.db.execute(RUNNING), { id: campaigns.id })) {
    const result = await cancelBy(ctx, admin, id, "queues");
    if (result === null) continue;
    messageQueueCleared += result.changed;
    recalled += result.recalled;
    campaignQueueCleared += 1;
  }
  const figures = { campaigns: campaignQueueCleared, messages: messageQueueCleared };
  const now = ctx.now();
  await ctx.db.batch([
    statement(NOTE, { now, user: admin.person, ...figures }),
    noteAudit(now, { kind: "queues_cleared", actor: admin.person, data: figures }),
  ], "write");
  ctx.wakeOutbox();
  const waiting = recalled > 0
    ? ` כבר נמסרו לאתרים, ויסתיימו לפי הדיווח שלהם: ${countOf(recalled, "message")}.`
    : "";
  const message = `בוטלו: ${countOf(campaignQueueCleared, "campaign")}, ${
    countOf(messageQueueCleared, "message")
  }.${waiting}`;
  return { message, messageQueueCleared, campaignQueueCleared };
}
