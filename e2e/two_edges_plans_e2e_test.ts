/**
 * Calls that move plans and call them off, against the tick that starts them: two edges of one database whose clocks are
 * four seconds apart, and kill -9 in between. `SHIGUR_CALLS` sets how many; ten thousand prove it, CI makes fewer.
 */
import assert from "node:assert/strict";
import { mulberry32 } from "shared/random.ts";
import { SEED } from "shared/testing/seed.ts";
import { makeCampaign } from "../edge/testing/make_campaign.ts";
import type { Caller } from "./caller.ts";
import { type Edge, withWorld, type World } from "./two_edges_world.ts";
import { pause } from "./wait.ts";

const CALLS = Number(Deno.env.get("SHIGUR_CALLS") ?? 1_500);
const CLIENTS = 4;
/** Campaigns of a client whose buttons are pressed at the same time. */
const LANES = 5;
/** Of each lane, one after another: a started one is over. */
const CAMPAIGNS = 40;
const QUOTA = LANES * CAMPAIGNS;
const KILLS = 6;
const random = mulberry32(SEED);

Deno.test(`${CALLS} calls of move and call off against a starting tick start nothing twice and lose no unit`, async () => {
  await withWorld("file", {}, async (world) => {
    const callers: Caller[] = [];
    for (let no = 0; no < CLIENTS; no++) {
      callers.push(await world.addClient(`client-${no}`, QUOTA, world.edges[0]));
    }
    const tally: Record<string, number> = {};
    const killer = killEdges(world, () => sum(tally));
    const lanes = callers.flatMap((caller, no) => Array.from({ length: LANES }, () => ({ caller, no })));
    await Promise.all(lanes.map(({ caller, no }) => press(world, caller, no, tally)));
    await killer;
    // What is planned now starts; nothing is asked any more.
    await pause(8_000);
    judge(world, tally);
    assert.deepEqual(await world.audit(), []);
  });
});

/** A client presses the buttons of a plan at either edge, one call after another: a lane. */
async function press(world: World, caller: Caller, no: number, tally: Record<string, number>): Promise<void> {
  const [{ id: client }] = world.query<{ id: number }>(
    "SELECT id FROM users WHERE username = ?",
    `client-${no}`,
  );
  let campaign = await makeCampaign(world.ctx, { client: client!, rows: { queued: 1 } });
  let made = 1;
  while (sum(tally) < CALLS) {
    const { url } = world.edges[random() < 0.5 ? 0 : 1]!;
    const at = Date.now() + 2_100 + Math.floor(random() * 900);
    const [method, json] = pick<[string, unknown]>([
      ["POST", { at }],
      ["POST", { at }],
      ["PUT", { at }],
      ["PUT", { at: null }],
      ["PUT", { at }],
      ["DELETE", undefined],
    ]);
    const code = await caller.at(url).call(method, `/api/campaigns/${campaign}/plan`, { json }).then(
      async (answer) => answer.ok ? "ok" : (await answer.json()).code as string,
      // Its edge was killed: whether the act happened, the log says.
      () => "no answer",
    );
    if (code === "too_many_attempts") await pause(200);
    else tally[`${method} ${code}`] = (tally[`${method} ${code}`] ?? 0) + 1;
    if (code === "no answer") await pause(100);
    if (code === "send_began" && made < CAMPAIGNS) {
      campaign = await makeCampaign(world.ctx, { client: client!, rows: { queued: 1 } });
      made += 1;
    }
  }
}

/** Kills one edge or the other while the calls go on, and starts it again at its address. */
async function killEdges(world: World, done: () => number): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    while (done() < (kill * CALLS) / (KILLS + 1)) await pause(20);
    const edge: Edge = world.edges[kill % 2]!;
    await edge.process.kill();
    await edge.launch();
  }
}

/** Every campaign's log is a plan that ends once: by its start, or by being called off. */
function judge(world: World, tally: Record<string, number>): void {
  const log = world.query<{ campaign: number; kinds: string }>(
    `SELECT campaign, group_concat(kind, ' ') AS kinds
    FROM (SELECT campaign, substr(kind, 10) AS kind FROM audit_log
      WHERE kind IN ('campaign_planned', 'campaign_plan_moved', 'campaign_called_off', 'campaign_plan_started')
      ORDER BY id) GROUP BY campaign`,
  );
  const life = /^(planned( plan_moved)* called_off ?)*(planned( plan_moved)*( plan_started)?)?$/;
  for (const { campaign, kinds } of log) assert.match(kinds.trim(), life, `campaign ${campaign}`);
  const started = log.filter(({ kinds }) => kinds.endsWith("plan_started")).length;
  const [facts] = world.query<Record<string, number>>(`SELECT
    (SELECT count(*) FROM campaigns WHERE status = 'processing') AS processing,
    (SELECT count(*) FROM campaigns WHERE status = 'scheduled' AND plan_hold IS NULL) AS waiting,
    (SELECT count(*) FROM campaigns WHERE status NOT IN ('ready', 'processing', 'scheduled')) AS others,
    (SELECT sum(message_quota) FROM users WHERE username LIKE 'client-%') AS quota`);
  assert.deepEqual({ ...facts }, {
    processing: started,
    waiting: 0,
    others: 0,
    quota: CLIENTS * QUOTA - started,
  });
  const words = Object.entries(tally).sort().map(([what, count]) =>
    `${String(count).padStart(6)}  ${what}\n`
  );
  Deno.stdout.writeSync(
    new TextEncoder().encode(`${sum(tally)} calls, ${started} starts\n${words.join("")}`),
  );
  assert.ok(started > 0, "something started");
  assert.ok((tally["DELETE ok"] ?? 0) > 0 && (tally["PUT ok"] ?? 0) > 0, "plans were moved and called off");
  assert.ok((tally["DELETE send_began"] ?? 0) + (tally["PUT send_began"] ?? 0) > 0, "calls came too late");
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

function sum(tally: Record<string, number>): number {
  return Object.values(tally).reduce((total, count) => total + count, 0);
}
