/** The final state of a row, as SQL for the SET of an UPDATE of `deliveries` (which must have no alias). */
import { MOVED_BY } from "shared/delivery.ts";

/** SQL expressions that read the row's old values. */
export interface Settlement {
  state: string;
  by: string | number;
  reason: string;
}

/**
 * Returns SQL that settles a row on `to`, unless a person resent it. With an earlier attempt known as sent, the row
 * becomes `sent`. While an earlier attempt is unresolved, failed, cancelled or skipped becomes `unknown`: somebody may
 * have the message. From then on it waits for no sender.
 */
export function settle(to: Settlement): string {
  const choose = (sent: string | number, inDoubt: string | number, otherwise: string | number) =>
    `CASE WHEN ${earlierAttempt(2)} THEN ${sent}
      WHEN (${to.state}) IN ('failed', 'cancelled', 'skipped') AND ${earlierAttempt(0)} THEN ${inDoubt}
      ELSE ${otherwise} END`;
  return `state = ${choose("'sent'", "'unknown'", to.state)},
    by = ${choose(MOVED_BY.site, MOVED_BY.earlierDoubt, to.by)},
    reason = ${choose("NULL", "'earlier_attempt_open'", to.reason)}, awaits = NULL`;
}

/**
 * Returns the state of a row that was never tapped. It goes back to the queue while its campaign is live (paused
 * counts); otherwise it ends with the campaign. `queuedReason` (SQL) is kept on a row that is queued again.
 */
export function notTapped(by: string | number, queuedReason: string): Settlement {
  const byCampaign = (cancelled: string, ended: string, live: string) =>
    `(SELECT CASE WHEN c.status = 'cancelled' THEN ${cancelled}
      WHEN c.status IN ('completed', 'completed_with_errors', 'failed') THEN ${ended}
      ELSE ${live} END FROM campaigns c WHERE c.id = deliveries.campaign)`;
  return {
    state: byCampaign("'cancelled'", "'failed'", "'queued'"),
    by,
    reason: byCampaign(CANCEL_REASON, "'site_away_at_end'", queuedReason),
  };
}

/** Why a row of the cancelled campaign `c` is cancelled; `paused_by` records who stopped it. */
export const CANCEL_REASON = `CASE c.paused_by WHEN 'admin' THEN 'cancelled_by_admin'
  WHEN 'queues' THEN 'queues_cleared' ELSE 'cancelled_by_client' END`;

function earlierAttempt(known: 0 | 2): string {
  return `(deliveries.resent > 0 AND EXISTS (SELECT 1 FROM resends r
    WHERE r.campaign = deliveries.campaign AND r.phone = deliveries.phone AND r.known = ${known}))`;
}
