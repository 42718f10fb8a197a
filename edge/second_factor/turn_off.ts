import type { InStatement } from "@libsql/client/web";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveSelf } from "../auth/prove_self.ts";
import { goOnAlone } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";

/**
 * Turns off the second factor of `user` by both factors, ends their other sessions and answers this one's new id.
 * Throws what proveSelf() throws.
 */
export async function turnOffSecondFactor(
  ctx: EdgeContext,
  door: LoginDoor,
  user: SessionUser,
  proof: { password: string; code: string; address: string },
): Promise<string> {
  await proveSelf(ctx, door, user, proof);
  const { sessionId, statements } = await goOnAlone(ctx, user);
  await ctx.db.batch([
    ...removeFactor(user.id),
    noteAudit(ctx.now(), { kind: "second_factor_off", actor: user.id }, "changes() = 1"),
    ...statements,
  ], "write");
  ctx.wakeOutbox();
  return sessionId;
}

/** Statements after which `userId` has none; changes() behind them says whether there was one. */
export function removeFactor(userId: number): InStatement[] {
  return [
    { sql: "DELETE FROM recovery_codes WHERE user = ?", args: [userId] },
    { sql: "DELETE FROM second_factors WHERE user = ?", args: [userId] },
  ];
}
