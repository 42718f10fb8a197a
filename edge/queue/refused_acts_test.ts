/** Permitted actions on a campaign, by person and by status. A refused action changes no row anywhere. */
import assert from "node:assert/strict";
import { HttpError } from "../http/http_error.ts";
import { tripCampaign } from "../health/trip_campaign.ts";
import { allRows } from "../testing/all_rows.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { cancelCampaign } from "./cancel.ts";
import type { Actor } from "./own_campaign.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { resumeCampaign } from "./resume.ts";
import { sendCampaign } from "./send.ts";

interface Scene {
  fleet: Fleet;
  campaign: number;
  actors: Record<Who, Actor>;
}
type Who = "owner" | "admin" | "stranger";

const ADMIN: Actor = { client: 0, person: 0, role: "admin" };

/** One row of each kind in a running campaign: resent, unknown, acknowledged, offered, and queued ones. */
async function run(fleet: Fleet): Promise<Scene> {
  const { id, client } = await sendNew(fleet, 7);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site, 1), "unknown");
  await resolveDeliveries(fleet.ctx, client, id, { ids: "all", as: "resend" });
  await report(fleet, site, await take(fleet, site, 1), "unknown");
  await take(fleet, site, 1);
  assert.ok(await pull(fleet, site, 1));
  return await sceneOf(fleet, id, client);
}

async function sceneOf(fleet: Fleet, campaign: number, client: { id: number }): Promise<Scene> {
  const stranger = await fleet.addClient(100);
  await fleet.ctx.db.execute({
    sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, 0, 'grant', 100)",
    args: [client.id],
  });
  const as = ({ id }: { id: number }): Actor => ({ client: id, person: id, role: "client" });
  return { fleet, campaign, actors: { owner: as(client), admin: ADMIN, stranger: as(stranger) } };
}

async function unsent(fleet: Fleet, status: string): Promise<Scene> {
  const client = await fleet.addClient(0);
  const { id } = await fleet.addCampaign(client, 3);
  await fleet.ctx.db.execute({ sql: "UPDATE campaigns SET status = ?", args: [status] });
  return await sceneOf(fleet, id, client);
}

async function ended(fleet: Fleet, outcome: "sent" | "unknown"): Promise<Scene> {
  const { id, client } = await sendNew(fleet, 1);
  const site = await fleet.addSite();
  await report(fleet, site, await take(fleet, site), outcome);
  return await sceneOf(fleet, id, client);
}

/** Performs `act` on a running campaign, as its owner or an administrator. */
async function after(fleet: Fleet, who: Who, act: typeof pauseCampaign): Promise<Scene> {
  const scene = await run(fleet);
  await act(fleet.ctx, scene.actors[who], scene.campaign);
  return scene;
}

const STANDS: Record<string, (fleet: Fleet) => Promise<Scene>> = {
  draft: (fleet) => unsent(fleet, "draft"),
  ready: (fleet) => unsent(fleet, "ready"),
  active: run,
  "paused by its owner": (fleet) => after(fleet, "owner", pauseCampaign),
  "paused by an administrator": (fleet) => after(fleet, "admin", pauseCampaign),
  "paused by a breaker": async (fleet) => {
    const scene = await run(fleet);
    const why = { signal: "failed", count: 6, sample: 50 } as const;
    assert.ok(await tripCampaign(fleet.ctx, { id: scene.campaign, name: "" }, why));
    return scene;
  },
  completed: (fleet) => ended(fleet, "sent"),
  "completed with an unknown": (fleet) => ended(fleet, "unknown"),
  cancelled: (fleet) => after(fleet, "owner", cancelCampaign),
};

