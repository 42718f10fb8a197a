import assert from "node:assert/strict";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { flipCancelled } from "../queue/flip_cancelled.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { renewGeneration } from "../sites/generation.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { World } from "../testing/protocol_world.ts";
import { readDeliveryStory } from "./delivery_story.ts";

const ADMIN = { client: 0, person: 0, username: "", role: "admin", duty: "owner", sessionHash: "" } as const;

/**
 * Returns each step as one line: attempt, actor, state, reason, and the fate of a site's report. It names the site when
 * it is not the first one.
 */
async function storyOf(world: World): Promise<string[]> {
  const { fleet, campaign } = world;
  const { history } = await readDeliveryStory(fleet.ctx, ADMIN, campaign.id, 1);
  return history.map(({ attempt, by, what, reason, result, site }) =>
    [attempt, `by ${by}`, what, reason, result === "applied" ? null : result, site === "אתר 1" ? null : site]
      .filter((part) => part !== null).join(" ")
  );
}

const LEASED_1 = ["1 by 0 leased", "1 by 1 acked"];

/** Scenarios and the history that each must produce. Two sites take turns with the attempts. */
const STORIES: Record<string, { happens: (w: World) => Promise<unknown>; story: string[] }> = {
  "a first try that succeeds": {
    happens: async (w) => {
      await w.take();
      await w.report("sent");
      await w.report("sent");
    },
    story: [...LEASED_1, "1 by 1 sent"],
  },
  "a first try that fails": {
    happens: async (w) => {
      await w.take();
      await w.report("failed");
    },
    story: [...LEASED_1, "1 by 1 failed not_on_app"],
  },
  "an offer that nobody acknowledged, then a second site": {
    happens: async (w) => {
      await w.pull();
      await w.wait(LEASE_TTL_MS + 1);
      await w.take();
      await w.report("sent");
    },
    story: [
      "1 by 0 leased",
      "1 by 0 queued offer_expired",
      "2 by 0 leased אתר 2",
      "2 by 1 acked אתר 2",
      "2 by 1 sent אתר 2",
    ],
  },
  "an offer lost with the connection, one taken back by a pause, one with its site": {
    happens: async (w) => {
      await w.pull();
      await w.hello({ open: [] });
      await w.pull();
      await pauseCampaign(w.fleet.ctx, w.owner, w.campaign.id);
      await resumeCampaign(w.fleet.ctx, w.owner, w.campaign.id);
      await w.pull();
      await revokeSite(w.fleet.ctx, w.attempt("own").site.site);
    },
    story: [
      "1 by 0 leased",
      "1 by 0 queued offer_not_confirmed",
      "2 by 0 leased אתר 2",
      "2 by 0 queued campaign_paused אתר 2",
      "3 by 0 leased",
      "3 by 0 queued site_revoked",
    ],
  },
  "four passing failures": {
    happens: async (w) => {
      for (const delayMs of [...RETRY_DELAYS_MS, 0]) {
        await w.take();
        await w.report("void", "own", true);
        w.fleet.pass(delayMs);
      }
    },
    story: [
      ...[1, 2, 3, 4].flatMap((attempt) => {
        const site = attempt % 2 === 0 ? " אתר 2" : "";
        const tail = attempt === 4 ? [`4 by 1 failed retries_exhausted${site}`] : [];
        return [
          `${attempt} by 0 leased${site}`,
          `${attempt} by 1 acked${site}`,
          `${attempt} by 1 void device_offline${site}`,
          ...tail,
        ];
      }),
    ],
  },
  "24 hours of silence, a resend, a failure in doubt, and the truth at last": {
    happens: async (w) => {
      await w.take();
      await w.wait(SILENCE_LIMIT_MS + 1);
      await w.resolve("resend");
      await w.take();
      await w.report("failed");
      w.fleet.pass(1);
      await w.report("void", "earlier");
      await w.report("sent", "earlier");
    },
    story: [
      ...LEASED_1,
      "1 by 3 unknown site_silent",
      "1 by 2 queued",
      "2 by 0 leased אתר 2",
      "2 by 1 acked אתר 2",
      "2 by 1 failed not_on_app אתר 2",
      "2 by 5 unknown earlier_attempt_open אתר 2",
      "1 by 1 void device_offline",
      "1 by 1 sent known",
      "2 by 1 failed device_offline אתר 2",
    ],
  },
  "an earlier attempt that was sent after all": {
    happens: async (w) => {
      await w.take();
      await w.wait(SILENCE_LIMIT_MS + 1);
      await w.resolve("resend");
      await w.take();
      w.fleet.pass(1);
      await w.report("sent", "earlier");
      await w.report("void");
    },
    story: [
      ...LEASED_1,
      "1 by 3 unknown site_silent",
      "1 by 2 queued",
      "2 by 0 leased אתר 2",
      "2 by 1 acked אתר 2",
      "1 by 1 sent",
      "2 by 1 void device_offline אתר 2",
    ],
  },
  "a journal lost, and a person who decides, and the site that knew": {
    happens: async (w) => {
      await w.take();
      await w.hello({ open: [] });
      await w.resolve("failed");
      await w.report("failed");
      await w.report("sent");
    },
    story: [
      ...LEASED_1,
      "1 by 4 unknown journal_lost",
      "1 by 2 failed resolved_by_person",
      "1 by 1 failed not_on_app known",
      "1 by 1 sent",
    ],
  },
  "a journal doubted": {
    happens: async (w) => {
      await w.take();
      await w.hello({ open: w.listed(), counterAtOpen: 1 });
      await w.report("void");
      await w.resolve("sent");
    },
    story: [
      ...LEASED_1,
      "1 by 6 unknown journal_doubted",
      "1 by 1 void device_offline known",
      "1 by 2 sent resolved_by_person",
    ],
  },
  "a site revoked, and another site that speaks for it": {
    happens: async (w) => {
      await w.take();
      await revokeSite(w.fleet.ctx, w.attempt("own").site.site);
      await w.reportAs(w.sites[1]!, w.attempt("own").lease, "sent");
    },
    story: [...LEASED_1, "1 by 3 unknown site_revoked", "1 by 1 sent stale אתר 2"],
  },
  "a claim under a token that nobody was given": {
    happens: async (w) => {
      await w.take();
      w.fleet.pass(10);
      const lease = { ...w.attempt("own").lease, token: "f".repeat(32) };
      await w.reportAs(w.sites[1]!, lease, "sent");
    },
    story: [...LEASED_1, "1 by 1 sent stale אתר 2"],
  },
  "a cancel while a site holds it": {
    happens: async (w) => {
      await w.take();
      await w.cancel();
      await w.report("void");
    },
    story: [...LEASED_1, "1 by 1 void device_offline", "1 by 1 cancelled cancelled_by_client"],
  },
  "a cancel while it waits for its second try": {
    happens: async (w) => {
      await w.take();
      await w.report("void");
      await w.cancel();
      await flipCancelled(w.fleet.ctx);
    },
    story: [...LEASED_1, "1 by 1 void device_offline", "1 by 0 cancelled cancelled_by_client"],
  },
  "an opt-out of an offer": {
    happens: async (w) => {
      await w.pull();
      await w.suppress();
    },
    story: ["1 by 0 leased", "1 by 0 skipped opted_out"],
  },
  "an opt-out before any try": { happens: (w) => w.suppress(), story: ["0 by 0 skipped opted_out"] },
  "nothing yet": { happens: async () => {}, story: [] },
  "a restored database that learns of a tap": {
    happens: async (w) => {
      const [site] = w.sites;
      await renewGeneration(w.fleet.ctx);
      await w.fleet.reconnect(site!);
      const { value } = await w.fleet.one("SELECT value FROM system WHERE key = 'generation'");
      const item = {
        campaign: w.campaign.id,
        phone: w.phone,
        token: "c".repeat(32),
        attempt: 3,
        account: null,
      };
      const items = [{ ...item, outcome: "tapping" as const, at: 1 }];
      await takeOutcomes(w.fleet.ctx, site!, {
        type: "outcomes",
        generation: String(value),
        items,
        last: true,
      });
    },
    story: ["3 by 1 unknown"],
  },
};

