import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { PLAN_MISSED_MS } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { reportLostTime, restore } from "../testing/lost_time.ts";
import { balanceOf, pull, statusOf } from "../testing/queue_acts.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { renewGeneration } from "../sites/generation.ts";
import { updateUser } from "../users/update_user.ts";
import { auditQueue } from "./audit.ts";
import { callOffPlan } from "./call_off.ts";
import { cancelCampaign } from "./cancel.ts";
import { clearQueues } from "./clear_queues.ts";
import { noteOlderDatabase } from "./older_database.ts";
import { movePlan } from "./move_plan.ts";
import { sendCampaign } from "./send.ts";
import { startPlans } from "./start_plans.ts";
import { takeBackSend } from "./take_back.ts";
import { runDueTicks } from "./ticks.ts";

const HOUR_MS = 60 * 60_000;
const ADMIN = { id: 0, role: "admin" as const };
const NO_PASSWORDS = {
  hash: () => Promise.reject(new Error("no password changes here")),
  verify: () => Promise.resolve(false),
  close: () => {},
};

async function plan(fleet: Fleet, { contacts = 3, quota = 10, inMs = HOUR_MS } = {}) {
  const client = await fleet.addClient(quota);
  const campaign = await fleet.addCampaign(client, contacts);
  const plannedAt = fleet.ctx.now() + inMs;
  await sendCampaign(fleet.ctx, client, campaign.id, { plannedAt });
  return { ...campaign, client, plannedAt };
}

async function refusedWith(act: Promise<unknown>): Promise<string> {
  const error = await act.then(() => assert.fail("was not refused"), (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error.code;
}

async function holdOf(fleet: Fleet, { id }: { id: number }): Promise<string | null> {
  const { rows: [row] } = await fleet.ctx.db.execute({
    sql: "SELECT plan_hold FROM campaigns WHERE id = ?",
    args: [id],
  });
  return row!.plan_hold as string | null;
}

async function isAudited(fleet: Fleet): Promise<void> {
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
}

Deno.test("a planned campaign takes its units at once, leases nothing before its time, and starts at it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const planned = await plan(fleet);
  assert.deepEqual([await statusOf(fleet, planned), await balanceOf(fleet, planned.client)], [
    "scheduled",
    7,
  ]);
  await isAudited(fleet);
  fleet.pass(HOUR_MS - 1);
  await runDueTicks(fleet.ctx);
  assert.deepEqual([await statusOf(fleet, planned), await pull(fleet, site)], ["scheduled", null]);
  fleet.pass(1);
  assert.equal(await startPlans(fleet.ctx), 1);
  assert.equal(await statusOf(fleet, planned), "processing");
  assert.equal(await balanceOf(fleet, planned.client), 7);
  assert.equal((await pull(fleet, site))?.items.length, 3);
  const { n } = await fleet.one("SELECT count(*) AS n FROM audit_log WHERE kind = 'campaign_plan_started'");
  assert.equal(n, 1);
  await isAudited(fleet);
});

Deno.test("two edges that start plans at the same moment start each once", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  fleet.pass(HOUR_MS);
  const changed = await Promise.all([startPlans(fleet.ctx), startPlans(fleet.ctx), startPlans(fleet.ctx)]);
  assert.equal(changed.reduce((sum, count) => sum + count), 1);
  const { n } = await fleet.one("SELECT count(*) AS n FROM activity WHERE code = 'campaign_plan_started'");
  assert.deepEqual([n, await statusOf(fleet, planned)], [1, "processing"]);
});

Deno.test("an edge that stood still since it looked at the clock starts nothing that another could have started", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  fleet.pass(HOUR_MS);
  const frozenAt = fleet.ctx.now();
  fleet.pass(3 * HOUR_MS);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO ticks (name, claimed_until) VALUES ('start_plans', ?)",
    args: [fleet.ctx.now() + 1000],
  });
  const frozen: EdgeContext = { ...fleet.ctx, now: () => frozenAt };
  assert.equal(await startPlans(frozen), 0);
  await startPlans(fleet.ctx);
  assert.deepEqual([await statusOf(fleet, planned), await holdOf(fleet, planned)], ["scheduled", "missed"]);
});

Deno.test("a plan that was missed by an hour waits for a person, who gives it another time", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  fleet.pass(HOUR_MS + PLAN_MISSED_MS - 1);
  const late = await plan(fleet, { inMs: 1 });
  fleet.pass(1);
  assert.equal(await startPlans(fleet.ctx), 2);
  assert.deepEqual([await holdOf(fleet, planned), await statusOf(fleet, late)], ["missed", "processing"]);
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  await movePlan(fleet.ctx, planned.client, planned.id, fleet.ctx.now());
  assert.equal(await startPlans(fleet.ctx), 1);
  assert.equal(await statusOf(fleet, planned), "processing");
  await isAudited(fleet);
});

