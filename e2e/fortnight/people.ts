/** Acts of people in a fortnight: clients send, pause and resume; administrators manage accounts and lists. */
import { releaseAccount } from "../../edge/health/release_account.ts";
import { cancelCampaign } from "../../edge/queue/cancel.ts";
import { pauseCampaign } from "../../edge/queue/pause.ts";
import { resumeCampaign } from "../../edge/queue/resume.ts";
import { sendCampaign } from "../../edge/queue/send.ts";
import type { CampaignPlan } from "./plan.ts";
import type { World } from "./world.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ADMIN = { client: 0, person: 0, role: "admin" as const };
/** Number and length of the lists that arrive as a file. */
const FILES = { count: 3, length: 150 };
const SINGLES = 80;

/** Schedules all acts of people. */
export function engage(world: World): void {
  const { plan, clock } = world;
  for (const campaign of plan.campaigns) clock.at(campaign.sendAt, () => send(world, campaign));
  for (let at = plan.startsAt; at < plan.endsAt; at += 3 * HOUR_MS) clock.at(at, () => lookAround(world));
  const anyone = () => campaignsPhones(world)[Math.floor(world.random() * campaignsPhones(world).length)]!;
  for (let no = 0; no < SINGLES; no++) {
    const client = no % 2 === 0 ? null : no % plan.size.clients;
    clock.at(sometime(world), () => world.suppress(client, [anyone()]));
  }
  for (let no = 0; no < FILES.count; no++) {
    const phones = Array.from({ length: FILES.length }, anyone);
    clock.at(sometime(world), () => world.suppress(no % plan.size.clients, phones));
  }
  for (const account of [...world.accounts.values()].filter(() => world.chance(0.06))) {
    const at = sometime(world);
    clock.at(at, () => void (account.state = account.state === "banned" ? "banned" : "restricted"));
    clock.at(at + 2 * DAY_MS, async () => {
      if (account.state === "restricted") account.state = "ok";
      await account.site.sendInventory();
    });
  }
}

/** Cancels campaigns still running at the end. */
export async function callOff(world: World): Promise<void> {
  for (const id of world.campaigns.keys()) {
    const { status } = await world.fleet.one(`SELECT status FROM campaigns WHERE id = ${id}`);
    const isOpen = ["processing", "active", "paused"].includes(String(status));
    if (isOpen) await cancelCampaign(world.fleet.ctx, ADMIN, id);
  }
}

function sometime(world: World): number {
  const { startsAt, endsAt } = world.plan;
  return startsAt + world.random() * (endsAt - startsAt - 3 * DAY_MS);
}

function campaignsPhones({ plan }: World): string[] {
  return plan.campaigns[0]!.phones.map((phone) => `+${phone}`);
}

async function send(world: World, campaign: CampaignPlan): Promise<void> {
  const { ctx } = world.fleet;
  const client = world.clients[campaign.client]!;
  const { rows: [row] } = await ctx.db.execute({
    sql:
      `INSERT INTO campaigns (client, name, message, kind, status, queued_count, pilot_count, pilot_wait_ms,
        created_at, updated_at) VALUES (?, 'מבצע', 'שלום', ?, 'ready', ?, ?, ?, ?, ?) RETURNING id`,
    args: [
      ...[client.id, campaign.isMarketing ? "marketing" : "service", campaign.phones.length],
      ...[campaign.pilot?.count ?? null, campaign.pilot?.waitMs ?? null, ctx.now(), ctx.now()],
    ],
  });
  const id = Number(row!.id);
  await ctx.db.execute({
    sql: "INSERT INTO deliveries (campaign, phone, updated_at) SELECT ?, value, ? FROM json_each(?)",
    args: [id, ctx.now(), JSON.stringify(campaign.phones)],
  });
  world.campaigns.set(id, campaign);
  world.witness.introduce(id, { client: client.id, isMarketing: campaign.isMarketing });
  await sendCampaign(ctx, client, id);
  for (const site of world.sites) await site.ask();
}

/** Releases stopped accounts; sometimes resumes a paused campaign, or pauses an active one. */
async function lookAround(world: World): Promise<void> {
  const { ctx } = world.fleet;
  const { rows: rested } = await ctx.db.execute("SELECT id, trip FROM accounts WHERE trip IS NOT NULL");
  for (const { id, trip } of rested) await releaseAccount(ctx, ADMIN, Number(id), Number(trip));
  for (const [id, { client }] of world.campaigns) {
    const owner = { ...world.clients[client]!, role: "client" as const };
    const { status, trip } = await world.fleet.one(`SELECT status, trip FROM campaigns WHERE id = ${id}`);
    if (status === "paused" && world.chance(0.5)) {
      await resumeCampaign(ctx, owner, id, trip === null ? null : Number(trip));
      world.breaker.resumed(id, trip !== null);
    } else if (status === "active" && world.chance(0.02)) {
      await pauseCampaign(ctx, owner, id);
      await world.breaker.check([id], "nothing");
      await world.passRecalls();
    }
  }
}
