import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import type { LoginDoor } from "./login.ts";
import { proveSelf } from "./prove_self.ts";
import { goOnAlone } from "./sessions.ts";

/**
 * Ends all sessions of `user` except this one, by their password, and returns the new id of this one.
 *
 * @throws what proveSelf() throws
 */
export async function endOtherSessions(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  proof: { password: string; address: string },
): Promise<string> {
  await proveSelf(ctx, door, user, proof);
  const { sessionId, statements } = await goOnAlone(ctx, user);
  const hasOthers = "EXISTS (SELECT 1 FROM sessions WHERE user = ? AND id_hash <> ?)";
  await ctx.db.batch([
    noteAudit(ctx.now(), { kind: "sessions_ended", actor: user.person }, hasOthers, [
      user.person,
      user.sessionHash,
    ]),
    ...statements,
  ], "write");
  ctx.wakeOutbox();
  return sessionId;
}
