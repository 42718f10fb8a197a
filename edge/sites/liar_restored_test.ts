/** The limits of a site that keeps no rule, over a real socket, while a restored database waits for its outcomes. */
import assert from "node:assert/strict";
import { MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { type Liar, openLiar } from "../testing/liar_agent.ts";
import { reportLostTime } from "../testing/lost_time.ts";
import type { TestSite } from "../testing/fleet.ts";
import {
  balanceOf,
  openRows,
  pull,
  report,
  sendNew,
  type SentCampaign,
  statusOf,
  take,
} from "../testing/queue_acts.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { renewGeneration } from "./generation.ts";
import type { OutcomesFrame } from "./outcomes.ts";
import { revokeSite } from "./revoke_site.ts";
import { writeOffSite } from "./write_off_site.ts";

interface Ground extends AsyncDisposable {
  door: AgentDoorTest;
  honest: TestSite;
  campaign: SentCampaign;
  /** Two numbers of the campaign, held by the honest site. */
  lease: LeaseFrame;
  liar: Liar;
  /** Outcomes of the present generation, as the liar reports them. */
  outcomes(items: OutcomesFrame["items"], last?: boolean): OutcomesFrame;
  /** Returns a `sent` of one number, under a token of the liar's own by default. */
  sent(phone: string, more?: Partial<OutcomesFrame["items"][number]>): OutcomesFrame["items"][number];
}

/** The database was put back while an honest site held two of four rows; it waits for that site and for a liar. */
async function openGround(): Promise<Ground> {
  const door = await openAgentDoor();
  const { fleet } = door;
  const campaign = await sendNew(fleet, 4);
  const honest = await fleet.addSite();
  const lease = await take(fleet, honest, 2);
  const site = await door.enroll();
  await renewGeneration(fleet.ctx);
  await fleet.reconnect(honest, { open: openRows(lease) });
  const liar = await openLiar(door, { site });
  return {
    door,
    honest,
    campaign,
    lease,
    liar,
    outcomes: (items, last = false) => ({
      type: "outcomes",
      generation: liar.agent.generation,
      items,
      last,
    }),
    sent: (phone, more) => ({
      campaign: campaign.id,
      phone,
      token: "f".repeat(32),
      attempt: 9,
      outcome: "sent",
      account: null,
      at: Number.MAX_SAFE_INTEGER,
      ...more,
    }),
    async [Symbol.asyncDispose]() {
      await liar[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
    },
  };
}

/** The honest site answers without outcomes, and its own report ends the rows that it held. */
async function honestGoesOn({ door: { fleet }, honest, campaign, lease }: Ground): Promise<void> {
  await reportLostTime(fleet, honest, campaign, []);
  assert.deepEqual([...new Set(await report(fleet, honest, lease, "sent"))], ["applied"]);
}

Deno.test("a lying site that never sends its last outcomes holds up the others until it is written off (rule 17)", async () => {
  await using ground = await openGround();
  const { door: { fleet }, honest, campaign, liar } = ground;
  await liar.sends(ground.outcomes([]), 3);
  await honestGoesOn(ground);
  assert.equal(await pull(fleet, honest), null, "the liar has not told all");
  await writeOffSite(fleet.ctx, liar.site);
  const waiting = campaign.phones.slice(2);
  await liar.sends(ground.outcomes([], true));
  await liar.sends(ground.outcomes(waiting.map((phone) => ground.sent(phone))), 3);
  const rest = await take(fleet, honest);
  assert.deepEqual(rest.items.map(({ phone }) => phone), waiting, "nothing is heard after its last");
  await report(fleet, honest, rest, "sent");
  assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent", "sent", "sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

for (const outcome of ["sent", "unknown", "tapping", "void", "failed"] as const) {
  Deno.test(`a lying site that reports ${outcome} for an honest site's rows takes none of them, however often (rules 8 and 17)`, async () => {
    await using ground = await openGround();
    const { door: { fleet }, honest, campaign, lease, liar } = ground;
    // Under its own token, and under the holder's: of the same attempt, an earlier and a later one.
    const items = lease.items.flatMap(({ phone, attempt }) =>
      [lease.token, "f".repeat(32)].flatMap((token) =>
        [1, attempt, attempt + 5].map((one) => ground.sent(phone, { token, attempt: one, outcome }))
      )
    );
    await liar.sends(ground.outcomes(items), 3);
    const states = (await fleet.states(campaign.id)).slice(0, 2);
    for (const state of states) assert.ok(["leased", "unknown"].includes(state), state);
    const { n: alerts } = await fleet.one("SELECT count(*) AS n FROM activity WHERE code = 'told_of_others'");
    assert.ok(Number(alerts) <= 1, `${alerts} alerts`);
    await writeOffSite(fleet.ctx, liar.site);
    await liar.sends(ground.outcomes(items, true), 3);
    await honestGoesOn(ground);
    assert.deepEqual(
      (await fleet.states(campaign.id)).slice(0, 2),
      ["sent", "sent"],
      "the holder's word is heard",
    );
    const rest = await take(fleet, honest);
    await report(fleet, honest, rest, "sent");
    assert.deepEqual(await fleet.states(campaign.id), ["sent", "sent", "sent", "sent"]);
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
}

Deno.test("a lying site that reports every number fills a bounded part of a restored database, and sends no campaign", async () => {
  await using ground = await openGround();
  const { door: { fleet }, campaign, lease, liar } = ground;
  const client = await fleet.addClient(3);
  const unsent = await fleet.addCampaign(client, 3);
  const digits = (no: number) => no.toString(16).padStart(32, "0");
  // Full frames; each item has its own attempt, phone and account.
  for (let frame = 0; frame < 5; frame++) {
    const items = Array.from({ length: MAX_REPORT_ITEMS }, (_, no) => {
      const one = frame * MAX_REPORT_ITEMS + no;
      const { id, phones } = no % 2 === 0 ? campaign : unsent;
      return ground.sent(phones[one % 3]!, {
        campaign: id,
        token: digits(one + 1),
        attempt: one + 1,
        account: `ghost${one}/com.whatsapp/0`,
        outcome: one % 3 === 0 ? "sent" : "unknown",
      });
    });
    await liar.sends(ground.outcomes(items));
  }
  const count = async (sql: string) => Number((await fleet.one(`SELECT count(*) AS n FROM ${sql}`)).n);
  assert.ok(await count(`devices WHERE site = ${liar.site}`) <= MAX_SITE_DEVICES);
  assert.ok(await count(`accounts WHERE site = ${liar.site}`) <= MAX_SITE_ACCOUNTS);
  for (const table of ["attempts", "resends"]) {
    const { most } = await fleet.one(
      `SELECT coalesce(max(n), 0) AS most FROM (SELECT count(*) AS n FROM ${table} GROUP BY campaign, phone)`,
    );
    assert.ok(Number(most) <= 60, `${most} ${table} of one delivery`);
  }
  assert.equal(await statusOf(fleet, unsent), "ready");
  assert.equal(await balanceOf(fleet, client), 3, "nothing is charged that its owner did not send");
  await revokeSite(fleet.ctx, liar.site);
  await honestGoesOn(ground);
  const held = lease.items.map(({ phone }) => campaign.phones.indexOf(phone));
  const states = await fleet.states(campaign.id);
  assert.deepEqual(held.map((at) => states[at]), ["sent", "sent"]);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("a restored database refuses more outcomes than a frame may hold", async () => {
  await using ground = await openGround();
  const { door: { fleet }, campaign, liar } = ground;
  const before = await fleet.states(campaign.id);
  const items = Array.from({ length: MAX_REPORT_ITEMS + 1 }, () => ground.sent(campaign.phones[2]!));
  liar.agent.send(ground.outcomes(items, true));
  assert.equal((await liar.agent.closed).code, 4400);
  assert.deepEqual(await fleet.states(campaign.id), before);
});