const ACTS: Record<string, (scene: Scene, actor: Actor) => Promise<unknown>> = {
  send: ({ fleet, campaign }, actor) => sendCampaign(fleet.ctx, actor, campaign),
  pause: ({ fleet, campaign }, actor) => pauseCampaign(fleet.ctx, actor, campaign),
  resume: ({ fleet, campaign }, actor) => resumeCampaign(fleet.ctx, actor, campaign),
  "resume naming another reason": ({ fleet, campaign }, actor) =>
    resumeCampaign(fleet.ctx, actor, campaign, 99),
  "resume naming an older reason": ({ fleet, campaign }, actor) =>
    resumeCampaign(fleet.ctx, actor, campaign, 0),
  cancel: ({ fleet, campaign }, actor) => cancelCampaign(fleet.ctx, actor, campaign),
  "resolve sent": (scene, actor) => resolve(scene, actor, "sent"),
  "resolve failed": (scene, actor) => resolve(scene, actor, "failed"),
  "resolve resend": (scene, actor) => resolve(scene, actor, "resend"),
};

function resolve(
  { fleet, campaign }: Scene,
  actor: Actor,
  as: "sent" | "failed" | "resend",
): Promise<unknown> {
  return resolveDeliveries(fleet.ctx, actor, campaign, { ids: "all", as });
}

const RESOLVES = ["resolve sent", "resolve failed", "resolve resend"];
/** By status: the permitted people for each action; all others are refused. */
const MAY: Record<string, Partial<Record<Who, string[]>>> = {
  ready: { owner: ["send"] },
  active: { owner: ["pause", "cancel", ...RESOLVES], admin: ["pause", "cancel"] },
  "paused by its owner": {
    owner: ["resume", "resume naming another reason", "resume naming an older reason", "cancel", ...RESOLVES],
    admin: ["resume", "resume naming another reason", "resume naming an older reason", "cancel"],
  },
  "paused by an administrator": {
    owner: ["cancel", ...RESOLVES],
    admin: ["resume", "resume naming another reason", "resume naming an older reason", "cancel"],
  },
  "paused by a breaker": { owner: ["cancel", ...RESOLVES], admin: ["cancel"] },
  "completed with an unknown": { owner: RESOLVES },
  cancelled: { owner: ["resolve sent", "resolve failed"] },
};

for (const [stand, make] of Object.entries(STANDS)) {
  const mayDo = (who: Who) => MAY[stand]?.[who] ?? [];

  Deno.test(`refused acts change nothing of a campaign that is ${stand}, for every caller`, async () => {
    await using fleet = await openFleet();
    const scene = await make(fleet);
    fleet.pass(1_000);
    const look = async (who: Who) => {
      const rows = await allRows(fleet.ctx.db);
      // Repeated advice to sites is no change, if the person was allowed to give it.
      const isAdvice = (row: unknown) => who !== "stranger" && (row as { type: string }).type === "recall";
      return { ...rows, events: rows.events!.filter((row) => !isAdvice(row)) };
    };
    for (const who of Object.keys(scene.actors) as Who[]) {
      const before = await look(who);
      for (const [name, act] of Object.entries(ACTS)) {
        if (mayDo(who).includes(name)) continue;
        await assert.rejects(act(scene, scene.actors[who]), HttpError, `${name} by ${who}`);
        assert.deepEqual(await look(who), before, `${name} by ${who}`);
      }
    }
  });

  for (const who of ["owner", "admin"] as const) {
    for (const name of mayDo(who)) {
      Deno.test(`the ${who} may ${name} a campaign that is ${stand}`, async () => {
        await using fleet = await openFleet();
        const scene = await make(fleet);
        await ACTS[name]!(scene, scene.actors[who]);
      });
    }
  }
}

/** Status → action: a request may be on its way when its author is disabled and the running campaigns are paused. */
const STARTS = {
  ready: "send",
  "paused by its owner": "resume",
  "completed with an unknown": "resolve resend",
};
for (const [stand, name] of Object.entries(STARTS)) {
  Deno.test(`a disabled user starts nothing with a last ${name}`, async () => {
    await using fleet = await openFleet();
    const scene = await STANDS[stand]!(fleet);
    await fleet.ctx.db.execute({
      sql: "UPDATE users SET disabled = 1 WHERE id = ?",
      args: [scene.actors.owner.client],
    });
    fleet.pass(1_000);
    const before = await allRows(fleet.ctx.db);
    await assert.rejects(ACTS[name]!(scene, scene.actors.owner), HttpError);
    assert.deepEqual(await allRows(fleet.ctx.db), before);
  });
}
