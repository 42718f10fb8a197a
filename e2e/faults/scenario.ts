/** A named scenario: one small campaign on its own world, and what has to be true of it at its end. */
import assert from "node:assert/strict";
import type { Moment, Step } from "./moment.ts";
import type { Plan } from "./plan.ts";
import { CALM } from "./relay.ts";
import { type Expectation, testify, type Testimony } from "./witness.ts";
import { World } from "./world.ts";

/** One number of every campaign is not on the app. */
const NOT_ON_APP = 1;
export const SETTLE_MS = 180_000;

export async function withWorld(changes: Partial<Plan>, use: (world: World) => Promise<void>): Promise<void> {
  const world = await World.start({
    seed: 1,
    devices: 4,
    contacts: [60],
    speed: 40,
    faults: 0,
    rateLimit: 0.1,
    hasImage: false,
    isPersonal: false,
    clockOffsetS: null,
    weather: CALM,
    resends: false,
    timeline: [],
    ...changes,
  });
  try {
    await use(world);
  } catch (error) {
    throw new Error(`The last lines of the parts:\n${world.product.lines.slice(-40).join("")}`, {
      cause: error,
    });
  } finally {
    await world.close();
  }
}

/** Freezes with a row at `step`. A moment may miss every row; then it waits for more taps. */
export async function catchAt(world: World, step: Step, from = 0.3, isWanted = () => true): Promise<Moment> {
  for (let share = from; share < 0.9; share += 0.1) {
    await world.untilTapped(share);
    const moment = await world.freezeAt(step);
    if (moment.steps.has(step) && isWanted()) return moment;
    world.thaw();
  }
  return assert.fail(`no row was caught ${step}`);
}

export async function settle(world: World): Promise<void> {
  await world.settle(SETTLE_MS);
  assert.deepEqual(world.violations, []);
  assert.equal(await world.product.audit(), "All rules hold.");
}

export function compare(world: World, expected: Expectation = {}): Testimony {
  const contacts = new Map(
    world.clients.map(({ campaign }, index) => [campaign, world.plan.contacts[index]!]),
  );
  const testimony = testify(world.product.dataDir, { contacts, pace: world.plan.rateLimit, ...expected });
  assert.deepEqual(testimony.violations, []);
  return testimony;
}

export function assertAllSent(world: World): void {
  const [contacts] = world.plan.contacts as [number];
  assert.deepEqual(compare(world).states, { sent: contacts - NOT_ON_APP, failed: NOT_ON_APP });
}

/** Returns phones without an outcome at the edge. Offers count too: their leaseAck may be on its way. */
export function heldOf({ rows }: Moment): Set<string> {
  return new Set(rows.filter(({ step }) => step !== "unforgotten").map(({ phone }) => phone));
}

export function unknownPhones({ product }: World): string[] {
  return product.query<{ phone: string }>(
    "SELECT '+' || phone AS phone FROM deliveries WHERE state = 'unknown'",
  ).map(({ phone }) => phone);
}

export function assertOnly(allowed: ReadonlySet<string>, found: string[]): void {
  assert.deepEqual(found.filter((phone) => !allowed.has(phone)), []);
}

export function agentDir({ product }: World): string {
  return `${product.dataDir}/agent`;
}
