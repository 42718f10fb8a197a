/** The breaker of an account: bad outcomes of its last day rest it, until an administrator has seen the reason. */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { alertEvents } from "../events/alert.ts";
import { execute, plainText, query, rowsAs, wholeNumber } from "../db/query.ts";
import { accounts, breakerTrips } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { statement } from "../db/statement.ts";
import { trippedBy } from "./breaker.ts";
import { readLimits } from "./campaign_window.ts";
import { takeBack, takeBackWhere } from "./take_back.ts";
import { type Trip, tripSentence } from "../text/trip_words.ts";

const HOUR_MS = 60 * 60_000;

// The last 24 clock hours. After a release, only hours that began later count. After a restore, none count until every
// site has reported the outcomes that seem lost.
const LATELY = `SELECT a.id, a.site, d.id AS device, coalesce(nullif(d.model, ''), d.key) AS name,
    sum(h.sent + h.failed + h.unknown) AS outcomes, sum(h.failed) AS failed, sum(h.unknown) AS unknown
  FROM account_hours h JOIN accounts a ON a.id = h.account JOIN devices d ON d.id = a.device
  WHERE NOT ${OUTCOMES_OWED} AND h.hour > :hour - 24 AND a.trip IS NULL AND h.hour * ${HOUR_MS} > coalesce(
    (SELECT max(released_at) FROM breaker_trips t WHERE t.account = a.id), 0)
  GROUP BY a.id`;
const IS_AT_WORK = "SELECT 1 FROM accounts WHERE id = :account AND trip IS NULL";
const REST = "UPDATE accounts SET trip = :trip, updated_at = :now WHERE id = :account";
const TAKE_BACK = takeBackWhere("site = :site AND account = :account");
const ADMINS_EVENT = `INSERT INTO events (at, type, for_admins, data)
  VALUES (:now, 'device_changed', 1, json_object('siteId', :site))`;

/** Rests accounts with too many failed or unknown deliveries; other accounts get their work. */
export async function restAccounts(ctx: EdgeContext): Promise<void> {
  const limits = await readLimits(ctx);
  const hour = Math.floor(ctx.now() / HOUR_MS);
  const { id, site, device } = accounts;
  const figures = { outcomes: wholeNumber, failed: wholeNumber, unknown: wholeNumber };
  const result = await ctx.db.execute(statement(LATELY, { hour }));
  for (const account of rowsAs(result, { id, site, device, name: plainText, ...figures })) {
    const why = trippedBy({ ...account, optedOut: 0 }, limits);
    if (why !== null) await rest(ctx, account, why);
  }
}

async function rest(
  ctx: EdgeContext,
  { id: account, site, device, name }: { id: number; site: number; device: number; name: string },
  why: Trip,
): Promise<void> {
  const args = { now: ctx.now(), account, site, ...why };
  const message = `חשבון במכשיר ${name} הופסק אוטומטית. ${tripSentence(why)}`;
  const isRested = await inTransaction(ctx.db, async (tx) => {
    if ((await tx.execute(statement(IS_AT_WORK, args))).rows.length === 0) return false;
    const note = query.insert(breakerTrips).values({ at: args.now, account, ...why });
    const { rows: [noted] } = await execute(tx, note.returning({ id: breakerTrips.id }));
    const trip = noted!.id;
    const takenBack = await takeBack(tx, TAKE_BACK, args);
    await tx.batch([
      ...[REST, ADMINS_EVENT].map((sql) => statement(sql, { ...args, trip })),
      ...takenBack,
      ...alertEvents({ code: "breaker_account", message, site }, args.now),
      noteAudit(args.now, { kind: "account_rested", actor: null, site, device, data: { trip, ...why } }),
    ]);
    return true;
  });
  if (isRested) ctx.wakeOutbox();
}
