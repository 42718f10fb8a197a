import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { accounts, breakerTrips } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { tripSentence } from "../text/trip_words.ts";

// No row = it does not rest, or rests for another reason than the named one.
const RELEASE = "UPDATE accounts SET trip = NULL, updated_at = :now WHERE id = :account AND trip = :trip";
const CLOSE = `UPDATE breaker_trips SET released_at = :now, released_by = :user
  WHERE id = :trip AND account = :account AND ${STEP_BEFORE_CHANGED}`;
const LOOK = `SELECT a.site, a.device, t.signal, t.count, t.sample
  FROM accounts a LEFT JOIN breaker_trips t ON t.id = a.trip WHERE a.id = :account`;

/**
 * Lets an account that a breaker rested work again; `trip` names the reason, as proof that the user has seen it.
 *
 * @throws {HttpError} `not_found`, `reason_not_confirmed`
 */
export async function releaseAccount(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  account: number,
  trip: number,
): Promise<void> {
  const args = { now: ctx.now(), account, trip, user: user.person };
  const [row] = rowsAs(await ctx.db.execute(statement(LOOK, args)), {
    site: accounts.site,
    device: accounts.device,
    signal: orNull(breakerTrips.signal),
    count: orNull(breakerTrips.count),
    sample: orNull(breakerTrips.sample),
  });
  if (row === undefined) throw new HttpError("not_found");
  const { site, device, signal, count, sample } = row;
  const note = { kind: "account_released", actor: user.person, site, device, data: { trip } } as const;
  const { released } = await writeBatch(ctx.db, {
    released: statement(RELEASE, args),
    closed: rightAfter("released", statement(CLOSE, args)),
    audited: rightAfter("closed", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    sitesEvent: rightAfter("audited", statement(WORK_WAITING_IF_CHANGED, args)),
  });
  if (released.rowsAffected === 1) return ctx.wakeOutbox();
  const text = signal === null
    ? "החשבון כבר פעיל."
    : tripSentence({ signal, count: count!, sample: sample! });
  throw new HttpError("reason_not_confirmed", { text });
}
