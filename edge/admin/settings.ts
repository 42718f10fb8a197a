/** The system settings as administrators read and save them; agents/fleet_settings.ts is what agents are told. */
import type { SavedSettings } from "shared/admin_api.ts";
import { PARKED } from "shared/lease.ts";
import { type Settings, settingsSchema } from "shared/settings.ts";
import { readSettings } from "../agents/fleet_settings.ts";
import type { InStatement } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { ADMIN_WITHOUT_FACTOR } from "../users/user_row.ts";
import { statement } from "../queue/statement.ts";
import { WORK_WAITING } from "../queue/work_waiting.ts";
import { noteActivity } from "./note_activity.ts";

const LAST_SAVED = `SELECT s.updated_at, u.username FROM settings s LEFT JOIN users u ON u.id = s.user
  WHERE s.user IS NOT NULL ORDER BY s.updated_at DESC LIMIT 1`;
const PUT = `INSERT INTO settings (key, value, updated_at, user)
  SELECT value->>'key', value->>'json', :now, :user FROM json_each(:rows) WHERE true
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at, user = excluded.user`;
// What was kept for its own account goes to any, once work moves again.
const FREE_PARKED = `UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before = ${PARKED}
  AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'))`;
const TELL_SITES = `INSERT INTO events (at, type, site, data)
  SELECT :now, 'settings', id, :settings FROM sites WHERE revoked = 0 AND public_key IS NOT NULL`;

export const LABELS: Record<keyof Settings, string> = {
  maxMessagesPerDay: "תקרה יומית למכשיר",
  rateLimit: "מרווח בין הודעות",
  warmupEnabled: "חימום חשבונות חדשים",
  autoFailover: "מעבר אוטומטי לחשבון משני",
  enableNotifications: "התראות",
  hourlyPercent: "חלק היום שמותר בשעה",
  sendingHoursEnforced: "שעות שליחה לדיוור שיווקי",
  serviceHoursEnforced: "שעות שליחה להודעות שירות",
  sendingOpensAt: "תחילת השליחה",
  sendingClosesAt: "סוף השליחה",
  fridayClosesAt: "סוף השליחה בימי שישי וערבי חג",
  frequencyCapDays: "ימים בין הודעות שיווקיות לנמען",
  breakerFailedPercent: "סף עצירה: כישלונות",
  breakerUnknownPercent: "סף עצירה: מצב לא ידוע",
  breakerOptOutPercent: "סף עצירה: בקשות הסרה",
  retentionDays: "ימי שמירה של מספרים",
  adminsNeedSecondFactor: "חובת אימות דו־שלבי למנהלים",
};

/** The settings in force, and who saved them last. */
export async function readSavedSettings(ctx: EdgeContext): Promise<SavedSettings> {
  const [settings, { rows: [last] }] = await Promise.all([readSettings(ctx), ctx.db.execute(LAST_SAVED)]);
  return {
    settings,
    savedAt: last === undefined ? null : Number(last.updated_at),
    savedBy: last === undefined || last.username === null ? null : String(last.username),
  };
}

/**
 * Saves them and tells every site at once, whichever instance holds its socket. Administrators who from now on need a
 * second factor and have none are logged out; throws `second_factor_required` when whoever saves is one of them.
 */
export async function saveSettings(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id" | "username">,
  settings: Settings,
): Promise<SavedSettings> {
  const old = await readSettings(ctx);
  const changes = listChanges(old, settings);
  if (changes.length === 0) return await readSavedSettings(ctx);
  const rows = Object.entries(settings).map(([key, value]) => ({ key, json: JSON.stringify(value) }));
  const args = {
    now: ctx.now(),
    user: user.id,
    settings: JSON.stringify(settings),
    rows: JSON.stringify(rows),
  };
  const data = { by: user.username, changes: `${changes.join(", ")}.` };
  const isNewlyNeeded = settings.adminsNeedSecondFactor && !old.adminsNeedSecondFactor;
  await ctx.db.batch([
    ...(isNewlyNeeded ? await logOutWithoutFactor(ctx, user) : []),
    ...[PUT, ...(settings.autoFailover ? [FREE_PARKED] : []), TELL_SITES, WORK_WAITING].map((sql) =>
      statement(sql, args)
    ),
    noteActivity(args.now, { kind: "info", code: "settings_changed", data, user: user.id }),
    noteAudit(args.now, { kind: "settings_changed", actor: user.id, data: fromTo(old, settings) }),
  ], "write");
  ctx.wakeOutbox();
  return await readSavedSettings(ctx);
}

async function logOutWithoutFactor(ctx: EdgeContext, user: Pick<SessionUser, "id">): Promise<InStatement[]> {
  const { rows } = await ctx.db.execute(`SELECT id FROM users WHERE ${ADMIN_WITHOUT_FACTOR}`);
  if (rows.some(({ id }) => id === user.id)) {
    const text = "כדי לחייב אימות דו־שלבי צריך להפעיל אותו קודם בעמוד החשבון שלי.";
    throw new HttpError("second_factor_required", { text });
  }
  return rows.flatMap(({ id }) => endSessionsOf(ctx, Number(id)));
}

/** What changed: name → [what it was, what it is]. */
function fromTo(old: Settings, settings: Settings): Record<string, unknown> {
  const keys = (Object.keys(settings) as (keyof Settings)[]).filter((key) => old[key] !== settings[key]);
  return Object.fromEntries(keys.map((key) => [key, [old[key], settings[key]]]));
}

function listChanges(old: Settings, settings: Settings): string[] {
  const keys = Object.keys(settingsSchema.shape) as (keyof Settings)[];
  return keys.filter((key) => old[key] !== settings[key]).map((key) => {
    const [was, is] = [old[key], settings[key]];
    const label = LABELS[key];
    return typeof is === "boolean" ? `${label}: ${is ? "פעיל" : "כבוי"}` : `${label}: ${is} במקום ${was}`;
  });
}
