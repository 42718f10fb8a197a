import type { Proof } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import type { LoginDoor } from "./login.ts";
import { proveSelf } from "./prove_self.ts";
import { requireSession } from "./sessions.ts";

/** What came with the call, and from where. */
export interface ActProof {
  proof: Proof | undefined;
  address: string;
}

/**
 * Asks an administrator for the password again, and for a code where they have a second factor, before an act that
 * outlives their session or shows numbers: a stolen session does none of these.
 *
 * @throws HttpError proof_needed without a proof, second_factor_needed without its code, not_logged_in when the session
 * ended while the password was compared, and what proveSelf() throws
 */
export async function proveAct(
  ctx: EdgeContext,
  door: LoginDoor,
  user: SessionUser,
  { proof, address }: ActProof,
): Promise<void> {
  if (proof === undefined) throw new HttpError("proof_needed");
  await proveSelf(ctx, door, user, { ...proof, address, needsEveryFactor: true });
  await requireSession(ctx, user);
}
