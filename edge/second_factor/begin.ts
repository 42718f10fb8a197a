import type { BegunSecondFactor } from "shared/http_api.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveSelf } from "../auth/prove_self.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { sealSecret } from "../auth/sealed_secret.ts";
import { SECRET_BYTES, showSecret } from "../auth/totp.ts";

/**
 * Makes a secret for the application of `user` and returns it this one time. Logins require codes only after a first
 * code has confirmed it. Beginning again makes another secret.
 *
 * @throws what proveSelf() throws; HttpError second_factor_state when the factor is on
 */
export async function beginSecondFactor(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  proof: { password: string; address: string },
): Promise<BegunSecondFactor> {
  await proveSelf(ctx, door, user, proof);
  const secret = ctx.randomBytes(SECRET_BYTES);
  const { rowsAffected } = await ctx.db.execute({
    sql: `INSERT INTO second_factors (user, secret) VALUES (?, ?)
      ON CONFLICT (user) DO UPDATE SET secret = excluded.secret WHERE confirmed_at IS NULL`,
    args: [user.person, await sealSecret(ctx, door.factorKeys, user.person, secret)],
  });
  if (rowsAffected === 0) throw new HttpError("second_factor_state");
  return showSecret(secret, user.username);
}
