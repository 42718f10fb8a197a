import { noteAudit } from "../audit_log/note_audit.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveSelf } from "../auth/prove_self.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { newRecoveryCodes } from "../auth/recovery_codes.ts";

/** Replaces the recovery codes of `user` and returns the new ones this one time. @throws what proveSelf() throws */
export async function renewRecoveryCodes(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  proof: { password: string; code: string; address: string },
): Promise<string[]> {
  await proveSelf(ctx, door, user, proof);
  const { codes, statements } = newRecoveryCodes(ctx, user.person);
  const note = noteAudit(ctx.now(), { kind: "recovery_codes_made", actor: user.person });
  await ctx.db.batch([...statements, note], "write");
  ctx.wakeOutbox();
  return codes;
}
