import type { EdgeContext } from "../context.ts";

/**
 * Sets a demonstration's initial settings: simulated phones run faster than the clock, and sending need not wait for
 * Sunday morning. It sets only fields that were never saved, so an administrator's choice remains.
 */
export async function seedDemoSettings(ctx: EdgeContext): Promise<void> {
  await ctx.db.execute({
    sql: `INSERT OR IGNORE INTO settings (key, value, updated_at)
      VALUES ('sendingHoursEnforced', 'false', ?), ('hourlyPercent', '100', ?)`,
    args: [ctx.now(), ctx.now()],
  });
}
