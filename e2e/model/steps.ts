/** The possible steps with their probabilities: histories get far only when ordinary sending is likely. */
import fc from "shared/testing/fast_check.ts";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { msToLocalMidnight } from "../../edge/time/local_day.ts";
import { DEVICES, EDGES, SITES } from "./ground.ts";
import type { World } from "./world.ts";

/** One step: an act's name and its arguments. Plain data can be printed, shortened and replayed. */
export type Step = readonly [act: string, ...args: (number | string | boolean)[]];

type Args = Step extends readonly [string, ...infer A] ? A : never;

interface Act {
  weight: number;
  args: fc.Arbitrary<Args>;
  /** Returns whether there was anything to do. */
  run(world: World, ...args: Args): unknown;
}

const site = fc.nat(SITES - 1);
const device = fc.nat(DEVICES - 1);
const edge = fc.nat(EDGES - 1);
const campaign = fc.nat(7);
const contact = fc.nat(2);
const place = fc.nat(11);
const isLost = fc.constantFrom(false, false, false, true);
const onTap = fc.constantFrom(
  "answer",
  "answer",
  "answer",
  "answer",
  "lostAnswer",
  "never",
  "late",
  "linger",
  "hang",
);
const obstacle = fc.constantFrom("none", "none", "none", "none", "none", "not_on_app", "banned", "blank");
const commands = fc.constantFrom(1, 2, 3, 5, 6, 7, 10, 20);

function act<T extends Args>(
  weight: number,
  args: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (world: World, ...args: T) => unknown,
): Act {
  // Each act only receives values of its own arbitraries.
  return { weight, args: fc.tuple(...args), run } as unknown as Act;
}

export const ACTS: Readonly<Record<string, Act>> = {
  // the network
  flow: act(10, [site], (world, at) => world.flow(at)),
  trickle: act(4, [site, fc.integer({ min: 1, max: 6 })], (world, at, most) => world.flow(at, most)),
  greet: act(9, [site, edge], (world, at, to) => world.greet(at, to)),
  connect: act(1.5, [site, edge], (world, at, to) => world.connect(at, to)),
  arriveAtEdge: act(6, [place, place, isLost], (world, ...where) => world.arrive("edge", ...where)),
  arriveAtAgent: act(8, [place, place, isLost], (world, ...where) => world.arrive("agent", ...where)),
  echo: act(1.5, [fc.boolean()], (world, echoes) => world.echo(echoes)),
  cut: act(0.7, [site], (world, at) => world.cut(at)),
  detectCloses: act(1, [], (world) => world.detectCloses()),
  // the site
  fetch: act(8, [site], (world, at) => world.fetch(at)),
  serve: act(5, [site, edge, onTap, commands], (world, ...how) => world.serve(...how)),
  reportAndFlow: act(4, [site], (world, at) => world.reportAndFlow(at)),
  pull: act(5, [site], (world, at) => world.sites[at]!.process?.pull() ?? false),
  report: act(3, [site], (world, at) => world.sites[at]!.process?.report() ?? false),
  repeatAcks: act(4, [site], (world, at) => world.sites[at]!.process?.repeatAcks() ?? false),
  heartbeat: act(1, [site], (world, at) => world.sites[at]!.process?.heartbeat() ?? false),
  drain: act(0.2, [site], (world, at) => world.drain(at)),
  start: act(3, [site], (world, at) => world.start(at)),
  crash: act(1, [site], (world, at) => world.sites[at]!.crash()),
  loseJournal: act(0.25, [site], (world, at) => world.loseJournal(at)),
  copyJournal: act(1, [site], (world, at) => world.copyJournal(at)),
  restoreJournal: act(1.2, [site], (world, at) => world.restoreJournal(at)),
  setClock: act(
    0.5,
    [site, fc.constantFrom(-3_600_000, 3_600_000)],
    (world, at, ms) => world.setClock(at, ms),
  ),
  // the phone
  work: act(20, [device, commands, onTap, obstacle], (world, ...how) => world.work(...how)),
  runLingering: act(2, [device], (world, at) => world.phones[at]!.runLingering()),
  failCommand: act(
    1,
    [device, fc.constantFrom("lostAnswer", "never", "late", "linger", "hang")],
    (world, at, fate) => world.phones[at]!.serve(fate),
  ),
  slowScreen: act(1, [device, fc.constantFrom(0, 900, 1_900)], (world, at, ms) => world.slowScreen(at, ms)),
  reboot: act(0.4, [device], (world, at) => world.phones[at]!.reboot()),
  plug: act(
    1,
    [device, fc.constantFrom(true, true, true, true, false)],
    (world, at, isPlugged) => world.plug(at, isPlugged),
  ),
  // time
  pass: act(4, [fc.constantFrom(5, 100, 1_000, 3_500, 9_000)], (world, ms) => world.time.pass(ms)),
  leap: act(
    1,
    [fc.constantFrom(15_000, LEASE_TTL_MS + 1, 600_001, 3_600_000)],
    (world, ms) => world.time.leap(ms),
  ),
  leapToMidnight: act(
    0.7,
    [fc.constantFrom(3_000, 20_000)],
    (world, leftMs) => world.time.leap(msToLocalMidnight(world.time.now + leftMs)),
  ),
  leapADay: act(0.6, [], (world) => world.time.leap(SILENCE_LIMIT_MS + 1)),
  sleep: act(0.25, [site, fc.constantFrom(60_000, 700_000)], (world, at, ms) => world.sleep(at, ms)),
  tick: act(3, [edge], (world, at) => world.people.tick(at)),
  lookAtOutbox: act(4, [edge], (world, at) => world.edges[at]!.lookAtOutbox()),
  // the edge
  crashEdge: act(0.2, [edge], (world, at) => world.crashEdge(at)),
  armEdge: act(
    0.8,
    [edge, fc.constantFrom("crash", "freeze"), fc.nat(3)],
    (world, at, kind, calls) => world.arm(at, { kind, calls }),
  ),
  thaw: act(6, [edge], (world, at) => world.edges[at]!.thaw()),
  // people
  send: act(
    2.5,
    [edge, campaign, fc.constantFrom("ask", "ask", "leave_out", "send")],
    (world, ...what) => world.people.send(...what),
  ),
  sendWithWait: act(
    1,
    [edge, campaign, fc.constantFrom("ask", "send"), fc.constantFrom(1, 10)],
    (world, ...what) => world.people.send(...what),
  ),
  takeBack: act(2, [edge, campaign], (world, ...what) => world.people.takeBack(...what)),
  writeAgain: act(2, [edge, campaign, fc.boolean()], (world, ...what) => world.people.writeAgain(...what)),
  tryTexts: act(1.5, [edge, campaign], (world, ...what) => world.people.tryTexts(...what)),
  chooseText: act(
    2,
    [edge, campaign, fc.integer({ min: 1, max: 3 })],
    (world, ...what) => world.people.chooseText(...what),
  ),
  addCampaign: act(1.5, [fc.nat(1)], (world, client) => world.people.addCampaign(client)),
  pause: act(
    0.4,
    [edge, campaign, fc.boolean()],
    (world, at, id, admin) => world.people.change(at, "pause", id, admin),
  ),
  resume: act(
    2,
    [edge, campaign, fc.boolean()],
    (world, at, id, admin) => world.people.change(at, "resume", id, admin),
  ),
  cancel: act(
    0.35,
    [edge, campaign, fc.boolean()],
    (world, at, id, admin) => world.people.change(at, "cancel", id, admin),
  ),
  clearQueues: act(0.06, [edge], (world, at) => world.people.clearQueues(at)),
  resolve: act(
    1.5,
    [edge, campaign, fc.constantFrom("sent", "failed", "failed")],
    (world, ...what) => world.people.resolve(...what),
  ),
  resend: act(2.5, [edge, campaign], (world, at, id) => world.people.resolve(at, id, "resend")),
  suppress: act(0.4, [edge, contact, fc.nat(2)], (world, ...whom) => world.people.suppress(...whom)),
  grant: act(0.3, [fc.nat(1)], (world, client) => world.people.grant(client, 1)),
  takeQuota: act(0.6, [fc.nat(1)], (world, client) => world.people.takeQuota(client)),
  settings: act(
    0.3,
    [fc.constantFrom(2, 4, 10), fc.constantFrom(0, 1, 2)],
    (world, cap, s) => world.people.set(cap, s),
  ),
  revoke: act(0.1, [edge], (world, at) => world.people.revoke(at, SITES - 1)),
  startSite: act(3, [site], (world, at) => world.people.startSite(at)),
  backup: act(0.6, [], (world) => world.backup()),
  restore: act(0.8, [], (world) => world.restore()),
  putBackByHand: act(0.5, [], (world) => world.putBackByHand()),
  noteRestored: act(2, [], (world) => world.noteRestored()),
};

