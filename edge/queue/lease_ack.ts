import type { ResultSet } from "@libsql/client/web";
import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import { MAX_VALID_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { closesAt, HOURS_ALLOW, HOURS_BIND, hoursArgs } from "../time/sending_hours.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { heardAndMark, raiseMarkAfter, sealMark } from "./database_mark.ts";
import { isReached } from "./family.ts";
import { FENCE, type SiteConnection, SupersededError } from "./fence.ts";
import { localDay, msToLocalMidnight } from "../time/local_day.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { HAS_STARTED } from "./take_back.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import { deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { toWirePhone } from "../numbers/wire_phone.ts";

export type GoFrame = EdgeFrameOf<"go">;

export interface LeaseAck extends SiteConnection {
  token: string;
  journalCounter: number;
}

// No row = the offer expired, was taken back, or was confirmed before; `go` then lists its other rows. An offer of an
// earlier day used that day's cap, so let it expire, like an offer after its sending hours, or one that an edge whose
// clock is ahead made before the campaign starts, or one whose person the same message has reached meanwhile. In an older
// database the offered row may have been sent in the lost time.
const CONFIRM = `UPDATE deliveries SET acked_at = :now, lease_until = NULL, updated_at = :now
  WHERE site = :site AND token = :token AND state = 'leased' AND acked_at IS NULL AND leased_day = :day AND ${FENCE}
    AND EXISTS (SELECT 1 FROM campaigns c WHERE c.id = deliveries.campaign AND c.status IN ('processing', 'active')
      AND ${HAS_STARTED} AND ${HOURS_ALLOW}
      AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.phone = deliveries.phone AND s.client IN (0, c.client)))
    AND NOT ${isReached("deliveries.campaign", "deliveries")}
    AND NOT ${IS_OLDER_DATABASE}`;
const START_CAMPAIGN = `UPDATE campaigns SET status = 'active', first_acked_at = :now, updated_at = :now
  WHERE id = (SELECT campaign FROM deliveries
      WHERE site = :site AND token = :token AND state = 'leased' AND acked_at IS NOT NULL LIMIT 1)
    AND first_acked_at IS NULL AND status IN ('processing', 'active') AND ${FENCE}`;
const CONFIRMED = `SELECT phone, leased_day FROM deliveries
  WHERE site = :site AND token = :token AND state = 'leased' AND acked_at IS NOT NULL ORDER BY id`;
// No row = no sending hours apply to the campaign.
const HOURS = `SELECT ${settingSql("sendingOpensAt")} AS opens, ${settingSql("sendingClosesAt")} AS closes,
    ${settingSql("fridayClosesAt")} AS friday
  FROM campaigns c WHERE ${HOURS_BIND}
    AND c.id = (SELECT campaign FROM deliveries WHERE site = :site AND token = :token AND state = 'leased' LIMIT 1)`;

/**
 * Records that a site has a lease in its journal, and returns exactly the phones that it may now tap. A repeated call
 * returns the present list. From here on only that site's reports move the rows.
 *
 * @throws SupersededError
 */
export async function acknowledgeLease(ctx: EdgeContext, ack: LeaseAck): Promise<GoFrame> {
  const now = ctx.now();
  const today = localDay(now);
  const args = { site: ack.site, epoch: ack.epoch, token: ack.token, now, day: today, ...hoursArgs(now) };
  const { started, held, bound, given } = await writeBatch(ctx.db, {
    confirmed: statement(CONFIRM, args),
    markRaised: raiseMarkAfter("confirmed"),
    started: statement(START_CAMPAIGN, args),
    held: statement(CONFIRMED, args),
    bound: statement(HOURS, args),
    given: heardAndMark({ site: ack.site, epoch: ack.epoch }, now, ack.journalCounter),
  });
  if (given.rows.length === 0) throw new SupersededError(ack);
  if (started.rowsAffected > 0) ctx.wakeOutbox();
  const validMs = Math.min(MAX_VALID_MS, msToLocalMidnight(now));
  const hoursMs = msToClosing(bound, now);
  return {
    type: "go",
    token: ack.token,
    serverTime: now,
    items: rowsAs(held, { phone: deliveries.phone, day: deliveries.leasedDay }).map(({ phone, day }) => ({
      phone: toWirePhone(phone),
      validMs: day === today ? Math.min(validMs, hoursMs) : 0,
    })),
    ...sealMark(ctx, given),
  };
}

/** Returns the time to the end of the campaign's sending hours. */
function msToClosing(found: ResultSet, now: number): number {
  const [bound] = rowsAs(found, { opens: wholeNumber, closes: wholeNumber, friday: wholeNumber });
  if (bound === undefined) return Infinity;
  const { opens: sendingOpensAt, closes: sendingClosesAt, friday: fridayClosesAt } = bound;
  return closesAt(now, { sendingOpensAt, sendingClosesAt, fridayClosesAt }) - now;
}