for (const [name, { happens, story }] of Object.entries(STORIES)) {
  Deno.test(`readDeliveryStory() shows ${name}`, async () => {
    await using world = await World.open(true);
    await happens(world);
    assert.deepEqual(await storyOf(world), story);
  });
}

Deno.test("a first try that succeeds writes no history", async () => {
  await using world = await World.open(true);
  await world.take();
  await world.report("sent");
  assert.equal((await world.fleet.one("SELECT count(*) AS n FROM attempts")).n, 0);
});

Deno.test("readDeliveryStory() returns the times, device, account and time of the tap", async () => {
  await using world = await World.open(true);
  const leasedAt = world.fleet.ctx.now();
  const lease = await world.pull();
  world.fleet.pass(10);
  await world.acknowledge();
  world.fleet.pass(10);
  await world.report("sent");
  const campaign = world.campaign.id;
  const story = await readDeliveryStory(world.fleet.ctx, ADMIN, campaign, 1);
  assert.deepEqual([story.phone, story.state], ["+97254•••0001", "sent"]);
  assert.deepEqual(story.history.map((step) => step.at - leasedAt), [0, 10, 20]);
  assert.deepEqual(new Set(story.history.map((step) => step.account)), new Set([lease?.items[0]?.account]));
  await assert.rejects(readDeliveryStory(world.fleet.ctx, ADMIN, campaign, 99), { code: "not_found" });
  await assert.rejects(readDeliveryStory(world.fleet.ctx, ADMIN, 2, 1), {
    code: "not_found",
  });
});
