/** Administrators see a list masked. After stating a reason they see its numbers and values for some minutes. */
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { Caller } from "../http/router.ts";

const SHOW = `INSERT INTO list_views (session, list, until)
  SELECT :session, id, :until FROM lists WHERE id = :list AND removed_at IS NULL
  ON CONFLICT (session, list) DO UPDATE SET until = excluded.until`;
const HIDE = "DELETE FROM list_views WHERE session = :session AND list = :list";

/** Shows a list to this session and returns the end time in ms. The audit log keeps the reason. */
export async function showList(
  ctx: EdgeContext,
  { person: actor, sessionHash: session }: Caller,
  { id: list, client }: { id: number; client: number },
  reason: string,
): Promise<number> {
  const now = ctx.now();
  const until = now + NUMBERS_SHOWN_MS;
  const data = { reason: withoutNumbers(reason), until, list };
  await writeBatch(ctx.db, {
    shown: statement(SHOW, { session, list, until }),
    audited: rightAfter(
      "shown",
      noteAudit(now, { kind: "list_shown", actor, user: client, data }, STEP_BEFORE_CHANGED),
    ),
  });
  return until;
}

/** Masks the list again before the time ends. */
export async function hideList(ctx: EdgeContext, { sessionHash }: Caller, list: number): Promise<void> {
  await ctx.db.execute(statement(HIDE, { session: sessionHash, list }));
}
