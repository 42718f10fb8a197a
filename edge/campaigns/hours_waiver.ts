/** An administrator exempts one campaign that does not advertise from the sending hours. The reason is audited. */
import type { InStatement, ResultSet } from "@libsql/client/web";
import { and, eq, inArray, isNotNull, isNull, ne } from "drizzle-orm";
import type { AdminCampaignDetail } from "shared/admin_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, orNull, query, rowsAs } from "../db/query.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { KEEPS_HOURS } from "../time/sending_hours.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";
import { campaignChanged } from "../events/changed_event.ts";
import { type CampaignRow, campaigns, users } from "../db/schema.ts";

const INSERT_ACTIVITY = `INSERT INTO activity (at, kind, code, data, campaign, user)
  SELECT :now, :kind, :code, json_object('campaign', c.name, 'client', u.username,
    'by', (SELECT username FROM users WHERE id = :actor)), c.id, c.client
  FROM campaigns c JOIN users u ON u.id = c.client WHERE c.id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const READ = `SELECT ${KEEPS_HOURS} AS kept, u.username FROM campaigns c
  LEFT JOIN users u ON u.id = c.hours_waived_by WHERE c.id = :campaign`;

/**
 * Waives the hours from now until the campaign's end or restoreHours(), and wakes the sites.
 *
 * @throws {HttpError} `advertising_keeps_hours`; `campaign_state` when the campaign is unsent, finished, or a test to
 * oneself
 */
export async function waiveHours(
  ctx: EdgeContext,
  { person: actor }: Pick<Caller, "person">,
  { id: campaign, client, kind }: CampaignRow,
  text: string,
): Promise<void> {
  const now = ctx.now();
  const reason = withoutNumbers(text);
  const note = { kind: "hours_waived", actor, campaign, data: { reason } } as const;
  const alert = { now, kind: "warning", code: "hours_waived", actor, campaign };
  const { waived } = await writeBatch(ctx.db, {
    // A sent campaign no longer changes, so the reason covers exactly these words, this image and these recipients.
    waived: query.update(campaigns)
      .set({ hoursWaivedAt: now, hoursWaivedBy: actor, hoursWaivedWhy: reason })
      .where(and(
        eq(campaigns.id, campaign),
        ne(campaigns.kind, "marketing"),
        isNull(campaigns.testOf),
        inArray(campaigns.status, ["processing", "active", "paused"]),
      )),
    activity: rightAfter("waived", statement(INSERT_ACTIVITY, alert)),
    audited: rightAfter("activity", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    clientEvent: campaignChanged(now, { id: campaign, client }),
    sitesEvent: statement(WORK_WAITING, { now }),
  });
  if (waived.rowsAffected === 0) {
    throw new HttpError(kind === "marketing" ? "advertising_keeps_hours" : "campaign_state");
  }
  ctx.wakeOutbox();
}

/** Applies the hours to the campaign again. Messages that phones may already send can still go out for MAX_VALID_MS. */
export async function restoreHours(
  ctx: EdgeContext,
  { person: actor }: Pick<Caller, "person">,
  { id: campaign, client }: Pick<CampaignRow, "id" | "client">,
): Promise<void> {
  const now = ctx.now();
  const alert = { now, kind: "info", code: "hours_restored", actor, campaign };
  const note = { kind: "hours_restored", actor, campaign } as const;
  await writeBatch(ctx.db, {
    restored: query.update(campaigns).set({ hoursWaivedAt: null, hoursWaivedBy: null, hoursWaivedWhy: null })
      .where(and(eq(campaigns.id, campaign), isNotNull(campaigns.hoursWaivedAt))),
    activity: rightAfter("restored", statement(INSERT_ACTIVITY, alert)),
    audited: rightAfter("activity", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    clientEvent: campaignChanged(now, { id: campaign, client }),
  });
  ctx.wakeOutbox();
}

/** Returns the statement whose result hoursOf() reads. */
export function findCampaignHours(campaign: number): InStatement {
  return statement(READ, { campaign });
}

/** Returns how the hours apply to a campaign, for the administrators' screen. */
export function hoursOf(
  { hoursWaivedAt, hoursWaivedWhy }: Pick<CampaignRow, "hoursWaivedAt" | "hoursWaivedWhy">,
  found: ResultSet,
): AdminCampaignDetail["hours"] {
  const [row] = rowsAs(found, { kept: condition, username: orNull(users.username) });
  return {
    kept: row?.kept ?? false,
    waived: hoursWaivedAt === null
      ? null
      : { at: hoursWaivedAt, by: row?.username ?? "", reason: hoursWaivedWhy ?? "" },
  };
}
