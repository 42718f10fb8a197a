/**
 * Ten weeks of repeats, plans and approvals over the holidays of two years and both clock changes, on the real duties
 * and a real database. A separate calendar judges each tap. `SHIGUR_WEEKS=all` lives all starts; CI lives one.
 */
import assert from "node:assert/strict";
import { mulberry32 } from "shared/random.ts";
import { choiceSchema } from "shared/lists_api.ts";
import { israelDay, israelInstant } from "shared/israel_time.ts";
import { type RepeatRule, runDays } from "shared/series_days.ts";
import { SEED } from "shared/testing/seed.ts";
import { decideApproval } from "../../edge/approvals/decide_approval.ts";
import { readWaitingApprovals } from "../../edge/approvals/waiting.ts";
import { readCampaign } from "../../edge/campaigns/read.ts";
import { createList } from "../../edge/lists/change_lists.ts";
import { auditQueue } from "../../edge/queue/audit.ts";
import { startPlans } from "../../edge/queue/start_plans.ts";
import { createSeries } from "../../edge/series/create_series.ts";
import { makeRuns } from "../../edge/series/make_runs.ts";
import { type Fleet, openFleet } from "../../edge/testing/fleet.ts";
import { acknowledge, pull, report } from "../../edge/testing/queue_acts.ts";
import { setRules } from "../../edge/testing/rules.ts";
import { mayAdvertise } from "./jerusalem.ts";

const DAY_MS = 24 * 60 * 60_000;
const STEP_MS = 30 * 60_000;
const ADMIN = { id: 0 };
/** Above it a day waits for an administrator: the large list alone is above, the small one is not. */
const FROM = 5;
const LISTS = { large: 8, small: 3 };
const STARTS = [
  { at: "2027-03-07T07:00:00+02:00", name: "Purim, summer time, Passover, Independence Day" },
  { at: "2026-09-06T07:00:00+03:00", name: "New Year, Day of Atonement, Tabernacles, winter time" },
  { at: "2026-03-15T07:00:00+02:00", name: "summer time, Passover to Shavuot of 2026" },
  { at: "2027-09-05T07:00:00+03:00", name: "the holidays of Tishri 5788, winter time" },
];
const REPEATS: { list: keyof typeof LISTS; rule: RepeatRule; minutes: number }[] = [
  { list: "small", rule: { kind: "weekly", weekdays: [0, 2, 4, 6] }, minutes: 9 * 60 + 30 },
  { list: "large", rule: { kind: "weekly", weekdays: [1, 5] }, minutes: 12 * 60 },
  { list: "large", rule: { kind: "monthly", days: [1, 15, 31] }, minutes: 2 * 60 + 30 },
  { list: "small", rule: { kind: "hebrew_monthly", days: [1, 15, 30] }, minutes: 19 * 60 + 45 },
];
const chosen = Deno.env.get("SHIGUR_WEEKS") === "all" ? STARTS : STARTS.slice(0, 1);

for (const [no, { at, name }] of chosen.entries()) {
  Deno.test(`ten weeks from ${at.slice(0, 10)} (${name}): no tap outside the hours, each due run made once, an exact ledger`, async () => {
    await using fleet = await openFleet();
    const startsAt = Date.parse(at);
    fleet.pass(startsAt - fleet.ctx.now());
    await setRules(fleet, {
      serviceHoursEnforced: true,
      approvalFrom: FROM,
      maxMessagesPerDay: 1_000,
      hourlyPercent: 100,
      rateLimit: 0,
    });
    const site = await fleet.addSite(2);
    const client = await fleet.addClient(100_000);
    const series = await furnish(fleet, client);
    const random = mulberry32(SEED + no);
    const decided = { approved: 0, refused: 0 };
    let taps = 0;
    const endsAt = startsAt + 70 * DAY_MS;
    while (fleet.ctx.now() < endsAt) {
      while (await makeRuns(fleet.ctx) > 0);
      for (const item of (await readWaitingApprovals(fleet.ctx)).items) {
        if (random() < 0.97) continue;
        const decision = random() < 0.85 ? "approved" as const : "refused" as const;
        decided[decision] += 1;
        const reason = decision === "refused" ? "לא השבוע" : "";
        await decideApproval(fleet.ctx, ADMIN, item.campaign.id, {
          revision: item.revision,
          decision,
          reason,
        });
      }
      await startPlans(fleet.ctx);
      await fleet.reconnect(site);
      await fleet.show(site);
      for (let lease = await pull(fleet, site); lease !== null; lease = await pull(fleet, site)) {
        await acknowledge(fleet, site, lease.token);
        assert.ok(mayAdvertise(fleet.ctx.now()), `tapped at ${new Date(fleet.ctx.now()).toISOString()}`);
        taps += lease.items.length;
        await report(fleet, site, lease, random() < 0.95 ? "sent" : "failed");
      }
      fleet.pass(STEP_MS);
    }
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
    await judgeRuns(fleet, series, { startsAt, endsAt });
    assert.ok(
      taps > 300 && decided.approved > 5 && decided.refused > 0,
      JSON.stringify({ taps, ...decided }),
    );
  });
}

