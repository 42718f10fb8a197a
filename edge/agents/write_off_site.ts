import type { EdgeContext } from "../context.ts";
import { statement } from "../queue/statement.ts";
import { WORK_WAITING } from "../queue/work_waiting.ts";

const WRITE_OFF = `UPDATE sites SET answered_generation = (SELECT value FROM system WHERE key = 'generation')
  WHERE id = :site`;

/** Stops waiting for what a site did before a backup was restored; an administrator's decision. */
export async function writeOffSite(ctx: EdgeContext, site: number): Promise<void> {
  const args = { site, now: ctx.now() };
  await ctx.db.batch([statement(WRITE_OFF, args), statement(WORK_WAITING, args)], "write");
  ctx.wakeOutbox();
}
