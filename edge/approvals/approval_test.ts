import assert from "node:assert/strict";
import { type WaitingApproval, waitingApprovalsSchema } from "shared/approval_api.ts";
import { oneSeriesSchema } from "shared/series_api.ts";
import fc from "shared/testing/fast_check.ts";
import { auditQueue } from "../queue/audit.ts";
import { startPlans } from "../queue/start_plans.ts";
import { makeRuns } from "../series/make_runs.ts";
import { renewGeneration } from "../sites/generation.ts";
import { makeDraft, OPT_IN, paste, saveProfile, show } from "../testing/advertising.ts";
import { loadFile, makeList, takeChoice } from "../testing/list_acts.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";

const HOUR_MS = 60 * 60_000;
const FOUR = "0541000001\n0541000002\n0541000003\n0541000004";

/** Dana may write to three people a day without an approval. */
async function house({ from = 3, quota = 1000 } = {}) {
  const test = await openTestApp();
  await setFrom(test, from);
  const dana = await test.addPerson({ messageQuota: quota });
  const admin = await test.addPerson({ role: "admin" });

  async function ready(numbers = FOUR, kind = "service", message = "שלום לכולם") {
    const { id } = await makeDraft(dana, kind, message);
    await paste(dana, id, numbers, kind === "marketing" ? OPT_IN : undefined);
    return id;
  }
  async function approve(id: number) {
    const { revision } = await waitingOf(admin, id);
    assert.equal(await decide(admin, id, { revision, decision: "approved" }), "204");
  }
  return {
    test,
    dana,
    admin,
    ready,
    approve,
    ask: (id: number) => act(dana, id, "approval"),
    send: (id: number) => act(dana, id, "send"),
    plan: (id: number, at: number) => act(dana, id, "plan", { at }),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

async function setFrom(test: TestApp, from: number) {
  await test.ctx.db.execute({
    sql: "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('approvalFrom', ?, 0)",
    args: [String(from)],
  });
}

/** Lets time pass without the end of a session. */
async function passTo({ ctx, clock }: TestApp, at: number) {
  clock.now = at;
  await ctx.db.execute({ sql: "UPDATE sessions SET created_at = ?1, last_seen_at = ?1", args: [at] });
}

/** Returns the code of the refusal, or the status. */
async function codeOf(answer: Response): Promise<string> {
  return answer.ok ? String(answer.status) : (await answer.json()).code;
}

async function act(person: TestPerson, id: number, act: string, json: unknown = {}): Promise<string> {
  return await codeOf(await person.ask(`/api/campaigns/${id}/${act}`, { method: "POST", json }));
}

async function decide(admin: TestPerson, id: number, json: unknown): Promise<string> {
  return await codeOf(await admin.ask(`/api/admin/campaigns/${id}/approval`, { method: "POST", json }));
}

async function waiting(admin: TestPerson): Promise<WaitingApproval[]> {
  const answer = await admin.ask("/api/admin/approvals");
  const { count, items } = waitingApprovalsSchema.parse(await answer.json());
  assert.equal(count, items.length);
  return items;
}

async function waitingOf(admin: TestPerson, id: number): Promise<WaitingApproval> {
  const found = (await waiting(admin)).find(({ campaign }) => campaign.id === id);
  assert.ok(found, `campaign ${id} does not wait`);
  return found;
}

async function edit(person: TestPerson, id: number, json: unknown) {
  assert.equal((await person.ask(`/api/campaigns/${id}`, { method: "PATCH", json })).status, 200);
}

async function auditedKinds({ ctx }: TestApp): Promise<unknown[]> {
  const { rows } = await ctx.db.execute("SELECT kind FROM audit_log WHERE kind LIKE 'approval%' ORDER BY id");
  return rows.map(({ kind }) => kind);
}

Deno.test("a send above the bound is refused until an administrator approves it, and the client still presses send", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const id = await world.ready();
  assert.equal(await world.send(id), "approval_needed");
  assert.deepEqual((await show(dana, id)).approval, {
    state: "needed",
    total: 4,
    from: 3,
    hasChanged: false,
    reason: null,
  });
  assert.deepEqual(await waiting(admin), []);
  assert.equal(await world.ask(id), "200");
  assert.equal(await world.ask(id), "200", "asking again changes nothing");
  assert.equal(await world.send(id), "approval_needed");
  const [wait] = await waiting(admin);
  assert.deepEqual(
    [wait!.text, wait!.recipients, wait!.total, wait!.from, wait!.plannedAt, wait!.client.id],
    [
      "שלום לכולם",
      4,
      4,
      3,
      null,
      dana.id,
    ],
  );
  await world.approve(id);
  assert.deepEqual(await waiting(admin), []);
  assert.deepEqual([(await show(dana, id)).status, (await show(dana, id)).approval?.state], [
    "ready",
    "approved",
  ]);
  assert.equal(await world.send(id), "200");
  assert.equal((await show(dana, id)).approval, null);
  assert.deepEqual(await auditedKinds(test), ["approval_asked", "approval_given"]);
  assert.deepEqual(await auditQueue(test.ctx.db), []);
});

Deno.test("three recipients need nobody, and without the setting nobody needs anybody", async () => {
  await using world = await house();
  const small = await world.ready("0541000001\n0541000002\n0541000003");
  assert.equal(await world.send(small), "200");
  const large = await world.ready(FOUR.replaceAll("05410", "05411"));
  assert.equal(await world.send(large), "approval_needed");
  await setFrom(world.test, 0);
  assert.equal((await show(world.dana, large)).approval, null);
  assert.equal(await world.send(large), "200");
});

Deno.test("one changed comma after the approval takes it away, and what was seen before cannot be approved", async () => {
  await using world = await house();
  const { dana, admin } = world;
  const id = await world.ready();
  await world.ask(id);
  const { revision } = await waitingOf(admin, id);
  await world.approve(id);
  await edit(dana, id, { message: "שלום, לכולם" });
  assert.equal(await world.send(id), "approval_needed");
  assert.deepEqual((await show(dana, id)).approval, {
    state: "needed",
    total: 4,
    from: 3,
    hasChanged: true,
    reason: null,
  });
  assert.equal(await decide(admin, id, { revision, decision: "approved" }), "words_changed");
  await world.ask(id);
  await edit(dana, id, { message: "שלום לכולם" });
  assert.equal(await world.send(id), "approval_needed", "the earlier words have an earlier revision");
  await world.ask(id);
  await world.approve(id);
  assert.equal(await world.send(id), "200");
});

Deno.test("other recipients, other values, another picture take an approval away; a name and a removal do not", async () => {
  await using world = await house();
  const { test, dana } = world;
  const list = await makeList(dana);
  await loadFile(dana, list, ["טלפון,שם", "0541000001,דנה"]);
  const id = await world.ready();
  async function approved(): Promise<void> {
    await world.ask(id);
    await world.approve(id);
    assert.equal((await show(dana, id)).approval?.state, "approved");
  }
  const picture = async (init: RequestInit) =>
    assert.equal((await dana.ask(`/api/campaigns/${id}/image`, init)).status, 200);
  const form = new FormData();
  const photo = await Deno.readFile(new URL("../campaigns/testdata/photo.jpg", import.meta.url));
  form.set("image", new File([photo], "photo.jpg"));
  const changes: Record<string, () => Promise<unknown>> = {
    "a number more": () => paste(dana, id, "0541000005"),
    "values of a number that is there": () => takeChoice(dana, id, { lists: [list] }),
    "a picture": () => picture({ method: "PUT", body: form }),
    "no picture": () => picture({ method: "DELETE" }),
  };
  for (const [what, change] of Object.entries(changes)) {
    await approved();
    await change();
    assert.deepEqual([what, (await show(dana, id)).approval?.state], [what, "needed"]);
    assert.equal(await world.send(id), "approval_needed", what);
  }
  await approved();
  await edit(dana, id, { name: "שם אחר", dayLimit: 2 });
  await suppressPhone(test.ctx, { client: dana.id, phone: "+972541000005", source: "manual" });
  assert.equal((await show(dana, id)).approval?.state, "approved");
  assert.equal(await world.send(id), "200");
});

Deno.test("an advertisement's approval ends when its client's details change", async () => {
  await using world = await house();
  const { dana, admin } = world;
  await saveProfile(dana);
  const id = await world.ready(FOUR, "marketing");
  await world.ask(id);
  assert.match((await waitingOf(admin, id)).text, /משק הדר/);
  await world.approve(id);
  await saveProfile(dana, { name: "משק אחר" });
  assert.equal(await world.send(id), "approval_needed");
});

Deno.test("a refusal has a reason, which the client reads; the same words cannot be asked about again", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const id = await world.ready();
  await world.ask(id);
  const { revision } = await waitingOf(admin, id);
  assert.equal(await decide(admin, id, { revision, decision: "refused" }), "invalid_input");
  assert.equal(
    await decide(admin, id, { revision, decision: "refused", reason: "נא להתקשר אל 0541234567" }),
    "204",
  );
  const { approval, notices } = await show(dana, id);
  assert.equal(approval?.state, "refused");
  assert.doesNotMatch(approval!.reason!, /0541234567/);
  assert.ok(notices.some(({ code, reason }) => code === "approval_refused" && reason === approval!.reason));
  assert.equal(await world.ask(id), "campaign_state");
  assert.equal(await world.send(id), "approval_needed");
  // The administrator may still change the decision.
  assert.equal(await decide(admin, id, { revision, decision: "approved" }), "204");
  assert.equal(await decide(admin, id, { revision, decision: "approved" }), "204", "a second press");
  assert.equal(await decide(admin, id, { revision, decision: "refused", reason: "טעות" }), "204");
  assert.equal(await world.send(id), "approval_needed");
  assert.deepEqual(await auditedKinds(test), [
    "approval_asked",
    "approval_refused",
    "approval_given",
    "approval_refused",
  ]);
});

