/** Runs a fleet with one edge frozen during a campaign, and records what happens. */
import type { EdgeFrame } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { Tap } from "../simulator/phone/tap_log.ts";
import type { FakeAgent } from "../edge/testing/fake_agent.ts";
import { type Caller, makeReadyCampaign } from "./caller.ts";
import { PATIENCE_MS, pause, until } from "./wait.ts";
import { LiveChannel } from "./two_edges_browser.ts";
import { watchHealth } from "./two_edges_health.ts";
import { heartbeat, LIES, lies, readTraces } from "./two_edges_lies.ts";
import { ScriptedSite } from "./two_edges_site.ts";
import { installWitness, lastMove, type Move, moves } from "./two_edges_witness.ts";
import type { Edge, World } from "./two_edges_world.ts";

export interface FreezePlan {
  contacts: number;
  frozenMs: number;
  /** Whether the balancer cuts its connections to the frozen edge, or the site has to detect the freeze. */
  cut: boolean;
  random(): number;
}

export interface Findings {
  rows: { phone: number; state: string }[];
  taps: Pick<Tap, "phone" | "text">[];
  moves: Move[];
  /** Frames sent on superseded connections to the frozen edge. */
  staleFrames: number;
  /** Its response frames on each of those connections, by type, and the close code of each. */
  staleAnswers: Record<string, Record<string, number>>;
  /** Traces that their content would leave. */
  staleTraces: Record<string, number>;
  /** Statements of the thawed edge that changed data reported by sites; null = not measurable on a file. */
  staleChanges: string[] | null;
  /** Unconfirmed offers that expired while the ticking edge was frozen. */
  abandoned: { phones: number[]; token: string; backAfterMs: number };
  /** Number of the last move before the freeze, and before the thaw. */
  lastBefore: { freeze: number; thaw: number };
  /** Responses of the other edge meanwhile, by status, and the longest in milliseconds. */
  answers: Record<string, number>;
  slowestMs: number;
  /** Its log lines about failed requests. */
  failures: string[];
  /** Time after the thaw until a browser of the frozen edge received events again. */
  eventsAgainMs: number;
  /** Newest figures in browsers of the campaign's owner, at the frozen edge and at the other. */
  newestFigures: [atFrozen: number | undefined, atOther: number | undefined];
  /** Events of the campaign that another client's browsers received, and events of their own. */
  strangers: { foreign: number; own: number };
  quota: { left: number; held: number };
  broken: unknown[];
}

const NAME = "מבצע החורף";
const QUOTA = 10_000;
const PHONES_A_SITE = 4;
const SPEED = 20;
/** An offer expires after a minute: it must be this old to expire during the freeze. */
const ABANDONED_FOR_MS = 12_000;
/** The edge's own activity: expired offers, sites that connected or left, and sockets it found superseded. */
const OWN_NOTES = /lease_until <|reachable =|superseded_count =/;

