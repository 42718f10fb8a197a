/** The statement of one client's month, from the entries of the ledger. */
import { LEDGER_KINDS, type LedgerKind } from "shared/quota.ts";
import { MOST_STATEMENT_LINES, type Statement } from "shared/statement_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { campaigns, quotaLedger, statementMails, statementMessages, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import { addMonths, localMonth, startOfMonth } from "../time/local_month.ts";
import { turnForRead } from "../time/turn_loop.ts";

/** Entries of one read: some 10 ms on a local file. */
const SLICE = 5_000;
/** Months of the list: five years. */
const MOST_MONTHS = 60;
/** The clocks of edges differ by less: an entry beside midnight belongs to the month in whose order it was written. */
const CLOCKS_APART_MS = 60 * 60_000;

// By id, because each entry holds the balance after it: then the entries of a month are always the difference between
// its two balances.
const LAST_BEFORE = (time: string) =>
  `(SELECT max(id) FROM quota_ledger WHERE client = :client AND at < ${time} AND at >= (
    SELECT max(at) FROM quota_ledger WHERE client = :client AND at < ${time}) - ${CLOCKS_APART_MS})`;
const BOUNDS = `SELECT coalesce(${LAST_BEFORE(":from")}, 0) AS "after",
    coalesce(${LAST_BEFORE(":until")}, 0) AS last,
    (SELECT min(at) FROM quota_ledger WHERE client = :client) AS first`;
const BALANCE = (id: string) => `coalesce((SELECT balance_after FROM quota_ledger WHERE id = ${id}), 0)`;
const SLICE_OF = `SELECT * FROM quota_ledger WHERE client = :client AND id > :after AND id <= :last
  ORDER BY id LIMIT ${SLICE}`;
const SUMS =
  `SELECT kind, campaign, count(*) AS entries, sum(delta) AS units, min(id) AS first, max(id) AS newest
  FROM (${SLICE_OF}) GROUP BY kind, campaign`;
const LOADS =
  `SELECT at, kind, delta, reason FROM (${SLICE_OF}) WHERE kind IN ('grant', 'correction') ORDER BY id`;
const NAMES = `SELECT id, name, send_at FROM campaigns WHERE id IN (SELECT value FROM json_each(:ids))`;
const CLIENT = "SELECT id, username FROM users WHERE id = :client";
const MAIL = "SELECT email FROM statement_mails WHERE client = :client";
const MESSAGE = "SELECT state, tried_at FROM statement_messages WHERE client = :client AND month = :month";

interface CampaignSum {
  id: number;
  first: number;
  reserved: number;
  returned: number;
  charged: number;
  net: number;
}

/**
 * Returns the statement of a month; the entries are read in slices.
 *
 * @throws {HttpError} `not_found` without such a user; `invalid_input` after the caller `left`
 */
export async function readStatement(
  ctx: EdgeContext,
  client: number,
  month: string = localMonth(ctx.now()),
  left?: AbortSignal,
): Promise<Statement> {
  const now = ctx.now();
  const [from, until] = [startOfMonth(month), startOfMonth(addMonths(month, 1))];
  const { bounds, clients, mails, messages } = await readBatch(ctx.db, {
    bounds: statement(BOUNDS, { client, from, until }),
    clients: statement(CLIENT, { client }),
    mails: statement(MAIL, { client }),
    messages: statement(MESSAGE, { client, month }),
  });
  const [user] = rowsAs(clients, { id: users.id, username: users.username });
  if (user === undefined) throw new HttpError("not_found");
  const [bound] = rowsAs(bounds, { after: wholeNumber, last: wholeNumber, first: orNull(wholeNumber) });
  const { after, last, first } = bound!;
  const balances = await ctx.db.execute(
    statement(`SELECT ${BALANCE(":after")} AS opening, ${BALANCE(":last")} AS closing`, { after, last }),
  );
  const [balance] = rowsAs(balances, { opening: wholeNumber, closing: wholeNumber });
  const found = await sumEntries(ctx, { client, after, last }, left);
  const lines = [...found.campaigns.values()].sort((a, b) => a.first - b.first);
  const listed = lines.slice(0, MOST_STATEMENT_LINES);
  const named = await ctx.db.execute(statement(NAMES, { ids: JSON.stringify(listed.map(({ id }) => id)) }));
  const names = new Map(
    rowsAs(named, { id: campaigns.id, name: campaigns.name, sendAt: campaigns.sendAt }).map((row) =>
      [row.id, row] as const
    ),
  );
  const [mail] = rowsAs(mails, { email: statementMails.email });
  const [message] = rowsAs(messages, { state: statementMessages.state, at: statementMessages.triedAt });
  const rest = lines.slice(MOST_STATEMENT_LINES);
  return {
    month,
    from,
    until,
    isOver: now >= until,
    at: now,
    client: user,
    ...balance!,
    kinds: LEDGER_KINDS.flatMap((kind) => {
      const sum = found.kinds.get(kind);
      return sum === undefined ? [] : [{ kind, ...sum }];
    }),
    campaigns: listed.map(({ id, first: _, ...units }) => ({
      id,
      name: names.get(id)?.name ?? "",
      startedAt: names.get(id)?.sendAt ?? null,
      ...units,
    })),
    moreCampaigns: rest.length === 0 ? null : { campaigns: rest.length, ...sumOf(rest) },
    loads: found.loads,
    moreLoads: found.moreLoads.entries === 0 ? null : found.moreLoads,
    months: monthsSince(first ?? now, now),
    mail: {
      isPossible: ctx.outside?.mail !== undefined,
      email: mail?.email ?? null,
      message: message === undefined ? null : { state: message.state, at: message.at },
    },
  };
}

