import { eq } from "drizzle-orm";
import type { QuietAlertRequest } from "shared/admin_api.ts";
import { readCauses } from "../admin/alerts.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { alertsChanged } from "../events/alert.ts";
import { query } from "../db/query.ts";
import { alertQuiets } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";

const HOUR_MS = 60 * 60_000;

/**
 * Keeps a present cause quiet: for some hours, or until it is gone. What the person saw is the measure; more than that
 * ends the quiet.
 *
 * @throws HttpError not_found when nothing has this cause now
 */
export async function quietAlert(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  { cause, hours, seen }: QuietAlertRequest,
): Promise<void> {
  const present = (await readCauses(ctx)).find((one) => one.cause === cause);
  if (present === undefined) throw new HttpError("not_found");
  const now = ctx.now();
  const quiet = {
    kind: hours === null ? "acknowledged" as const : "snoozed" as const,
    user: user.person,
    at: now,
    until: hours === null ? null : now + hours * HOUR_MS,
    // No person saw more than there is.
    count: Math.min(seen.count, present.count),
    newest: present.newest === null || seen.newest === null ? null : Math.min(seen.newest, present.newest),
  };
  const kind = hours === null ? "alert_acknowledged" : "alert_snoozed";
  await writeBatch(ctx.db, {
    quiet: query.insert(alertQuiets).values({ cause, ...quiet })
      .onConflictDoUpdate({ target: alertQuiets.cause, set: quiet }),
    audited: noteAudit(now, { kind, actor: user.person, data: { cause, title: present.title, hours } }),
    event: alertsChanged(now),
  });
  ctx.wakeOutbox();
}

/** Ends the quiet of a cause; one that is not quiet stays as it is. */
export async function unquietAlert(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  cause: string,
): Promise<void> {
  const present = (await readCauses(ctx)).find((one) => one.cause === cause);
  const data = { cause, title: present?.title ?? cause };
  const now = ctx.now();
  await writeBatch(ctx.db, {
    ended: query.delete(alertQuiets).where(eq(alertQuiets.cause, cause)),
    audited: rightAfter(
      "ended",
      noteAudit(now, { kind: "alert_unquieted", actor: user.person, data }, STEP_BEFORE_CHANGED),
    ),
    event: rightAfter("audited", alertsChanged(now, STEP_BEFORE_CHANGED)),
  });
  ctx.wakeOutbox();
}