Deno.test("a clock that jumps ahead and back starts a plan once at most", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  const ahead: EdgeContext = { ...fleet.ctx, now: () => fleet.ctx.now() + 24 * HOUR_MS };
  await startPlans(ahead);
  assert.deepEqual([await statusOf(fleet, planned), await holdOf(fleet, planned)], ["scheduled", "missed"]);
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0, "a person decides");
  await movePlan(fleet.ctx, planned.client, planned.id, fleet.ctx.now());
  await startPlans(fleet.ctx);
  const behind: EdgeContext = { ...fleet.ctx, now: () => fleet.ctx.now() - HOUR_MS };
  assert.equal(await startPlans(behind), 0);
  const { n } = await fleet.one("SELECT count(*) AS n FROM audit_log WHERE kind = 'campaign_plan_started'");
  assert.equal(n, 1);
});

Deno.test("callOffPlan() returns every unit, also those of people who were removed meanwhile, and frees the words", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  await suppressPhone(fleet.ctx, { phone: "+972540000001", client: planned.client.id, source: "test" });
  assert.equal(await balanceOf(fleet, planned.client), 8);
  assert.deepEqual(await callOffPlan(fleet.ctx, planned.client, planned.id), {
    status: "ready",
    remainingQuota: 10,
  });
  await isAudited(fleet);
  const row = await fleet.one("SELECT planned_at, plan_hold, sent_text, reserved FROM campaigns");
  assert.deepEqual({ ...row }, { planned_at: null, plan_hold: null, sent_text: null, reserved: 0 });
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  assert.equal(await refusedWith(callOffPlan(fleet.ctx, planned.client, planned.id)), "campaign_state");
});

Deno.test("a plan whose people were all removed ends by itself at its time", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet, { contacts: 1 });
  await suppressPhone(fleet.ctx, { phone: "+972540000001", client: planned.client.id, source: "test" });
  assert.equal(await statusOf(fleet, planned), "scheduled");
  fleet.pass(HOUR_MS);
  await startPlans(fleet.ctx);
  assert.deepEqual([await statusOf(fleet, planned), await balanceOf(fleet, planned.client)], ["failed", 10]);
  await isAudited(fleet);
});

Deno.test("what was planned is frozen, and a started plan can neither be moved nor called off", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  for (
    const change of [
      "message = 'אחר'",
      "kind = 'marketing'",
      "sent_text = 'אחר'",
      "image = NULL, pilot_count = 1",
    ]
  ) {
    await assert.rejects(
      fleet.ctx.db.execute(`UPDATE campaigns SET ${change} WHERE status = 'scheduled'`),
      /a planned campaign does not change/,
    );
  }
  fleet.pass(HOUR_MS);
  await startPlans(fleet.ctx);
  assert.equal(
    await refusedWith(movePlan(fleet.ctx, planned.client, planned.id, planned.plannedAt)),
    "send_began",
  );
  assert.equal(await refusedWith(callOffPlan(fleet.ctx, planned.client, planned.id)), "send_began");
  assert.equal(await refusedWith(takeBackSend(fleet.ctx, planned.client, planned.id)), "campaign_state");
});

Deno.test("the database refuses a start before the time, of a plan that waits for a person, and every other way out", async () => {
  await using fleet = await openFleet();
  const { plannedAt } = await plan(fleet);
  const moves = [
    `status = 'processing', send_at = ${plannedAt - 1}`,
    "status = 'processing'",
    `status = 'active', send_at = ${plannedAt}`,
    "status = 'paused'",
    "status = 'completed'",
    `status = 'processing', plan_hold = 'missed', send_at = ${plannedAt}`,
    "status = 'ready'",
  ];
  for (const move of moves) {
    await assert.rejects(fleet.ctx.db.execute(`UPDATE campaigns SET ${move}`), /illegal/, move);
  }
  await fleet.ctx.db.execute("UPDATE campaigns SET plan_hold = 'restored'");
  await assert.rejects(
    fleet.ctx.db.execute(`UPDATE campaigns SET status = 'processing', send_at = ${plannedAt}`),
    /illegal move of a plan/,
  );
});

