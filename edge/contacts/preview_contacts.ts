/** Says what an import would do, row by row, before quota or consent is touched. */
import { type ImportPreview, ROW_REASONS, type RowReason, SHOWN_ROWS } from "shared/staged_api.ts";
import type { EdgeContext } from "../context.ts";
import { condition, jsonOf as jsonText, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CONSENTED } from "../lawful/consent.ts";
import { nobody, readBlocked } from "../privacy/blocked.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { CONTACT_ROOM } from "./contact_room.ts";
import { jsonOf } from "./numbers_json.ts";
import type { MappedList } from "./read_mapped.ts";

/** Numbers per read: some 20 ms on a local file. */
const CHUNK = 5_000;
const DAY_MS = 24 * 60 * 60_000;

// What there is to look for: without it a million numbers are looked up in vain.
const LOOK = `SELECT kind, test_of IS NULL AS "isReal", ${CONTACT_ROOM} AS room,
    queued_count + leased_count + sent_count + failed_count + unknown_count + skipped_count + cancelled_count > 0
      AS "hasContacts",
    EXISTS (SELECT 1 FROM suppressions WHERE client IN (0, :client)) AS "hasSuppressions",
    EXISTS (SELECT 1 FROM recipients WHERE client = :client) AS "hasRecipients"
  FROM campaigns WHERE id = :campaign`;
const REMOVED = "EXISTS (SELECT 1 FROM suppressions WHERE phone = value AND +client IN (0, :client))";
const HERE = "EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = value)";
/** As the claim decides (queue/lease.ts): another campaign's marketing reached the number within the cap. */
const REACHED = `EXISTS (SELECT 1 FROM recipients r WHERE r.client = :client AND r.phone = value
  AND r.campaign <> :campaign AND r.last_marketing_at > :now - ${DAY_MS} * ${
  settingSql("frequencyCapDays")
})`;

export interface PreviewedRow {
  row: number;
  reason: RowReason;
  text: string;
}

export interface PreviewOptions {
  /** Whether consent will be declared for the numbers. */
  declares: boolean;
  yieldToEventLoop: YieldToEventLoop;
  /** Called with each row that is left out: first those without a number, then repeated ones, then the others. */
  onLeftOut?: (row: PreviewedRow) => void;
}

/** Returns how many rows of a list would get the message, and for each reason how many would not. */
export async function previewContacts(
  ctx: EdgeContext,
  { id: campaign, client }: Pick<CampaignRow, "id" | "client">,
  list: MappedList,
  { declares, yieldToEventLoop, onLeftOut = () => {} }: PreviewOptions,
): Promise<ImportPreview> {
  const counts = new Map<RowReason, { count: number; rows: { row: number; text: string }[] }>();
  const leaveOut = (reason: RowReason, row: number, text: string) => {
    let of = counts.get(reason);
    if (of === undefined) counts.set(reason, of = { count: 0, rows: [] });
    of.count++;
    if (of.rows.length < SHOWN_ROWS) of.rows.push({ row, text });
    onLeftOut({ row, reason, text });
  };
  for (const { row, text } of list.rejected) leaveOut("not_a_number", row, text);
  for (const { row, text } of list.repeated) leaveOut("repeated", row, text);
  // Rows beyond those that were kept are counted alone.
  addCount(counts, "not_a_number", list.invalid - list.rejected.length);
  addCount(counts, "repeated", list.duplicates - list.repeated.length);
  const args = { campaign, client, now: ctx.now() };
  const look = rowsAs(await ctx.db.execute(statement(LOOK, args)), {
    kind: campaigns.kind,
    isReal: condition,
    room: wholeNumber,
    hasContacts: condition,
    hasSuppressions: condition,
    hasRecipients: condition,
  })[0]!;
  const advertises = look.kind === "marketing";
  const cases = [
    look.hasSuppressions ? ["removed", REMOVED] : null,
    advertises && !declares ? ["no_consent", `NOT ${CONSENTED}`] : null,
    look.hasContacts ? ["already_here", HERE] : null,
    advertises && look.isReal && look.hasRecipients ? ["reached", REACHED] : null,
  ].filter((found) => found !== null) as [RowReason, string][];
  // One array of places for each reason: a row of an answer costs more than the look-up.
  const find = cases.length === 0 ? null : `SELECT reason, json_group_array(key) AS places
    FROM (SELECT key, CASE ${
    cases.map(([reason, sql]) => `WHEN ${sql} THEN '${reason}'`).join(" ")
  } END AS reason FROM json_each(:phones)) WHERE reason IS NOT NULL GROUP BY reason`;
  const isBlocked = await readBlocked(ctx);
  const { phones, rowNumbers } = list;
  let left = 0;
  for (let from = 0; from < phones.length && (find !== null || isBlocked !== nobody); from += CHUNK) {
    const chunk = phones.subarray(from, from + CHUNK);
    const reasons = new Array<RowReason | undefined>(chunk.length);
    if (find !== null) {
      const found = await ctx.db.execute(statement(find, { ...args, phones: jsonOf(chunk) }));
      for (
        const { reason, places } of rowsAs(found, {
          reason: wordOf<RowReason>(),
          places: jsonText<number[]>(),
        })
      ) {
        for (const at of places!) reasons[at] = reason;
      }
    }
    if (isBlocked !== nobody) {
      chunk.forEach((phone, at) => {
        if (isBlocked(phone)) reasons[at] = "removed";
      });
    }
    for (let at = 0; at < chunk.length; at++) {
      const reason = reasons[at];
      if (reason === undefined) continue;
      leaveOut(reason, rowNumbers[from + at]!, `+${chunk[at]}`);
      left++;
    }
    await yieldToEventLoop();
  }
  return {
    rows: list.rows,
    taken: phones.length - left,
    leftOut: ROW_REASONS.flatMap((reason) => {
      const of = counts.get(reason);
      return of === undefined ? [] : [{ reason, ...of }];
    }),
    room: Math.max(0, look.room),
  };
}

function addCount(
  counts: Map<RowReason, { count: number; rows: { row: number; text: string }[] }>,
  reason: RowReason,
  more: number,
): void {
  const of = counts.get(reason);
  if (of !== undefined) of.count += more;
}
