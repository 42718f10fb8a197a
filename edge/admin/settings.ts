/** The system settings as administrators read and save them; settings/fleet_settings.ts is the agents' view. */
import type { SavedSettings } from "shared/admin_api.ts";
import { PARKED } from "shared/lease.ts";
import { protectsLess, type Settings, settingsSchema } from "shared/settings.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import type { InStatement } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { ADMIN_WITHOUT_FACTOR } from "../auth/user_row.ts";
import { conditionSql, execute, orNull, query, rowsAs } from "../db/query.ts";
import { settings as settingsTable, users } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";
import { noteActivity } from "../events/note_activity.ts";
import { LABELS, valueText } from "../text/setting_words.ts";

const LAST_SAVED = `SELECT s.updated_at, u.username FROM settings s LEFT JOIN users u ON u.id = s.user
  WHERE s.user IS NOT NULL ORDER BY s.updated_at DESC LIMIT 1`;
const PUT = `INSERT INTO settings (key, value, updated_at, user)
  SELECT value->>'key', value->>'json', :now, :user FROM json_each(:rows) WHERE true
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at, user = excluded.user`;
// Deliveries kept for their own account may use any account once work moves again.
const FREE_PARKED = `UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before = ${PARKED}
  AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'))`;
const SITES_EVENT = `INSERT INTO events (at, type, site, data)
  SELECT :now, 'settings', id, :settings FROM sites WHERE revoked = 0 AND public_key IS NOT NULL`;

/** Returns the settings in force and the name of the last person who saved them. */
export async function readSavedSettings(ctx: EdgeContext): Promise<SavedSettings> {
  const [settings, result] = await Promise.all([readSettings(ctx), ctx.db.execute(LAST_SAVED)]);
  const [last] = rowsAs(result, { savedAt: settingsTable.updatedAt, savedBy: orNull(users.username) });
  return { settings, ...last ?? { savedAt: null, savedBy: null } };
}

/**
 * Saves the settings and sends them to every site at once, on any instance. Before it removes a protection it calls
 * `prove`, which throws to refuse; a person's call passes one. Administrators without a second factor are logged out
 * when the settings now require one.
 *
 * @throws HttpError second_factor_required when the saving user is one of those administrators
 */
export async function saveSettings(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "username">,
  settings: Settings,
  prove: () => Promise<void> = () => Promise.resolve(),
): Promise<SavedSettings> {
  const old = await readSettings(ctx);
  if (listChanges(old, settings).length === 0) return await readSavedSettings(ctx);
  let isProved = protectsLess(old, settings);
  if (isProved) await prove();
  const isNewlyNeeded = settings.adminsNeedSecondFactor && !old.adminsNeedSecondFactor;
  const logOut = isNewlyNeeded ? await logOutWithoutFactor(ctx, user) : [];
  const change = Object.fromEntries(Object.entries(fromTo(old, settings)).map(([key, [, is]]) => [key, is]));
  // Another person may have saved since `old` was read: their changes stay, and the settings in force decide about
  // the proof.
  const save = () =>
    inTransaction(ctx.db, async (tx) => {
      const present = await readSettings({ db: tx });
      const next = { ...present, ...change };
      if (!isProved && protectsLess(present, next)) return false;
      if (listChanges(present, next).length === 0) return true;
      await tx.batch([...logOut, ...saveStatements(ctx.now(), user, { present, next })]);
      return true;
    });
  if (!await save()) {
    await prove();
    isProved = true;
    await save();
  }
  ctx.wakeOutbox();
  return await readSavedSettings(ctx);
}

/** Returns statements that write the changed settings and notify sites, the activity list and the audit log. */
function saveStatements(
  now: number,
  user: Pick<Caller, "person" | "username">,
  { present, next }: { present: Settings; next: Settings },
): InStatement[] {
  const changes = fromTo(present, next);
  const rows = Object.entries(changes).map(([key, [, value]]) => ({ key, json: JSON.stringify(value) }));
  const args = { now, user: user.person, settings: JSON.stringify(next), rows: JSON.stringify(rows) };
  const data = { by: user.username, changes: `${listChanges(present, next).join(", ")}.` };
  return [
    ...[PUT, ...(next.autoFailover ? [FREE_PARKED] : []), SITES_EVENT, WORK_WAITING].map((sql) =>
      statement(sql, args)
    ),
    noteActivity(now, { kind: "info", code: "settings_changed", data, user: user.person }),
    noteAudit(now, { kind: "settings_changed", actor: user.person, data: changes }),
  ];
}

async function logOutWithoutFactor(ctx: EdgeContext, user: Pick<Caller, "person">): Promise<InStatement[]> {
  const { rows } = await execute(
    ctx.db,
    query.select({ id: users.id }).from(users).where(conditionSql(ADMIN_WITHOUT_FACTOR)),
  );
  if (rows.some(({ id }) => id === user.person)) {
    const text = "כדי לחייב אימות דו־שלבי צריך להפעיל אותו קודם בעמוד החשבון שלי.";
    throw new HttpError("second_factor_required", { text });
  }
  return rows.flatMap(({ id }) => endSessionsOf(ctx, id));
}

/** Returns the changes: name → [old value, new value]. */
function fromTo(old: Settings, settings: Settings): Record<string, [unknown, unknown]> {
  const keys = (Object.keys(settings) as (keyof Settings)[]).filter((key) => old[key] !== settings[key]);
  return Object.fromEntries(keys.map((key) => [key, [old[key], settings[key]]]));
}

function listChanges(old: Settings, settings: Settings): string[] {
  const keys = Object.keys(settingsSchema.shape) as (keyof Settings)[];
  return keys.filter((key) => old[key] !== settings[key]).map((key) => {
    const [was, is] = [old[key], settings[key]];
    const label = LABELS[key];
    return typeof is === "boolean"
      ? `${label}: ${valueText(is)}`
      : `${label}: ${valueText(is)} במקום ${valueText(was)}`;
  });
}