/** Runs a campaign over both edges, freezes the ticking one, moves its sites away, thaws it, and gives it work. */
export async function freezeInTheMiddle(world: World, plan: FreezePlan): Promise<Findings> {
  const [frozen, other] = world.edges;
  installWitness(world);
  const near = world.balance(frozen);
  const far = world.balance(other);
  const phones = await Promise.all([
    world.startSite("one", near.url, PHONES_A_SITE, SPEED),
    world.startSite("two", far.url, PHONES_A_SITE, SPEED),
  ]);
  // A superseded connection ends at its first frame, so each of these sends only one. They join one after the other:
  // a crowd at a slow database is another test's.
  const joined = async (name: string, edge: Edge) => {
    const site = await ScriptedSite.enroll(world, name, edge);
    await site.connect(edge);
    return site;
  };
  const liars: ScriptedSite[] = [];
  for (const lie of LIES) liars.push(await joined(lie, frozen));
  const puller = await joined("pull on its way", frozen);
  const reporter = await joined("report on its way", frozen);
  const sleeper = await joined("sleeper", other);
  const moving = [...liars, puller, reporter];
  const scripted = [...moving, sleeper];

  const owner = await world.addClient("owner", QUOTA, other);
  const stranger = await world.addClient("stranger", 100, other);
  const channels = await Promise.all([owner, stranger].flatMap((caller) => [
    LiveChannel.open(caller.at(frozen.url)),
    LiveChannel.open(caller.at(other.url)),
  ]));
  const [ownersAtFrozen, ownersAtOther, ...strangers] = channels;
  const campaign = await makeReadyCampaign(owner, NAME, plan.contacts);
  const foreign = await makeReadyCampaign(stranger, "של מישהו אחר", 5);
  await owner.read("POST", `/api/campaigns/${campaign}/send`);
  await until(() => Promise.resolve(phones.every(({ taps }) => taps().length >= 10)), PATIENCE_MS, "taps");

  const abandoned = await sleeper.offer();
  const abandonedAt = Date.now();
  const liar = liars[LIES.indexOf("report")];
  const held = await liar.confirm(await liar.offer());
  liar.tap(held);
  const confirmer = liars[LIES.indexOf("leaseAck")];
  const offered = await confirmer.offer();
  const done = await reporter.confirm(await reporter.offer());
  reporter.tap(done);
  await pause(abandonedAt + ABANDONED_FOR_MS - Date.now());
  const old = moving.map(({ name, agent }) => ({ name, agent }));

  await letTick(world, frozen, other);
  await world.whileLocked(async () => {
    // These frames are read by the edge, or on their way to the database, when it freezes.
    puller.agent.send(puller.pull());
    reporter.agent.send(reporter.report(done, "sent"));
    await pause(50 + plan.random() * 250);
    await frozen.process.freeze();
  });
  other.process.thaw();
  const frozenAt = Date.now();
  const lastBeforeFreeze = lastMove(world);
  const backAt = watchReturn(world, abandoned[0].token);
  for (const [index, frame] of lies(world, { liar, held, confirmer, offered, campaign }).entries()) {
    liars[index].agent.send(frame);
  }
  // A real site drops its old socket; these stay open, and must detect that they are superseded.
  for (const { agent } of [puller, reporter]) agent.send(heartbeat(0));

  near.moveTo(other, { cut: plan.cut });
  const health = watchHealth(owner.at(other.url), campaign, world.over);
  for (const site of moving) {
    const open = site === liar
      ? { held }
      : site === confirmer
      ? { done: offered }
      : site === reporter
      ? { done }
      : {};
    await site.connect(other, open);
  }
  await expectAll(confirmer.reportHeld(offered, "void"), ["known", "stale"]);
  await expectAll(reporter.reportHeld(done, "sent"), ["applied", "known"]);
  await stranger.read("POST", `/api/campaigns/${foreign}/send`);
  await Promise.all([confirmer, puller, reporter].map((site) => work(site, plan.random)));
  await pause(frozenAt + plan.frozenMs - Date.now());

  const { answers, slowestMs } = await health.stop();
  const changesBefore = world.changesThrough(frozen).length;
  const receivedBefore = ownersAtFrozen.received.length;
  const lastBeforeThaw = lastMove(world);
  const thawed = performance.now();
  frozen.process.thaw();
  const staleAnswers = Object.fromEntries(
    await Promise.all(
      old.map(async ({ name, agent }) =>
        [name, { ...countTypes(await readToEnd(agent)), closed: (await agent.closed).code }] as const
      ),
    ),
  );
  const staleTraces = readTraces(world);
  // No other frame reported these: they are unchanged.
  await expectAll(liar.reportHeld(held, "sent"), ["applied"]);
  const again = await ownersAtFrozen.next((event) => event.type === "campaign_progress", receivedBefore);
  await until(async () => (await health.ask(frozen.url)) === 200, PATIENCE_MS, "the thawed edge answers");
  const staleChanges = world.kind === "file" ? null : world.changesThrough(frozen).slice(changesBefore)
    .filter(({ sql }) => !OWN_NOTES.test(sql))
    .map(({ sql, rows }) => `${rows} rows: ${sql}`);

  // Send the rest at full speed: sites receive the settings when they connect.
  await world.ctx.db.execute("UPDATE settings SET value = '0' WHERE key = 'rateLimit'");
  far.moveTo(frozen, { cut: true });
  near.moveTo(other, { cut: true });
  await until(() => hasEnded(owner, campaign), 3 * PATIENCE_MS, "the campaign ends");
  await until(() => hasEnded(stranger, foreign), PATIENCE_MS, "the other campaign ends");
  await until(
    () => Promise.resolve(lastFigures(ownersAtFrozen) === lastFigures(ownersAtOther)),
    PATIENCE_MS,
    "I8",
  )
    .catch(() => {});

  const { messageQuota } = await owner.read<{ messageQuota: number }>("GET", "/api/auth/me");
  const rows = world.query<{ phone: number; state: string }>(
    "SELECT phone, state FROM deliveries WHERE campaign = ?",
    campaign,
  );
  const strangersReceived = strangers.flatMap(({ received }) => received.map(({ event }) => event));
  const isForeign = ({ data }: { data: object }) => "campaignId" in data && data.campaignId === campaign;
  const findings: Findings = {
    rows,
    taps: [...phones.flatMap(({ taps }) => taps()), ...scripted.flatMap(({ taps }) => taps)],
    moves: moves(world),
    staleFrames: LIES.length + 4,
    staleAnswers,
    staleTraces,
    staleChanges,
    abandoned: {
      phones: abandoned.map(({ phone }) => Number(phone)),
      token: abandoned[0].token,
      backAfterMs: await backAt - frozenAt,
    },
    lastBefore: { freeze: lastBeforeFreeze, thaw: lastBeforeThaw },
    answers,
    slowestMs,
    failures: other.process.lines.filter((line) => line.includes('"request_failed"')),
    eventsAgainMs: again.at - thawed,
    newestFigures: [lastFigures(ownersAtFrozen), lastFigures(ownersAtOther)],
    strangers: {
      foreign: strangersReceived.filter(isForeign).length,
      own: strangersReceived.filter((event) => !isForeign(event)).length,
    },
    quota: {
      left: messageQuota,
      held: rows.filter(({ state }) => state === "sent" || state === "unknown").length,
    },
    broken: await world.audit(),
  };
  await Promise.all([...channels.map((channel) => channel.close()), ...scripted.map((site) => site.close())]);
  return findings;
}

