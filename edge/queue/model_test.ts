/** Random histories of the real verbs on a real database; after every step the invariants are recomputed. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { HttpError } from "../http/http_error.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { type Fate, ModelSite } from "../testing/model_site.ts";
import { recalled } from "../testing/queue_acts.ts";
import { revokeSite } from "../agents/revoke_site.ts";
import { auditQueue } from "./audit.ts";
import { cancelCampaign } from "./cancel.ts";
import { expireLeases } from "./expire_leases.ts";
import { SupersededError } from "./fence.ts";
import { flipCancelled } from "./flip_cancelled.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";
import { sendCampaign } from "./send.ts";
import { settleSilent } from "./settle_silent.ts";
import { suppressPhone } from "./suppress.ts";

const SITES = 2;
const CAMPAIGNS = 2;
const CONTACTS = 3;

const site = fc.nat(SITES - 1);
const campaign = fc.nat(CAMPAIGNS - 1);
const lost = fc.integer({ min: 0, max: 5 }).map((n) => n === 0);
const FATES: readonly Fate[] = ["sent", "failed", "void", "temporary", "lost_proof", "no_proof"];
const fate = fc.constantFrom(...FATES);

/** How often each act is tried; random histories come deep only when the usual road is the likely one. */
const step = fc.oneof(
  weigh(2, fc.record({ act: fc.constant("send" as const), campaign })),
  weigh(
    6,
    fc.record({ act: fc.constant("pull" as const), site, room: fc.integer({ min: 1, max: 3 }), lost }),
  ),
  weigh(6, fc.record({ act: fc.constant("acknowledge" as const), site, lost })),
  weigh(7, fc.record({ act: fc.constant("work" as const), site, fate })),
  weigh(6, fc.record({ act: fc.constant("report" as const), site, lost })),
  weigh(2, fc.record({ act: fc.constant("reconnect" as const), site, fault: fc.constant("none" as const) })),
  weigh(
    1,
    fc.record({
      act: fc.constant("reconnect" as const),
      site,
      fault: fc.constantFrom("restart" as const, "journal_lost" as const),
    }),
  ),
  weigh(1, fc.record({ act: fc.constant("recall" as const), site })),
  weigh(2, fc.record({ act: fc.constantFrom("expire" as const, "flip" as const, "silence" as const) })),
  weigh(
    2,
    fc.record({ act: fc.constantFrom("pause" as const, "resume" as const, "resume" as const), campaign }),
  ),
  weigh(1, fc.record({ act: fc.constant("cancel" as const), campaign })),
  weigh(
    1,
    fc.record({
      act: fc.constant("resolve" as const),
      campaign,
      as: fc.constantFrom("sent" as const, "failed" as const),
    }),
  ),
  weigh(4, fc.record({ act: fc.constant("resolve" as const), campaign, as: fc.constant("resend" as const) })),
  weigh(1, fc.record({ act: fc.constant("suppress" as const), contact: fc.nat(CONTACTS - 1) })),
  weigh(1, fc.record({ act: fc.constant("grant" as const) })),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function weigh<T>(weight: number, arbitrary: fc.Arbitrary<T>) {
  return { weight, arbitrary };
}

for (
  const { database, numRuns } of [{ database: "file", numRuns: 200 }, { database: "remote", numRuns: 20 }]
) {
  Deno.test(`the queue's verbs in any order keep I1, I2, I3 and I7, and end when the faults end (${database})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60, size: "max" }), async (steps) => {
        await using world = await openWorld({ remote: database === "remote" });
        await world.take({ act: "send", campaign: 0 });
        for (const one of steps) {
          await world.take(one);
          await world.check();
        }
        await world.settle();
      }),
      { numRuns, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
    );
  });
}

Deno.test("revokeSite() in any history settles what the site held (rule 16)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await using world = await openWorld();
      await world.take({ act: "send", campaign: 0 });
      for (const one of steps) await world.take(one);
      await revokeSite(world.fleet.ctx, world.sites[0].site.site);
      await world.check();
      const held = await world.fleet.one(
        `SELECT count(*) AS n FROM deliveries WHERE state = 'leased' AND site = ${world.sites[0].site.site}`,
      );
      assert.equal(held.n, 0);
    }),
    { numRuns: 30 },
  );
});

async function openWorld({ remote = false } = {}) {
  const fleet = await openFleet({ remote });
  const { ctx } = fleet;
  // Enough for both campaigns, but for nothing more: late truth finds an empty balance.
  const client = await fleet.addClient(CAMPAIGNS * CONTACTS);
  const owner = { ...client, role: "client" as const };
  const taps = new Map<string, number>();
  const campaigns: number[] = [];
  for (let n = 0; n < CAMPAIGNS; n++) campaigns.push((await fleet.addCampaign(client, CONTACTS)).id);
  const sites: ModelSite[] = [];
  for (let n = 0; n < SITES; n++) sites.push(new ModelSite(fleet, await fleet.addSite(1, 2), taps));

  async function take(one: Step): Promise<void> {
    try {
      await act(one);
    } catch (error) {
      // A person may ask for what is not possible now; a site's connection is always its present one here.
      if (!(error instanceof HttpError) || error instanceof SupersededError) throw error;
    }
  }

  async function act(one: Step): Promise<unknown> {
    switch (one.act) {
      case "send":
        return await sendCampaign(ctx, client, campaigns[one.campaign]);
      case "pull":
        return await sites[one.site].pull(one.room, one.lost);
      case "acknowledge":
        return await sites[one.site].acknowledge(one.lost);
      case "work":
        return sites[one.site].work(one.fate);
      case "report":
        return await sites[one.site].report(one.lost);
      case "reconnect":
        return await sites[one.site].reconnect(one.fault);
      case "recall":
        return await deliverRecalls(fleet, sites[one.site]);
      case "expire":
        fleet.pass(LEASE_TTL_MS + 1);
        return await expireLeases(ctx);
      case "flip":
        return await flipCancelled(ctx);
      case "silence":
        fleet.pass(SILENCE_LIMIT_MS + 1);
        return await settleSilent(ctx);
      case "pause":
        return await pauseCampaign(ctx, owner, campaigns[one.campaign]);
      case "resume":
        return await resumeCampaign(ctx, owner, campaigns[one.campaign]);
      case "cancel":
        return await cancelCampaign(ctx, owner, campaigns[one.campaign]);
      case "resolve":
        return await resolveDeliveries(ctx, client, campaigns[one.campaign], { ids: "all", as: one.as });
      case "suppress":
        return await suppressPhone(ctx, {
          phone: `+${972540000001 + one.contact}`,
          client: client.id,
          source: "model",
        });
      case "grant":
        return await ctx.db.execute(
          `INSERT INTO quota_ledger (client, at, kind, delta) VALUES (${client.id}, 0, 'grant', 1)`,
        );
    }
  }

  async function check(): Promise<void> {
    assert.deepEqual(await auditQueue(ctx.db), []);
    for (const row of await rows()) {
      assert.ok(row.taps <= 1 + row.resent, `I2: ${row.taps} taps of ${row.key} after ${row.resent} resends`);
    }
  }

  /** The faults end: everything is recalled, tapped, reported, and the campaigns go to their end. */
  async function settle(): Promise<void> {
    for (const id of campaigns) await resumeCampaign(ctx, owner, id).catch(() => {});
    for (let round = 0; round < 20 && (round === 0 || (await running()).length > 0); round++) {
      for (const one of sites) {
        await one.reconnect("none");
        while (await one.pull(3, false) > 0) {
          await one.acknowledge(false);
          while (one.openRows > 0) {
            one.work("sent");
            await one.report(false);
          }
        }
        one.work("sent");
        await one.report(false);
      }
      // The longest wait of a retry.
      fleet.pass(RETRY_DELAYS_MS[2]);
      await expireLeases(ctx);
      await flipCancelled(ctx);
    }
    await check();
    assert.ok(sites.every((one) => one.openRows === 0), "a journal is not empty");
    assert.deepEqual(await running(), [], "I1: a campaign did not end");
    for (const row of await rows()) {
      const byPerson = row.by === 2;
      if (row.state === "sent" && !byPerson) {
        assert.ok(row.taps > 0, `${row.key} is sent and was never tapped`);
      }
      if (["failed", "cancelled", "skipped"].includes(row.state) && !byPerson) {
        assert.equal(row.taps, 0, `${row.key} was tapped and is ${row.state}`);
      }
    }
  }

  async function running(): Promise<unknown[]> {
    return (await ctx.db.execute(
      "SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused')",
    )).rows;
  }

  async function rows() {
    const result = await ctx.db.execute("SELECT campaign, phone, state, by, resent FROM deliveries");
    return result.rows.map((row) => {
      const key = `${row.campaign} +${row.phone}`;
      return {
        key,
        taps: taps.get(key) ?? 0,
        state: String(row.state),
        by: row.by,
        resent: Number(row.resent),
      };
    });
  }

  return {
    fleet,
    sites,
    take,
    check,
    settle,
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  };
}

async function deliverRecalls(fleet: Fleet, to: ModelSite): Promise<void> {
  for (const { site, token, phones } of await recalled(fleet)) {
    if (site === to.site.site) to.giveUp(token, phones);
  }
}
