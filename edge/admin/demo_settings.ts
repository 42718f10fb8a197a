import type { EdgeContext } from "../context.ts";

/**
 * What a demonstration starts with: simulated phones run faster than the clock, and nobody waits for Sunday morning.
 * Only what was never saved is set, so an administrator's choice stands.
 */
export async function seedDemoSettings(ctx: EdgeContext): Promise<void> {
  await ctx.db.execute({
    sql: `INSERT OR IGNORE INTO settings (key, value, updated_at)
      VALUES ('sendingHoursEnforced', 'false', ?), ('hourlyPercent', '100', ?)`,
    args: [ctx.now(), ctx.now()],
  });
}