async function sumEntries(
  ctx: EdgeContext,
  { client, after: from, last }: { client: number; after: number; last: number },
  left?: AbortSignal,
) {
  const kinds = new Map<LedgerKind, { entries: number; units: number }>();
  const byCampaign = new Map<number, CampaignSum>();
  const loads: Statement["loads"] = [];
  const moreLoads = { entries: 0, units: 0 };
  for (let after = from; after < last;) {
    await turnForRead();
    endIfCallerLeft(left);
    const args = { client, after, last };
    const { sums, listed } = await readBatch(ctx.db, {
      sums: statement(SUMS, args),
      listed: statement(LOADS, args),
    });
    const groups = rowsAs(sums, {
      kind: quotaLedger.kind,
      campaign: quotaLedger.campaign,
      entries: wholeNumber,
      units: wholeNumber,
      first: wholeNumber,
      newest: wholeNumber,
    });
    for (const { kind, campaign, entries, units, first, newest } of groups) {
      const sum = kinds.get(kind) ?? { entries: 0, units: 0 };
      kinds.set(kind, { entries: sum.entries + entries, units: sum.units + units });
      if (campaign !== null) addTo(byCampaign, campaign, { kind, units, first });
      after = Math.max(after, newest);
    }
    for (
      const { at, kind, delta: units, reason } of rowsAs(listed, {
        at: quotaLedger.at,
        kind: quotaLedger.kind,
        delta: quotaLedger.delta,
        reason: quotaLedger.reason,
      })
    ) {
      if (loads.length < MOST_STATEMENT_LINES) loads.push({ at, kind, units, reason });
      else {
        moreLoads.entries++;
        moreLoads.units += units;
      }
    }
    if (groups.length === 0) break;
  }
  return { kinds, campaigns: byCampaign, loads, moreLoads };
}

function addTo(
  sums: Map<number, CampaignSum>,
  id: number,
  { kind, units, first }: { kind: LedgerKind; units: number; first: number },
): void {
  const sum = sums.get(id) ?? { id, first, reserved: 0, returned: 0, charged: 0, net: 0 };
  sum.first = Math.min(sum.first, first);
  if (kind === "reserve" || kind === "release") sum.reserved -= units;
  else if (kind === "refund" || kind === "cover") sum.returned += units;
  else sum.charged -= units;
  sum.net -= units;
  sums.set(id, sum);
}

function sumOf(lines: readonly CampaignSum[]) {
  const sum = { reserved: 0, returned: 0, charged: 0, net: 0 };
  for (const line of lines) {
    for (const key of ["reserved", "returned", "charged", "net"] as const) sum[key] += line[key];
  }
  return sum;
}

function monthsSince(first: number, now: number): string[] {
  const months: string[] = [];
  const oldest = localMonth(first);
  for (
    let month = localMonth(now);
    month >= oldest && months.length < MOST_MONTHS;
    month = addMonths(month, -1)
  ) {
    months.push(month);
  }
  return months;
}