/** Makes two lists of people, and the repeats over them; returns the repeats' ids in order. */
async function furnish({ ctx, addCampaign }: Fleet, client: { id: number }): Promise<number[]> {
  const lists = new Map<string, number>();
  for (const [no, [name, size]] of Object.entries(LISTS).entries()) {
    const list = await createList(ctx, client.id, name);
    lists.set(name, list);
    for (let person = 0; person < size; person++) {
      const phone = 972_541_000_000 + no * 100 + person;
      await ctx.db.batch([
        { sql: "INSERT INTO list_members (list, phone) VALUES (?, ?)", args: [list, phone] },
        {
          sql: `INSERT INTO contacts (client, phone, source, created_at, updated_at, used_at)
            VALUES (?, ?, 'file', 0, 0, 0)`,
          args: [client.id, phone],
        },
      ], "write");
    }
  }
  const source = await addCampaign(client, 1);
  const owner = { ...client, username: "", role: "client" as const, sessionHash: "" };
  const campaign = await readCampaign(ctx, owner, source.id);
  const ids: number[] = [];
  for (const { list, rule, minutes } of REPEATS) {
    const choice = choiceSchema.parse({ lists: [lists.get(list)!] });
    const firstDay = israelDay(ctx.now());
    ids.push(
      await createSeries(ctx, client, campaign, {
        choice,
        rule,
        minutes,
        firstDay,
        lastDay: null,
        leaveOutEmpty: false,
      }),
    );
  }
  return ids;
}

/** Each day of a rule has one run, made once; what needs an approval has gone only with one. */
async function judgeRuns(
  { ctx }: Fleet,
  series: number[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): Promise<void> {
  for (const [index, id] of series.entries()) {
    const { rule, minutes, list } = REPEATS[index]!;
    const due = runDays(rule, israelDay(startsAt), israelDay(endsAt))
      .filter((day) => {
        const at = israelInstant(day, minutes) ?? israelInstant(day, minutes + 60)!;
        return at > startsAt && at <= endsAt - DAY_MS;
      });
    const { rows } = await ctx.db.execute({
      sql: `SELECT r.day, r.state, c.status, c.plan_hold AS hold, c.reserved,
          EXISTS (SELECT 1 FROM approvals a WHERE a.campaign = c.id AND a.revision = c.revision
            AND a.state = 'approved') AS approved
        FROM series_runs r JOIN campaigns c ON c.id = r.campaign WHERE r.series = ? ORDER BY r.day`,
      args: [id],
    });
    const days = rows.map(({ day }) => String(day));
    assert.deepEqual(days.filter((day) => day <= due.at(-1)!), due, `runs of repeat ${index}`);
    for (const { day, state, status, hold, reserved, approved } of rows) {
      assert.equal(state, "made", String(day));
      assert.equal(reserved, LISTS[list], String(day));
      if (status === "scheduled") continue;
      if (list === "large") assert.equal(approved, 1, `the run of ${day} went without an approval`);
      assert.equal(hold, null);
    }
  }
}