/** Acts in histories with erased people, or with clocks wrong by days, in addition to the usual steps. */
const LOST_ACTS: Readonly<Record<string, Act>> = {
  erase: act(3, [edge, contact, fc.boolean()], (world, ...whom) => world.people.erase(...whom)),
  eraseOn: act(6, [edge], (world, at) => world.people.eraseOn(at)),
  copy: act(3, [edge, campaign], (world, at, id) => world.people.copy(at, id)),
  restoreAlong: act(2, [], (world) => world.restore(true)),
  setClockByDays: act(
    2,
    [site, fc.constantFrom(-86_400_000, 86_400_000)],
    (world, at, ms) => world.setClock(at, ms),
  ),
};

/** Acts that only written histories use. */
const WRITTEN_ACTS: Readonly<Record<string, Act>> = {
  writeOff: act(0, [site], (world, at) => world.people.writeOff(at)),
  order: act(
    0,
    [edge, device, fc.constantFrom("stop", "start")],
    (world, ...what) => world.order(...what),
  ),
};

const ALL_ACTS: Readonly<Record<string, Act>> = { ...ACTS, ...LOST_ACTS, ...WRITTEN_ACTS };

/** Any step, with the weights above. */
export const step = stepOf(Object.keys(ACTS));

/** Returns a step of these acts only. */
export function stepOf(names: readonly string[]): fc.Arbitrary<Step> {
  return fc.oneof(...names.map((name) => {
    const { weight, args } = ALL_ACTS[name]!;
    // fast-check accepts only whole numbers as weights.
    return {
      weight: Math.round(weight * 20),
      arbitrary: args.map((values): Step => [name, ...values]),
    };
  }));
}

/** Runs one step, waits until the world is idle, and checks everything. */
export async function take(world: World, [name, ...args]: Step): Promise<void> {
  const did = await ALL_ACTS[name]!.run(world, ...args);
  if (did !== false) world.oracle.count(`act ${name}`);
  await world.check();
}