Deno.test("nobody decides about what was not asked, and nothing is asked that needs nobody or cannot go", async () => {
  await using world = await house();
  const { dana, admin } = world;
  const id = await world.ready();
  assert.equal(await decide(admin, id, { revision: 2, decision: "approved" }), "campaign_state");
  assert.equal(await decide(admin, 999, { revision: 2, decision: "approved" }), "not_found");
  assert.equal(await act(dana, await world.ready("0541000001"), "approval"), "campaign_state");
  assert.equal(await act(dana, (await makeDraft(dana, "service")).id, "approval"), "campaign_not_ready");
  assert.equal(await act(dana, await world.ready(FOUR, "marketing"), "approval"), "advertiser_missing");
  const other = await world.test.addPerson();
  assert.equal(await act(other, id, "approval"), "not_found");
});

Deno.test("the day counts together what a client sends and plans for it, and two sends at once do not both pass", async () => {
  await using world = await house();
  const { test, dana } = world;
  const pairs = [];
  for (let made = 0; made < 4; made++) pairs.push(await world.ready(`054200000${made}\n054300000${made}`));
  const codes = await Promise.all(pairs.slice(0, 2).map(world.send));
  assert.deepEqual(codes.sort(), ["200", "approval_needed"]);
  // Tomorrow is another day; what is planned for it counts there.
  const tomorrow = test.ctx.now() + 24 * HOUR_MS;
  assert.equal(await world.plan(pairs[2]!, tomorrow), "200");
  assert.equal((await show(dana, pairs[2]!)).approval, null);
  test.clock.now += 1;
  assert.equal(await world.plan(pairs[3]!, tomorrow), "200");
  assert.deepEqual((await show(dana, pairs[3]!)).approval?.total, 4);
  assert.equal((await show(dana, pairs[2]!)).approval, null, "the first is not held up by the later one");
  await passTo(test, tomorrow);
  await startPlans(test.ctx);
  assert.deepEqual([(await show(dana, pairs[2]!)).status, (await show(dana, pairs[3]!)).status], [
    "processing",
    "scheduled",
  ]);
});