/** Makes `edge` run the duties, by freezing the other edge; that one stays frozen. */
async function letTick(world: World, edge: Edge, other: Edge): Promise<void> {
  // Freeze it under the lock, so that it does not hold the lock itself.
  await world.whileLocked(() => other.process.freeze());
  const claim = () =>
    world.query<{ until: number }>("SELECT claimed_until AS until FROM ticks WHERE name = 'expire_leases'")
      .at(0)?.until;
  const before = claim();
  await until(() => Promise.resolve(claim() !== before), PATIENCE_MS, `${edge.process.name} runs the duties`);
}

/** Returns the time when the last delivery leased under a token returned to the queue. */
async function watchReturn(world: World, token: string): Promise<number> {
  const isHeld = () =>
    world.query("SELECT 1 FROM deliveries WHERE token = ? AND state = 'leased'", token).length > 0;
  while (!world.over.aborted && isHeld()) await pause(200);
  return Date.now();
}

/** Lets a scripted site take and tap a few deliveries at random moments. */
async function work(site: ScriptedSite, random: () => number): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await pause(random() * 4_000);
    const held = await site.confirm(await site.offer());
    site.tap(held);
    await pause(random() * 1_000);
    await expectAll(site.reportHeld(held, "sent"), ["applied"]);
  }
}

async function expectAll(results: Promise<string[]>, allowed: string[]): Promise<void> {
  const found = await results;
  if (!found.every((result) => allowed.includes(result))) {
    throw new Error(`The edge answered ${found.join()} instead of ${allowed.join(" or ")}`);
  }
}

/** Returns every frame until the socket ends, or has lived longer than a dead one may. */
async function readToEnd(agent: FakeAgent): Promise<EdgeFrame[]> {
  const frames: EdgeFrame[] = [];
  const timer = setTimeout(() => agent.socket.close(), DEAD_SOCKET_MS);
  for (let frame = await agent.read(); frame !== null; frame = await agent.read()) frames.push(frame);
  clearTimeout(timer);
  return frames;
}

function countTypes(frames: EdgeFrame[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(frames, ({ type }) => type)].map(([type, { length }]) => [type, length]),
  );
}

async function hasEnded(caller: Caller, campaign: number): Promise<boolean> {
  const { status } = await caller.read<{ status: string }>("GET", `/api/campaigns/${campaign}`);
  return status.startsWith("completed");
}

/** Returns the id of the newest event with figures. */
function lastFigures({ received }: LiveChannel): number | undefined {
  return received.findLast(({ event }) => "counts" in event.data)?.event.id;
}
