import { and, eq } from "drizzle-orm";
import { noteAudit } from "../audit_log/note_audit.ts";
import { firstPasswordUntil } from "../auth/first_password.ts";
import type { Passwords } from "../auth/password.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { users } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { removeFactor } from "../second_factor/turn_off.ts";
import { usernameKey } from "../auth/username_key.ts";

/**
 * Gives the administrator `username` a first password, enables them, removes their second factor and ends their
 * sessions. This is the way back in when nobody can log in. Returns false when there is no administrator of that name.
 */
export async function setAdminPassword(
  ctx: Pick<EdgeContext, "db" | "now" | "wakeOutbox">,
  passwords: Passwords,
  username: string,
  password: string,
): Promise<boolean> {
  const { rows: [admin] } = await execute(
    ctx.db,
    query.select({ id: users.id }).from(users)
      .where(and(eq(users.usernameKey, usernameKey(username)), eq(users.role, "admin"))),
  );
  if (!admin) return false;
  const hash = await passwords.hash(password);
  await writeBatch(ctx.db, {
    changed: query.update(users)
      .set({ passwordHash: hash, firstPasswordUntil: firstPasswordUntil(ctx), disabled: false })
      .where(eq(users.id, admin.id)),
    sessionsEnded: endSessionsOf(ctx, admin.id),
    factorRemoved: removeFactor(admin.id),
    removalAudited: rightAfter(
      "factorRemoved",
      noteAudit(
        ctx.now(),
        { kind: "second_factor_removed", actor: null, user: admin.id },
        STEP_BEFORE_CHANGED,
      ),
    ),
    changeAudited: noteAudit(ctx.now(), { kind: "password_reset", actor: null, user: admin.id }),
  });
  ctx.wakeOutbox();
  return true;
}