Deno.test("a test to oneself and an administrator's own campaign wait for nobody", async () => {
  await using world = await house({ from: 1 });
  const { test, dana, admin } = world;
  const id = await world.ready();
  for (let sent = 0; sent < 3; sent++) {
    const answer = await dana.ask(`/api/campaigns/${id}/test`, {
      method: "POST",
      json: { phone: "0541234567" },
    });
    assert.ok(answer.ok, await answer.text());
  }
  const own = await makeCampaign(test.ctx, { client: admin.id, status: "ready", rows: { queued: 3 } });
  await test.ctx.db.execute({
    sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, 0, 'grant', 10)",
    args: [admin.id],
  });
  assert.equal(await act(admin, own, "send"), "200");
});

Deno.test("a plan asks by itself: approved it starts at its time, and otherwise waits", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const at = test.ctx.now() + HOUR_MS;
  const [first, second] = [await world.ready(), await world.ready(FOUR)];
  assert.equal(await world.plan(first, at), "200");
  assert.equal(await world.plan(second, at), "200");
  const seen = await waiting(admin);
  assert.deepEqual(seen.map(({ campaign, plannedAt, total }) => [campaign.id, plannedAt, total]), [
    [first, at, 8],
    [second, at, 8],
  ]);
  await world.approve(first);
  test.clock.now = at;
  assert.equal(await startPlans(test.ctx), 1);
  assert.equal(await startPlans(test.ctx), 0);
  assert.deepEqual([(await show(dana, first)).status, (await show(dana, second)).status], [
    "processing",
    "scheduled",
  ]);
  // Half an hour late is still in time.
  test.clock.now += HOUR_MS / 2;
  await world.approve(second);
  assert.equal(await startPlans(test.ctx), 1);
  assert.equal((await show(dana, second)).status, "processing");
  assert.deepEqual(await auditQueue(test.ctx.db), []);
});

