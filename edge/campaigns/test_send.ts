import { eq } from "drizzle-orm";
import type { TestRequest, TestStarted } from "shared/http_api.ts";
import { TESTS_PER_DAY } from "shared/campaign.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import type { EdgeContext } from "../context.ts";
import { condition, query, rowsAs, toStatement, wholeNumber } from "../db/query.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { readBlocked } from "../privacy/blocked.ts";
import { localMidnight, msToLocalMidnight } from "../time/local_day.ts";
import { sendCampaign } from "../queue/send.ts";
import { statement } from "../db/statement.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";

const TESTS_TODAY = `(SELECT count(*) FROM campaigns t
  WHERE t.client = :client AND t.test_of IS NOT NULL AND t.created_at >= :midnight)`;
const SUPPRESSED = "EXISTS (SELECT 1 FROM suppressions WHERE phone = :phone AND client IN (0, :client))";

// No row = the day's tests are used up, or the number is suppressed; LOOK says which.
const ADD = `INSERT INTO campaigns (client, name, message, image, kind, status, queued_count, test_of,
    created_at, updated_at, hours_waived_at)
  SELECT client, name, message, image, kind, 'ready', 1, id, :now, :now, hours_waived_at FROM campaigns
  WHERE id = :campaign AND ${TESTS_TODAY} < ${TESTS_PER_DAY} AND NOT ${SUPPRESSED}
    AND (:row IS NULL OR EXISTS (SELECT 1 FROM deliveries WHERE id = :row AND campaign = :campaign)) RETURNING id`;
// The values go again when the test has ended (db/rules/20_test_values.sql).
const ADD_DELIVERY = `INSERT INTO deliveries (campaign, phone, fields, updated_at)
  SELECT last_insert_rowid(), :phone, (SELECT fields FROM deliveries WHERE id = :row AND campaign = :campaign), :now
  WHERE ${STEP_BEFORE_CHANGED}`;
const LOOK = `SELECT ${TESTS_TODAY} AS tests, ${SUPPRESSED} AS suppressed,
  EXISTS (SELECT 1 FROM deliveries WHERE id = :row AND campaign = :campaign) AS "hasRow"`;
// Keeps a test that was sent, whatever failed later.
const DROP = [
  ...["imports", "deliveries"].map((table) =>
    `DELETE FROM ${table} WHERE campaign = (SELECT id FROM campaigns WHERE id = :test AND status = 'ready')`
  ),
  "DELETE FROM campaigns WHERE id = :test AND status = 'ready'",
];

/**
 * Sends a campaign's text to one number, as a separate campaign that no list shows. It costs one message of quota. A
 * personal message goes as to the recipient `row`, without one as to a recipient without values.
 *
 * @throws {HttpError} `invalid_input` (no number, or a suppressed one), `not_found` (no such row), `too_many_attempts`,
 *   and as sendCampaign()
 */
export async function sendTest(
  ctx: EdgeContext,
  { client, person }: Pick<Caller, "client" | "person">,
  campaign: CampaignRow,
  { phone: phoneText, row }: TestRequest,
): Promise<TestStarted> {
  const { phone } = parsePhone(phoneText);
  if (phone === undefined) throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין." });
  const now = ctx.now();
  if ((await readBlocked(ctx))(phone)) throw refusal(true, now);
  const args = {
    campaign: campaign.id,
    client: campaign.client,
    phone,
    row: row ?? null,
    now,
    midnight: localMidnight(now),
  };
  const { added, look } = await writeBatch(ctx.db, {
    added: statement(ADD, args),
    deliveryAdded: rightAfter("added", statement(ADD_DELIVERY, args)),
    look: statement(LOOK, args),
  });
  const { tests, suppressed, hasRow } = rowsAs(look, {
    tests: wholeNumber,
    suppressed: condition,
    hasRow: condition,
  })[0]!;
  const [test] = rowsAs(added, { id: campaigns.id });
  if (test === undefined && row !== undefined && !hasRow) throw new HttpError("not_found");
  if (test === undefined) throw refusal(suppressed, now);
  try {
    const { remainingQuota } = await sendCampaign(ctx, { client, person }, test.id);
    const data = { number: markOf(ctx, "phone", `+${phone}`) };
    await ctx.db.batch([
      // The test goes before the client's other campaigns: after ten thousand messages it would arrive too late.
      toStatement(query.update(campaigns).set({ sendAt: 0 }).where(eq(campaigns.id, test.id))),
      noteAudit(now, { kind: "test_sent", actor: person, campaign: campaign.id, data }),
    ], "write");
    return { campaignId: test.id, remainingQuota, remainingToday: TESTS_PER_DAY - tests };
  } catch (error) {
    await ctx.db.batch(DROP.map((sql) => statement(sql, { test: test.id })), "write");
    throw error;
  }
}

/** Returns how many tests a client may still send today. */
export async function readTestsLeft(ctx: EdgeContext, client: number): Promise<number> {
  const args = { client, midnight: localMidnight(ctx.now()) };
  const [{ tests }] = rowsAs(await ctx.db.execute(statement(`SELECT ${TESTS_TODAY} AS tests`, args)), {
    tests: wholeNumber,
  }) as [{ tests: number }];
  return Math.max(0, TESTS_PER_DAY - tests);
}

function refusal(isSuppressed: boolean, now: number): HttpError {
  if (isSuppressed) {
    return new HttpError("invalid_input", { text: "המספר הזה נמצא ברשימת ההסרה, ולא נשלחות אליו הודעות." });
  }
  return new HttpError("too_many_attempts", {
    text: `אפשר לשלוח עד ${TESTS_PER_DAY} הודעות ניסיון ביום. אפשר לנסות שוב מחר.`,
    headers: { "retry-after": String(Math.ceil(msToLocalMidnight(now) / 1000)) },
  });
}
