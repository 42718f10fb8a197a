/** Runs the plan of one seed on its own product, and compares the result. */
import { disturb, type Disturbance } from "./disturb.ts";
import { makePlan, type Plan } from "./plan.ts";
import { testify, type Testimony } from "./witness.ts";
import { World } from "./world.ts";

export interface SeedResult {
  plan: Plan;
  disturbances: Disturbance[];
  testimony: Testimony | null;
  duplicates: number;
  overtakings: number;
  violations: string[];
  seconds: number;
  /** Folder with the files of a failed seed. */
  keptIn: string | null;
}

/** A temporary failure waits one minute before the first retry, five before the second. */
const SETTLE_MS = 9 * 60_000;

/** Runs one seed to its end. Never rejects: errors become violations. */
export async function testSeed(seed: number, kills: number): Promise<SeedResult> {
  const startedAt = performance.now();
  const plan = makePlan(seed, kills);
  const result: SeedResult = {
    plan,
    disturbances: [],
    testimony: null,
    duplicates: 0,
    overtakings: 0,
    violations: [],
    seconds: 0,
    keptIn: null,
  };
  let world: World | null = null;
  try {
    world = await World.start(plan);
    await endure(world, result);
  } catch (error) {
    result.violations.push(`the suite failed: ${error instanceof Error ? error.stack : error}`);
  }
  result.seconds = Math.round((performance.now() - startedAt) / 1000);
  if (world) {
    const { duplicates, overtakings } = world.edgeRelay;
    Object.assign(result, { duplicates, overtakings });
    result.violations.push(...world.violations);
    const keepsData = result.violations.length > 0;
    await world.close({ keepsData });
    if (keepsData) {
      result.keptIn = world.product.dataDir;
      await Deno.writeTextFile(`${result.keptIn}/parts.log`, world.product.lines.join(""));
    }
  }
  return result;
}

async function endure(world: World, result: SeedResult): Promise<void> {
  await disturb(world, result.disturbances);
  await world.settle(SETTLE_MS);
  if (world.violations.length > 0) return;
  if (world.plan.resends && await world.resendOne()) await world.settle(SETTLE_MS);
  const contacts = new Map(
    world.clients.map(({ campaign }, index) => [campaign, world.plan.contacts[index]!]),
  );
  result.testimony = testify(world.product.dataDir, {
    contacts,
    unknownPerDevice: result.disturbances.filter(mayHideATap).length,
    pace: world.plan.rateLimit,
  });
  result.violations.push(...result.testimony.violations);
  const audit = await world.product.audit();
  if (audit !== "All rules hold.") result.violations.push(`audit: ${audit}`);
}

/** Returns whether an act can hide a tap from its site; faults of the edge and the network cannot. */
function mayHideATap({ kind, victim }: Disturbance): boolean {
  return ["kill", "freeze", "full disk", "linger", "unplug", "reboot"].includes(kind) && victim !== "edge";
}