Deno.test("a plan that nobody approved within an hour waits for a person; moved, it is another plan to approve", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const at = test.ctx.now() + HOUR_MS;
  const id = await world.ready();
  await world.plan(id, at);
  test.clock.now = at + HOUR_MS;
  await startPlans(test.ctx);
  assert.deepEqual((await show(dana, id)).plan, { at, hold: "not_approved" });
  const before = await waitingOf(admin, id);
  const later = test.ctx.now() + HOUR_MS;
  await dana.ask(`/api/campaigns/${id}/plan`, { method: "PUT", json: { at: later } });
  assert.equal(await decide(admin, id, { revision: before.revision, decision: "approved" }), "words_changed");
  await world.approve(id);
  await dana.ask(`/api/campaigns/${id}/plan`, { method: "PUT", json: { at: later + HOUR_MS } });
  test.clock.now = later + HOUR_MS;
  assert.equal(await startPlans(test.ctx), 0, "what was approved had another time");
  await world.approve(id);
  assert.equal(await startPlans(test.ctx), 1);
});

Deno.test("a refused plan waits for its client, whose calling off gives the units back and ends the decision", async () => {
  await using world = await house({ quota: 4 });
  const { test, dana, admin } = world;
  const at = test.ctx.now() + HOUR_MS;
  const id = await world.ready();
  await world.plan(id, at);
  const { revision } = await waitingOf(admin, id);
  assert.equal(await decide(admin, id, { revision, decision: "refused", reason: "בשבוע הבא" }), "204");
  assert.deepEqual(await waiting(admin), []);
  test.clock.now = at;
  assert.equal(await startPlans(test.ctx), 0);
  const { plan, approval } = await show(dana, id);
  assert.deepEqual([plan?.hold, approval?.reason], ["not_approved", "בשבוע הבא"]);
  const off = await dana.ask(`/api/campaigns/${id}/plan`, { method: "DELETE" });
  assert.deepEqual(await off.json(), { status: "ready", remainingQuota: 4 });
  assert.equal((await show(dana, id)).approval?.state, "needed");
  assert.deepEqual(await auditQueue(test.ctx.db), []);
});

Deno.test("a refused plan that is approved after all starts at its time", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const at = test.ctx.now() + HOUR_MS;
  const id = await world.ready();
  await world.plan(id, at);
  const { revision } = await waitingOf(admin, id);
  await decide(admin, id, { revision, decision: "refused", reason: "לא" });
  await decide(admin, id, { revision, decision: "approved" });
  test.clock.now = at;
  await startPlans(test.ctx);
  assert.equal((await show(dana, id)).status, "processing");
});

Deno.test("each run of a repeat waits for its own approval", async () => {
  await using world = await house();
  const { test, dana, admin } = world;
  const list = await makeList(dana);
  await loadFile(dana, list, ["טלפון", ...FOUR.split("\n")]);
  const source = await world.ready("0541000001");
  const made = await dana.ask("/api/series", {
    method: "POST",
    json: {
      campaign: source,
      choice: { lists: [list] },
      rule: { kind: "weekly", weekdays: [0, 1, 2, 3, 4, 5, 6] },
      minutes: 9 * 60,
      firstDay: "2026-11-23",
      lastDay: "2026-11-24",
    },
  });
  const { nextAt } = oneSeriesSchema.parse(await made.json());
  while (await makeRuns(test.ctx) > 0);
  const [run] = await waiting(admin);
  assert.deepEqual([run!.series, run!.plannedAt, run!.recipients], ["סתיו", nextAt, 4]);
  await passTo(test, nextAt!);
  while (await makeRuns(test.ctx) > 0);
  assert.equal(await startPlans(test.ctx), 0);
  await world.approve(run!.campaign.id);
  assert.equal(await startPlans(test.ctx), 1);
  assert.equal((await show(dana, run!.campaign.id)).status, "processing");
  assert.deepEqual((await waiting(admin)).map(({ plannedAt }) => plannedAt), [nextAt! + 24 * HOUR_MS]);
});

