/** The system settings as agents receive them: rows of `settings`, each a field's name and its JSON. */
import { type Settings, settingsSchema } from "shared/settings.ts";
import type { Transaction } from "@libsql/client/web";

/** Returns the settings in force; a field that was never set has its default. */
export async function readSettings(ctx: { db: Pick<Transaction, "execute"> }): Promise<Settings> {
  const { rows } = await ctx.db.execute("SELECT key, value FROM settings");
  const known = rows.filter((row) => String(row.key) in settingsSchema.shape);
  return settingsSchema.parse(
    Object.fromEntries(known.map((row) => [row.key, JSON.parse(String(row.value))])),
  );
}
