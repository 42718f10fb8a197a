/** The sums of a report against the rows, for random campaigns: each recipient is in every division exactly once. */
import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import { DELIVERY_REASONS, DELIVERY_STATES, type DeliveryState } from "shared/delivery.ts";
import { MOST_FIELD_VALUES, type Report, reportSchema } from "shared/report_api.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp } from "../testing/test_app.ts";

const FIRST_PHONE = 972_540_000_000;
const MINUTE_MS = 60_000;
/** Five days around the night in which Israel's clocks go back. */
const SPAN_MINUTES = 5 * 24 * 60;
const SENT_AT = Date.UTC(2026, 9, 23, 5);
const RUNS = Number(Deno.env.get("TRIALS") ?? 0) > 100 ? 400 : 40;

const row = fc.record({
  state: fc.constantFrom(...DELIVERY_STATES),
  reason: fc.option(fc.constantFrom(...DELIVERY_REASONS)),
  /** Minutes after the send: of the tap as its site says, and of the outcome as this edge saw it. */
  tapped: fc.option(fc.integer({ min: -SPAN_MINUTES, max: 2 * SPAN_MINUTES })),
  seen: fc.integer({ min: 0, max: SPAN_MINUTES }),
  city: fc.option(fc.oneof(fc.constantFrom("", "חיפה", "עכו"), fc.integer({ max: 60 }).map(String))),
  isResent: fc.boolean(),
});
interface Row {
  state: DeliveryState;
  reason: (typeof DELIVERY_REASONS)[number] | null;
  city: string | null;
  isResent: boolean;
}
const campaign = fc.record({
  rows: fc.array(row, { maxLength: 120 }),
  status: fc.constantFrom("active", "paused", "cancelled", "completed_with_errors"),
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const isOutcome = (state: string) => ["sent", "failed", "unknown"].includes(state);

Deno.test("readReport(): whatever the rows, each division of the report sums to them", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  await fc.assert(
    fc.asyncProperty(campaign, async ({ rows, status }) => {
      const { db } = edge.ctx;
      const id = await makeCampaign(edge.ctx, { client: dana.id, status: "active", sendAt: SENT_AT });
      await db.batch(
        rows.map(({ state, reason, tapped, seen, city, isResent }, no) => ({
          sql: `INSERT INTO deliveries (campaign, phone, state, reason, tapped_at, updated_at, resent, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          args: [
            id,
            FIRST_PHONE + no,
            state,
            reason,
            tapped === null ? null : SENT_AT + tapped * MINUTE_MS,
            SENT_AT + seen * MINUTE_MS,
            isResent ? 1 : 0,
            city === null ? null : JSON.stringify({ עיר: city }),
          ],
        })),
        "write",
      );
      await db.execute(`UPDATE campaigns SET status = '${status}' WHERE id = ${id}`);
      const answer = await dana.ask(`/api/campaigns/${id}/report?field=${encodeURIComponent("עיר")}`);
      const report = reportSchema.parse(await answer.json());
      compare(report, rows, status);
    }),
    { numRuns: RUNS },
  );
});

function compare(report: Report, rows: readonly Row[], status: string): void {
  // A cancel counts at once what it rewrites in slices, and forgets why an earlier try ended. What a person sent again
  // is still queued.
  const counted = rows.map((row) =>
    row.state === "queued" && status === "cancelled" && !row.isResent
      ? { ...row, state: "cancelled", reason: null }
      : row
  );
  const ofState = (state: string) => counted.filter((row) => row.state === state).length;
  assert.equal(report.total, rows.length);
  assert.equal(sum(report.outcomes.map(({ count }) => count)), rows.length);
  for (const state of DELIVERY_STATES) {
    assert.equal(report.counts[state], ofState(state), state);
    const found = report.outcomes.filter((outcome) => outcome.state === state);
    assert.equal(sum(found.map(({ count }) => count)), ofState(state), state);
    for (const { reason, count } of found) {
      if (state === "queued" || state === "leased") {
        assert.equal(reason, null);
        continue;
      }
      assert.equal(
        count,
        counted.filter((row) => row.state === state && row.reason === reason).length,
        `${state} ${reason}`,
      );
    }
    const ofValues = report.field!.values.map((value) => value[state]);
    assert.equal(sum(ofValues) + (report.field!.rest?.[state] ?? 0), ofState(state), `${state} by value`);
    if (!isOutcome(state)) continue;
    const key = state as "sent" | "failed" | "unknown";
    assert.equal(sum(report.times.points.map((point) => point[key])), ofState(state), `${state} over time`);
    assert.equal(sum(report.byHour.map((hour) => hour[key])), ofState(state), `${state} by hour`);
  }
  for (const { value, ...counts } of report.field!.values) {
    assert.equal(
      sum(Object.values(counts)),
      rows.filter(({ city }) => (city ?? "") === value).length,
      `value "${value}"`,
    );
  }
  const different = new Set(rows.map(({ city }) => city ?? "")).size;
  assert.equal(report.field!.values.length, Math.min(different, MOST_FIELD_VALUES));
  assert.equal(report.field!.rest?.values ?? 0, Math.max(0, different - MOST_FIELD_VALUES));
  const points = report.times.points.map(({ at }) => at);
  assert.deepEqual(points, [...points].sort((a, b) => a - b), "points ascend");
  for (const at of points) assert.ok(at <= SENT_AT + SPAN_MINUTES * MINUTE_MS, "no point after the last row");
}