Deno.test("a restored database holds no approval: it may have been taken back since", async () => {
  await using world = await house();
  const { test, dana } = world;
  const id = await world.ready();
  await world.ask(id);
  await world.approve(id);
  await renewGeneration(test.ctx);
  assert.deepEqual((await show(dana, id)).approval?.state, "needed");
});

Deno.test("the database itself refuses a start without an approval", async () => {
  await using world = await house();
  const id = await world.ready();
  await assert.rejects(
    world.test.ctx.db.execute({
      sql:
        `UPDATE campaigns SET status = 'processing', send_at = 1, pressed_at = 1, send_day = 20261122, reserved = 4
        WHERE id = ?`,
      args: [id],
    }),
    /without its approval/,
  );
});

Deno.test("whatever is changed in any order, only what an administrator has seen goes out", async () => {
  const steps = fc.array(
    fc.constantFrom("comma", "number", "remove", "ask", "see", "approve", "send", "plan", "off", "tick"),
    { minLength: 5, maxLength: 25 },
  );
  await using world = await house({ from: 3, quota: 100_000 });
  const { test, dana, admin } = world;
  let made = 0;
  let gone = 0;
  const stateOf = async (id: number) => {
    const { rows: [row] } = await test.ctx.db.execute({
      sql: `SELECT message, planned_at, (SELECT json_group_array(phone) FROM (SELECT phone FROM deliveries
          WHERE campaign = c.id AND state = 'queued' ORDER BY phone)) AS phones FROM campaigns c WHERE id = ?`,
      args: [id],
    });
    return {
      message: row!.message,
      plannedAt: row!.planned_at,
      phones: JSON.parse(String(row!.phones)) as number[],
    };
  };
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      const id = await world.ready(FOUR.replaceAll("05410000", `054${String(100 + (++made % 800))}00`));
      let seen: WaitingApproval | undefined;
      let seenState: Awaited<ReturnType<typeof stateOf>> | undefined;
      let approvedState: typeof seenState;
      let more = 0;
      for (const step of acts) {
        if (step === "comma") {
          const message = `שלום${",".repeat(++more)}`;
          await dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json: { message } });
        } else if (step === "number") {
          await dana.ask(`/api/campaigns/${id}/contacts/manual`, {
            method: "POST",
            json: { numbers: `0559${String(made * 30 + ++more).padStart(6, "0")}` },
          });
        } else if (step === "remove") {
          const { phones } = await stateOf(id);
          if (phones.length > 4) {
            await suppressPhone(test.ctx, { client: dana.id, phone: `+${phones[0]}`, source: "manual" });
          }
        } else if (step === "ask") await world.ask(id);
        else if (step === "see") {
          seenState = await stateOf(id);
          seen = (await waiting(admin)).find(({ campaign }) => campaign.id === id);
        } else if (step === "approve" && seen !== undefined) {
          const answer = await decide(admin, id, { revision: seen.revision, decision: "approved" });
          if (answer === "204") approvedState = seenState;
        } else if (step === "send") await world.send(id);
        else if (step === "plan") await world.plan(id, test.ctx.now() + 1000);
        else if (step === "off") await dana.ask(`/api/campaigns/${id}/plan`, { method: "DELETE" });
        else if (step === "tick") {
          test.clock.now += 1000;
          await startPlans(test.ctx);
        }
        const { rows: [row] } = await test.ctx.db.execute({
          sql: "SELECT status FROM campaigns WHERE id = ?",
          args: [id],
        });
        if (row!.status !== "processing") continue;
        gone++;
        const sent = await stateOf(id);
        assert.ok(approvedState, "went without an approval");
        assert.equal(sent.message, approvedState.message);
        assert.equal(sent.plannedAt, approvedState.plannedAt);
        assert.ok(sent.phones.every((phone) => approvedState!.phones.includes(phone)), "somebody new");
        break;
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(gone > 0, "something went");
});
