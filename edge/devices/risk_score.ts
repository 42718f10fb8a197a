/** How near an account is to being lost, 0–100; 70 and 30 divide high, medium and low. */
import type { AccountState } from "shared/agent_protocol.ts";

/** The worst first: what the app itself says outweighs anything that could be counted. */
const SCORE: Record<AccountState, number> = {
  banned: 100,
  restricted: 85,
  // Often the first sign of a ban, as often a person at the phone.
  logged_out: 50,
  app_missing: 30,
  unreachable: 10,
  ok: 0,
};

/** The score of an account by the state its site last told. */
export function riskScore(state: AccountState): number {
  return SCORE[state];
}
