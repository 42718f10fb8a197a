import type { Passwords } from "../auth/password.ts";
import type { EdgeContext } from "../context.ts";
import { watchSites } from "../admin/watch_sites.ts";
import { measureFleet } from "../admin/measure_fleet.ts";
import { createDice } from "./dice.ts";
import { makeCampaigns, planCampaigns } from "./make_campaigns.ts";
import { makeFleet } from "./make_fleet.ts";
import { makeHistory } from "./make_history.ts";
import { makePlans } from "./make_plans.ts";
import { loadQuota, makePeople } from "./make_people.ts";
import { type WorldName, WORLDS } from "./worlds.ts";

export interface MadeWorld {
  /** Null when an administrator already existed. */
  admin: string | null;
  clients: string[];
  campaigns: number;
  devices: number;
}

export interface WorldOptions {
  adminUsername: string;
  /** The password of every user. */
  password: string;
}

const DAY_MS = 24 * 60 * 60_000;
/** Any number; the same one makes the same world. */
const SEED = 20_261_122;

/**
 * Makes a named world in seconds, in a database that may hold other data. It makes users and quotas through the
 * application's functions, and weeks of fleet work through SQL. Ledger, counters and caps satisfy the auditor.
 *
 * @throws {Error} when it already exists
 */
export async function makeWorld(
  ctx: EdgeContext,
  passwords: Passwords,
  name: WorldName,
  options: WorldOptions,
): Promise<MadeWorld> {
  const world = WORLDS[name];
  const dice = createDice(SEED);
  // Activity lines are in time order: users and quotas date from two months before today.
  const past = { ...ctx, now: () => ctx.now() - 61 * DAY_MS };
  const { admin, clients } = await makePeople(past, passwords, world, { ...options, dice });
  const plans = planCampaigns(world, clients, { now: ctx.now(), dice });
  const short = world.troubles ? plans.find(({ status }) => status === "ready")?.client : undefined;
  for (const client of clients) {
    const reserved = plans.reduce((sum, plan) => sum + (plan.client === client.id ? plan.reserved : 0), 0);
    const ample = name === "empty" ? 500 : dice.whole(0, 20) * 250;
    const left = client.id === short ? 0 : ample;
    await loadQuota(past, client, admin?.id ?? client.id, reserved + left);
  }
  const accounts = await makeFleet(ctx, world, dice);
  await makeCampaigns(ctx, plans, accounts);
  await makeHistory(ctx, world, dice);
  await makePlans(ctx, world.troubles);
  await watchSites(ctx);
  await measureFleet(ctx);
  return {
    admin: admin?.username ?? null,
    clients: clients.map(({ username }) => username),
    campaigns: plans.length,
    devices: world.devices,
  };
}
