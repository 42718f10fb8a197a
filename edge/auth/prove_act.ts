import type { Proof } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import type { LoginDoor } from "./login.ts";
import { proveSelf } from "./prove_self.ts";
import { requireSession } from "./sessions.ts";

/** The proof sent with the call, and the caller's address. */
export interface ActProof {
  proof: Proof | undefined;
  address: string;
}

/**
 * Checks an administrator's password again, and a code when they have a second factor. Call it before an act that
 * outlives the session or shows phone numbers: a stolen session can then do neither.
 *
 * @throws HttpError proof_needed without a proof; second_factor_needed without its code; not_logged_in when the
 * session ended during the comparison; what proveSelf() throws
 */
export async function proveAct(
  ctx: EdgeContext,
  door: LoginDoor,
  user: Caller,
  { proof, address }: ActProof,
): Promise<void> {
  if (proof === undefined) throw new HttpError("proof_needed");
  await proveSelf(ctx, door, user, { ...proof, address, needsEveryFactor: true });
  await requireSession(ctx, user);
}
