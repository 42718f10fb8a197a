/** One seed: its plan is done to a product of its own, and what came of it is compared. */
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
  /** Where the files of a failed seed were left. */
  keptIn: string | null;
}

/** A try that failed for a passing cause waits a minute, and five the second time. */
const SETTLE_MS = 9 * 60_000;

/** Runs one seed to its end. Never rejects: what goes wrong is a violation. */
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

/** Whatever becomes of the edge and the road to it, a site sees its own taps through. */
function mayHideATap({ kind, victim }: Disturbance): boolean {
  return ["kill", "freeze", "full disk", "linger", "unplug", "reboot"].includes(kind) && victim !== "edge";
}