Deno.test("a plan of a disabled client waits for a person, also after the client is enabled", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  const change = { userId: planned.client.id, actorId: 0 };
  await updateUser(fleet.ctx, NO_PASSWORDS, { ...change, disabled: true });
  assert.equal(await holdOf(fleet, planned), "client_disabled");
  await updateUser(fleet.ctx, NO_PASSWORDS, { ...change, disabled: false });
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  await movePlan(fleet.ctx, planned.client, planned.id, fleet.ctx.now());
  assert.equal(await startPlans(fleet.ctx), 1);
});

Deno.test("a disabled client's plan does not start while the note about it is under way", async () => {
  await using fleet = await openFleet();
  const planned = await plan(fleet);
  await fleet.ctx.db.execute({
    sql: "UPDATE users SET disabled = 1 WHERE id = ?",
    args: [planned.client.id],
  });
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  assert.equal(await statusOf(fleet, planned), "scheduled");
});

Deno.test("in a restored database every plan waits for a person, and for what the sites know", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const planned = await plan(fleet);
  await restore(fleet, site);
  assert.equal(await holdOf(fleet, planned), "restored");
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  assert.equal(
    await refusedWith(movePlan(fleet.ctx, planned.client, planned.id, fleet.ctx.now())),
    "campaign_state",
  );
  await reportLostTime(fleet, site, planned, [{}]);
  await movePlan(fleet.ctx, planned.client, planned.id, fleet.ctx.now());
  assert.equal(
    await refusedWith(callOffPlan(fleet.ctx, planned.client, planned.id)),
    "send_began",
    "one has it",
  );
  await startPlans(fleet.ctx);
  assert.equal(
    (await pull(fleet, site))?.items.length,
    2,
    "the one whom the lost time reached gets no second one",
  );
  await isAudited(fleet);
});

Deno.test("a database that was put back by hand starts nothing from the moment a site shows it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const planned = await plan(fleet);
  await fleet.ctx.db.execute(noteOlderDatabase(site.site, fleet.ctx.now()));
  fleet.pass(HOUR_MS);
  assert.equal(await startPlans(fleet.ctx), 0);
  await renewGeneration(fleet.ctx);
  assert.equal(await holdOf(fleet, planned), "restored");
});

Deno.test("cancelling and resetting the queues end a plan and refund it", async () => {
  await using fleet = await openFleet();
  const [first, second] = [await plan(fleet), await plan(fleet)];
  await cancelCampaign(fleet.ctx, { ...first.client, role: "client" }, first.id);
  assert.equal((await clearQueues(fleet.ctx, ADMIN)).campaignQueueCleared, 1);
  fleet.pass(HOUR_MS);
  await runDueTicks(fleet.ctx);
  for (const planned of [first, second]) {
    assert.deepEqual([await statusOf(fleet, planned), await balanceOf(fleet, planned.client)], [
      "cancelled",
      10,
    ]);
  }
  await isAudited(fleet);
});

Deno.test("moves, calls off and starting ticks in any order start a plan once, or not at all, and keep the ledger", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("move", "now", "off", "plan", "tick", "tick", "pass", "cancel"), {
        minLength: 5,
        maxLength: 25,
      }),
      fc.boolean(),
      async (acts, atOnce) => {
        await using fleet = await openFleet();
        const { client, id } = await plan(fleet, { inMs: 2_000 });
        const running: Promise<unknown>[] = [];
        for (const act of acts) {
          const at = fleet.ctx.now() + 2_000;
          const run = {
            move: () => movePlan(fleet.ctx, client, id, at),
            now: () => movePlan(fleet.ctx, client, id, fleet.ctx.now()),
            off: () => callOffPlan(fleet.ctx, client, id),
            plan: () => sendCampaign(fleet.ctx, client, id, { plannedAt: at }),
            tick: () => startPlans(fleet.ctx),
            pass: () => Promise.resolve(fleet.pass(2_000)),
            cancel: () => cancelCampaign(fleet.ctx, { ...client, role: "client" }, id),
          }[act];
          const done = run().catch((error) => assert.ok(error instanceof HttpError, String(error)));
          if (atOnce) running.push(done);
          else await done;
        }
        await Promise.all(running);
        const { n } = await fleet.one(
          "SELECT count(*) AS n FROM audit_log WHERE kind = 'campaign_plan_started'",
        );
        const status = await statusOf(fleet, { id });
        assert.ok(Number(n) <= 1, `${n} starts`);
        assert.equal(await balanceOf(fleet, client), ["ready", "cancelled"].includes(status) ? 10 : 7);
        await isAudited(fleet);
      },
    ),
    { numRuns: 40 },
  );
});
