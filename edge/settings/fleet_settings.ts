/** The system settings as the agents are told them: rows of `settings`, a field's name and its JSON each. */
import { type Settings, settingsSchema } from "shared/settings.ts";
import type { Transaction } from "@libsql/client/web";

/** The settings in force; a field never set has its default. */
export async function readSettings(ctx: { db: Pick<Transaction, "execute"> }): Promise<Settings> {
  const { rows } = await ctx.db.execute("SELECT key, value FROM settings");
  const known = rows.filter((row) => String(row.key) in settingsSchema.shape);
  return settingsSchema.parse(
    Object.fromEntries(known.map((row) => [row.key, JSON.parse(String(row.value))])),
  );
}
