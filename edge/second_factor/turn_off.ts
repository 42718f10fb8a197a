import type { InStatement } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveSelf } from "../auth/prove_self.ts";
import { goOnAlone } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { Caller } from "../http/router.ts";

/**
 * Turns off the second factor of `user` by both factors, ends their other sessions and returns this session's new id.
 * @throws what proveSelf() throws
 */
export async function turnOffSecondFactor(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  proof: { password: string; code: string; address: string },
): Promise<string> {
  await proveSelf(ctx, door, user, proof);
  const { sessionId, statements } = await goOnAlone(ctx, user);
  await writeBatch(ctx.db, {
    removed: removeFactor(user.person),
    audited: rightAfter(
      "removed",
      noteAudit(ctx.now(), { kind: "second_factor_off", actor: user.person }, STEP_BEFORE_CHANGED),
    ),
    alone: statements,
  });
  ctx.wakeOutbox();
  return sessionId;
}

/** Returns statements that remove the factor of `userId`; the last of them changes a row when there was one. */
export function removeFactor(userId: number): InStatement[] {
  return [
    { sql: "DELETE FROM recovery_codes WHERE user = ?", args: [userId] },
    { sql: "DELETE FROM second_factors WHERE user = ?", args: [userId] },
  ];
}
