/** Forgets the names of removed colleagues some time after their removal; what they did stays. */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { readSettings } from "../settings/fleet_settings.ts";

const DAY_MS = 24 * 60 * 60_000;
/** SQL: the name of a removed person after the retention; it differs from every other. */
const FORGOTTEN_NAME = "'הוסר/ה ' || id";
const FORGET = `UPDATE users SET username = ${FORGOTTEN_NAME}
  WHERE works_for IS NOT NULL AND left_at < :before AND username <> ${FORGOTTEN_NAME}`;
// An invitation's label may be a name.
const DROP_INVITATIONS = "DELETE FROM invitations WHERE expires_at <= :now";

/** Forgets names that are overdue, and invitations that are over; a tick. */
export async function forgetPeople(ctx: EdgeContext): Promise<void> {
  const { retentionDays } = await readSettings(ctx);
  const now = ctx.now();
  const dataSql = { sql: `json_object('count', ${ROWS_OF_STEP_BEFORE})`, args: [] };
  const note = { kind: "people_forgotten", actor: null, dataSql } as const;
  await writeBatch(ctx.db, {
    forgotten: statement(FORGET, { before: now - retentionDays * DAY_MS }),
    audited: rightAfter("forgotten", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    dropped: statement(DROP_INVITATIONS, { now }),
  });
}
