/** Forgets the number of a consent once it proves nothing that is still kept; the fact of the consent stays. */
import { eq } from "drizzle-orm";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { condition, execute, query, rowsAs } from "../db/query.ts";
import { consents, system } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const DAY_MS = 24 * 60 * 60_000;
const SLICE = 2_000;
/** Where the last slice ended and when the last round began, as JSON in `system`. */
const PLACE = "consents_forgotten";

interface Place {
  after: number;
  roundAt: number;
}

// The consent is unused. It is in use while a message to the number, sent or planned, still holds the number, and while
// the person is in a list of the client.
const IS_OVER = `NOT EXISTS (
      SELECT 1 FROM deliveries d JOIN campaigns c ON c.id = d.campaign AND c.client = n.client
      WHERE d.phone = n.phone)
    AND NOT EXISTS (SELECT 1 FROM contacts p WHERE p.client = n.client AND p.phone = n.phone)`;
const ROWS = `SELECT n.id, n.phone, ${IS_OVER} AS over
  FROM consents n JOIN consent_declarations d ON d.id = n.declaration
  WHERE n.id > :after AND n.phone > 0 AND d.at < :before ORDER BY n.id LIMIT ${SLICE}`;
// An upload may have started to use it since the read.
const FORGET = `UPDATE consents AS n SET phone = -n.id, mark = value->>'mark' FROM json_each(:marks)
  WHERE n.id = value->>'id' AND n.phone > 0 AND ${IS_OVER}`;
const COUNT = `json_object('count', ${ROWS_OF_STEP_BEFORE})`;

/**
 * Forgets one slice of the declarations older than the retention, one round a day; returns 0 when the round is over. A
 * mark replaces the number. Only somebody who knows the number can find the mark.
 */
export async function forgetConsents(ctx: EdgeContext, before: number): Promise<number> {
  const now = ctx.now();
  const { rows: [kept] } = await execute(
    ctx.db,
    query.select({ value: system.value }).from(system).where(eq(system.key, PLACE)),
  );
  const { after, roundAt }: Place = kept ? JSON.parse(kept.value) : { after: 0, roundAt: -DAY_MS };
  if (after === 0 && now < roundAt + DAY_MS) return 0;
  const rows = rowsAs(
    await ctx.db.execute(statement(ROWS, { after, before })),
    { id: consents.id, phone: consents.phone, over: condition },
  );
  const marks = rows.filter(({ over }) => over)
    .map(({ id, phone }) => ({ id, mark: markOf(ctx, "phone", `+${phone}`) }));
  const isOver = rows.length < SLICE;
  const place: Place = {
    after: isOver ? 0 : rows.at(-1)!.id,
    roundAt: after === 0 ? now : roundAt,
  };
  const value = JSON.stringify(place);
  const note = { kind: "consents_forgotten" as const, actor: null, dataSql: { sql: COUNT, args: [] } };
  await writeBatch(ctx.db, {
    forgotten: statement(FORGET, { marks: JSON.stringify(marks) }),
    audited: rightAfter("forgotten", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    placeKept: query.insert(system).values({ key: PLACE, value })
      .onConflictDoUpdate({ target: system.key, set: { value } }),
  });
  return isOver ? 0 : rows.length;
}
