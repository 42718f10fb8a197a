import type { InValue } from "@libsql/client/web";
import { MOVED_BY } from "shared/delivery.ts";
import { settle } from "./settle.ts";
import { PROGRESS_IF_CHANGED } from "../events/progress_event.ts";
import { HELD_OF_CAMPAIGN, recallWhere } from "./recall.ts";
import { statement } from "../db/statement.ts";

// Repeats the caller's permission: another user's pause of a paused campaign is refused and must not recall again.
const IS_PAUSED = `EXISTS (SELECT 1 FROM campaigns c
  WHERE c.id = :campaign AND c.status = 'paused' AND (c.client = :client OR :isAdmin))`;
const OFFERED_BACK = `UPDATE deliveries SET
    ${settle({ state: "'queued'", by: MOVED_BY.edge, reason: "'campaign_paused'" })}, updated_at = :now
  WHERE ${HELD_OF_CAMPAIGN} AND acked_at IS NULL AND ${IS_PAUSED}`;
const RECALL = recallWhere(`${HELD_OF_CAMPAIGN} AND ${IS_PAUSED}`);

/**
 * Returns the steps after a campaign is paused, by a person or a rule. Needs `campaign`, `now`, `user` and `isAdmin`.
 */
export function afterPause(args: Record<string, InValue>) {
  return {
    offeredBack: statement(OFFERED_BACK, args),
    recalled: statement(RECALL, args),
    progressEvent: statement(PROGRESS_IF_CHANGED, args),
  };
}
