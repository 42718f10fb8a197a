/** Erases numbers from a restored database again that were erased after its backup was made. */
import type { Row } from "@libsql/client/web";
import { markOf } from "../audit_log/number_mark.ts";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { erasures } from "../db/schema.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { ERASURES_OWED } from "../queue/erasures_owed.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { statement } from "../db/statement.ts";
import { suppressStatements } from "../queue/suppress.ts";
import { WORK_WAITING, WORK_WAITING_IF_CHANGED } from "../events/work_waiting.ts";
import { blockNumber } from "./blocked.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { digitRuns, numbersIn } from "./numbers_in_files.ts";
import { listStoredFiles, readStoredFile } from "./stored_files.ts";
import { ERASURE_SOURCE } from "./start_erasure.ts";

const PAGE_ROWS = 2_000;
/** Marks computed between two yields to the event loop; each takes some microseconds. */
const MARKS_AT_ONCE = 500;

// A site that owes outcomes may still report one of these numbers. That debt blocks leasing until then by itself.
const TO_REPEAT = `SELECT id, mark, blocked FROM erasures
  WHERE to_repeat = 1 AND NOT ${OUTCOMES_OWED} ORDER BY id`;
// Each number of list_members and contact_keys is in contacts too.
const PHONE_TABLES = `SELECT DISTINCT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND c.name = 'phone' AND t.name NOT IN ('erasures', 'list_members', 'contact_keys')`;
/** Texts from which erase_numbers.ts removes a number. */
const TEXTS: Record<string, string> = {
  activity: "data",
  commands: "detail",
  accounts: "own_number",
  events: "data",
};
// Clears the certificate's times, so that it shows this erasure as open again.
const BEGIN_AGAIN =
  `UPDATE erasures SET phone = :phone, to_repeat = 0, database_at = NULL, scrubbed_at = NULL,
    done_at = NULL WHERE id = :id AND to_repeat = 1`;
const NOTHING_LEFT = `UPDATE erasures SET to_repeat = 0, database_at = coalesce(database_at, :now)
  WHERE to_repeat = 1 AND id <= :last`;
const WAKE = `${WORK_WAITING_IF_CHANGED} AND NOT ${ERASURES_OWED}`;

/**
 * Searches for the numbers of erasures that a restore took over, once every site has reported its outcomes or was
 * written off. Certificates hold only marks, so it marks and compares every number in the database. A match is
 * suppressed at once, and erase_numbers.ts erases it like any other. Leasing waits for the end of this
 * (queue/erasures_owed.ts).
 */
export async function repeatErasures(ctx: EdgeContext): Promise<void> {
  const { id, mark, blocked } = erasures;
  const rows = rowsAs(await ctx.db.execute(TO_REPEAT), { id, mark, blocked });
  if (rows.length === 0) return;
  const found = await findNumbers(ctx, new Set(rows.map(({ mark }) => mark)));
  for (const row of rows) {
    const phone = found.get(row.mark);
    if (phone !== undefined) await beginAgain(ctx, row, phone);
  }
  const args = { now: ctx.now(), last: rows.at(-1)!.id };
  await writeBatch(ctx.db, {
    noneLeft: statement(NOTHING_LEFT, args),
    sitesEvent: rightAfter("noneLeft", statement(WAKE, args)),
  });
  ctx.wakeOutbox();
}

async function beginAgain(
  ctx: EdgeContext,
  { id, blocked }: Pick<typeof erasures.$inferSelect, "id" | "blocked">,
  phone: number,
): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    const { rowsAffected } = await tx.execute(statement(BEGIN_AGAIN, { id, phone }));
    // Another edge was first.
    if (rowsAffected === 0) return;
    await tx.batch([
      ...(blocked ? [blockNumber(ctx, phone)] : []),
      ...suppressStatements({ client: 0, phones: [phone], source: ERASURE_SOURCE }, now),
      // This may complete the last open search.
      statement(`${WORK_WAITING} WHERE NOT ${ERASURES_OWED}`, { now }),
    ]);
  });
}

/** Returns the numbers with one of these marks anywhere in the database, by mark. */
async function findNumbers(ctx: EdgeContext, marks: ReadonlySet<string>): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const yieldToEventLoop = createYieldToEventLoop();
  const look = (phones: Iterable<number>) => compare(ctx, marks, phones, found, yieldToEventLoop);
  for (const { name } of (await ctx.db.execute(PHONE_TABLES)).rows) {
    for await (const rows of pages(ctx, String(name), "phone")) {
      await look(rows.map((row) => Number(row.value)).filter((phone) => phone > 0));
    }
  }
  for (const [table, column] of Object.entries(TEXTS)) {
    for await (const rows of pages(ctx, table, column)) {
      await look(numbersIn(rows.map((row) => String(row.value)).join("\n")));
    }
  }
  for (const file of await listStoredFiles(ctx.db)) {
    const text = await readStoredFile(ctx.db, file, turnLoop);
    for await (const runs of digitRuns(text, yieldToEventLoop)) {
      await look(numbersIn(runs));
      await yieldToEventLoop();
    }
  }
  return found;
}

async function* pages(ctx: EdgeContext, table: string, column: string): AsyncGenerator<Row[]> {
  const sql = `SELECT rowid AS row, "${column}" AS value FROM "${table}"
    WHERE rowid > :after AND "${column}" IS NOT NULL ORDER BY rowid LIMIT ${PAGE_ROWS}`;
  for (let after = 0;;) {
    const { rows } = await ctx.db.execute(statement(sql, { after }));
    if (rows.length === 0) return;
    yield rows;
    after = Number(rows.at(-1)!.row);
  }
}

async function compare(
  ctx: EdgeContext,
  marks: ReadonlySet<string>,
  phones: Iterable<number>,
  found: Map<string, number>,
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  let compared = 0;
  for (const phone of phones) {
    const mark = markOf(ctx, "phone", `+${phone}`);
    if (marks.has(mark)) found.set(mark, phone);
    if (++compared % MARKS_AT_ONCE === 0) await yieldToEventLoop();
  }
}
