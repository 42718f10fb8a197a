/** The statement of a month by e-mail, to the address that its client chose: one message a month, whatever happens. */
import { ledgerWords } from "shared/ledger_words.ts";
import type { Statement } from "shared/statement_api.ts";
import { type EdgeContext, type Mail, OutsideError } from "../context.ts";
import { execute, query, rowsAs } from "../db/query.ts";
import { eq } from "drizzle-orm";
import { statementMails, statementMessages } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { errorFields } from "../error_fields.ts";
import { localHour } from "../time/local_day.ts";
import { addMonths, localMonth, startOfMonth } from "../time/local_month.ts";
import { readStatement } from "./read_statement.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A month's message goes in the first days of the next, from this hour on. */
const WITHIN_MS = 5 * DAY_MS;
const FROM_HOUR = 8;
/** An attempt that lasts longer has died with its edge. */
const DEAD_MS = 2 * 60_000;
/** After an attempt that surely did not arrive: the time until the next. */
const RETRY_AFTER_MS = [10 * 60_000, 6 * 60 * 60_000];
/** Messages of one run; the others wait for the next. */
const MOST_AT_ONCE = 5;
/** Campaigns that a message lists. */
const MOST_LISTED = 50;

const SETTLE_DEAD = `UPDATE statement_messages SET state = 'unknown', reason = 'stopped', next_at = NULL
  WHERE state = 'sending' AND tried_at <= :now - ${DEAD_MS}`;
const DUE = `SELECT m.client, m.email FROM statement_mails m JOIN users u ON u.id = m.client
    LEFT JOIN statement_messages s ON s.client = m.client AND s.month = :month
  WHERE u.disabled = 0 AND m.updated_at < :now
    AND (s.client IS NULL OR (s.state = 'failed' AND s.next_at <= :now)) ORDER BY m.client LIMIT ${MOST_AT_ONCE}`;
// No row = another edge has it.
const CLAIM = `INSERT INTO statement_messages (client, month, state, attempts, tried_at)
  VALUES (:client, :month, 'sending', 1, :now)
  ON CONFLICT (client, month) DO UPDATE SET state = 'sending', attempts = attempts + 1, tried_at = :now,
    reason = NULL, next_at = NULL WHERE state = 'failed' AND next_at <= :now
  RETURNING attempts`;
const RECORD = `UPDATE statement_messages SET state = :state, reason = :reason, next_at = :nextAt
  WHERE client = :client AND month = :month AND state = 'sending' AND tried_at = :now`;

/** Saves where a client's statements go; null = nowhere. */
export async function chooseStatementMail(
  ctx: EdgeContext,
  client: number,
  email: string | null,
): Promise<void> {
  const now = ctx.now();
  if (email === null) {
    await execute(ctx.db, query.delete(statementMails).where(eq(statementMails.client, client)));
    return;
  }
  await execute(
    ctx.db,
    query.insert(statementMails).values({ client, email, updatedAt: now })
      .onConflictDoUpdate({ target: statementMails.client, set: { email, updatedAt: now } }),
  );
}

/** Sends what is due of the month that ended; a tick. Its row says "sending" before anything leaves. */
export async function sendStatements(ctx: EdgeContext): Promise<void> {
  const mail = ctx.outside?.mail;
  if (mail === undefined) return;
  const now = ctx.now();
  await ctx.db.execute(statement(SETTLE_DEAD, { now }));
  const month = addMonths(localMonth(now), -1);
  if (now >= startOfMonth(addMonths(month, 1)) + WITHIN_MS || localHour(now) < FROM_HOUR) return;
  const due = rowsAs(await ctx.db.execute(statement(DUE, { month, now })), {
    client: statementMails.client,
    email: statementMails.email,
  });
  for (const { client, email } of due) {
    const claimed = await ctx.db.execute(statement(CLAIM, { client, month, now }));
    const [row] = rowsAs(claimed, { attempts: statementMessages.attempts });
    if (row === undefined) continue;
    const end = await attempt(ctx, mail, client, month, email);
    const wait = end.state === "failed" ? RETRY_AFTER_MS[row.attempts - 1] : undefined;
    const nextAt = wait === undefined ? null : now + wait;
    await ctx.db.execute(statement(RECORD, { ...end, nextAt, client, month, now }));
    if (end.state === "sent") ctx.log.info("statement_sent", { month });
    else ctx.log.warn("statement_undelivered", { month, reason: end.reason });
    // A silent server would hold up each of the others by its whole time.
    if (end.state !== "sent") return;
  }
}

async function attempt(
  ctx: EdgeContext,
  mail: (mail: Mail) => Promise<void>,
  client: number,
  month: string,
  to: string,
) {
  try {
    const found = await readStatement(ctx, client, month);
    await mail(composeStatement(found, to, ctx.outside?.origin ?? null));
    return { state: "sent", reason: null };
  } catch (error) {
    if (error instanceof OutsideError) {
      return { state: error.mayHaveArrived ? "unknown" : "failed", reason: error.reason };
    }
    ctx.log.error("statement_broke", { month, ...errorFields(error) });
    return { state: "unknown", reason: "broken" };
  }
}

/** Returns the message of a statement. */
export function composeStatement(found: Statement, to: string, origin: string | null): Mail {
  const { month, opening, closing, kinds, campaigns, client } = found;
  const [year, number] = month.split("-");
  const title = `דוח חודשי ${Number(number)}/${year}`;
  const lines: [label: string, value: string][] = [
    ["יתרת פתיחה", figure(opening)],
    ...kinds.map(({ kind, units }): [string, string] => [ledgerWords({ kind, delta: units }), change(units)]),
    ["יתרת סגירה", figure(closing)],
  ];
  const listed = campaigns.slice(0, MOST_LISTED).map((
    { name, net },
  ): [string, string] => [name, figure(net)]);
  const more = campaigns.length - listed.length + (found.moreCampaigns?.campaigns ?? 0);
  if (more > 0) listed.push([`ועוד ${figure(more)} קמפיינים`, ""]);
  const url = origin === null ? null : `${origin}/client/statement?month=${month}`;
  const text = [
    `${title} · ${client.username}`,
    lines.map(([label, value]) => `${label}: ${value}`).join("\n"),
    listed.length === 0 ? "לא נשלחו קמפיינים בחודש הזה." : "קמפיינים, בהודעות:",
    listed.map(([name, value]) => value === "" ? name : `${name}: ${value}`).join("\n"),
    url ?? "",
  ].filter(Boolean).join("\n\n");
  const rows = (cells: [string, string][]) =>
    cells.map(([label, value]) =>
      `<tr><td style="padding:4px 0 4px 24px">${escapeHtml(label)}</td><td dir="ltr" align="right">${
        escapeHtml(value)
      }</td></tr>`
    ).join("");
  const html = `<div dir="rtl" lang="he" style="font-family:sans-serif"><h1 style="font-size:20px">${
    escapeHtml(`${title} · ${client.username}`)
  }</h1><table>${rows(lines)}</table><h2 style="font-size:16px">${
    listed.length === 0 ? "לא נשלחו קמפיינים בחודש הזה." : "קמפיינים, בהודעות"
  }</h2><table>${rows(listed)}</table>${
    url === null ? "" : `<p><a href="${escapeHtml(url)}">לדוח המלא ולהדפסה</a></p>`
  }</div>`;
  return { to, subject: `שיגור: ${title}`, text, html, at: found.at };
}

function figure(units: number): string {
  return units.toLocaleString("en-US");
}

function change(units: number): string {
  return units > 0 ? `+${figure(units)}` : figure(units);
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
