import { type EdgeFrame } from "shared/agent_protocol.ts";
import { MAX_VALID_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { FENCE, heard, type SiteConnection, SupersededError } from "./fence.ts";
import { localDay, msToLocalMidnight } from "./local_day.ts";
import { statement } from "./statement.ts";
import { toWirePhone } from "./wire_phone.ts";

export type GoFrame = Extract<EdgeFrame, { type: "go" }>;

export interface LeaseAck extends SiteConnection {
  token: string;
  journalCounter: number;
}

// No row = the offer ran out, was taken back, or was confirmed before; go then lists what is left of it.
// Of an earlier day only the cap was taken, and that is gone: such an offer is left to run out.
// +site: the index of tokens finds the rows of this lease, that of sites would find all the site holds.
const CONFIRM = `UPDATE deliveries SET acked_at = :now, lease_until = NULL, updated_at = :now
  WHERE token = :token AND +site = :site AND state = 'leased' AND acked_at IS NULL AND leased_day = :day AND ${FENCE}
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = deliveries.campaign AND c.status IN ('processing', 'active')
      AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.phone = deliveries.phone AND s.client IN (0, c.client)))`;
const START_CAMPAIGN = `UPDATE campaigns SET status = 'active', first_acked_at = :now, updated_at = :now
  WHERE id = (SELECT campaign FROM deliveries
      WHERE token = :token AND +site = :site AND state = 'leased' AND acked_at IS NOT NULL LIMIT 1)
    AND first_acked_at IS NULL AND status IN ('processing', 'active') AND ${FENCE}`;
const CONFIRMED = `SELECT phone, leased_day FROM deliveries
  WHERE token = :token AND +site = :site AND state = 'leased' AND acked_at IS NOT NULL ORDER BY id`;

/**
 * Records that a site has a lease in its journal, and answers with exactly the phones it may now tap; repeated, it
 * answers again with the present list. From here on the rows move on that site's word.
 *
 * @throws SupersededError
 */
export async function acknowledgeLease(ctx: EdgeContext, ack: LeaseAck): Promise<GoFrame> {
  const now = ctx.now();
  const today = localDay(now);
  const args = { site: ack.site, epoch: ack.epoch, token: ack.token, now, day: today };
  const [spoke, , started, confirmed] = await ctx.db.batch([
    heard(ack, now, ack.journalCounter),
    ...[CONFIRM, START_CAMPAIGN, CONFIRMED].map((sql) => statement(sql, args)),
  ], "write");
  if (spoke.rowsAffected === 0) throw new SupersededError(ack);
  if (started.rowsAffected > 0) ctx.wakeOutbox();
  const validMs = Math.min(MAX_VALID_MS, msToLocalMidnight(now));
  return {
    type: "go",
    token: ack.token,
    items: confirmed.rows.map((row) => ({
      phone: toWirePhone(row.phone),
      validMs: Number(row.leased_day) === today ? validMs : 0,
    })),
  };
}
