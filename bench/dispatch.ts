/**
 * Measures lease, acknowledgement and report through the real verbs, schema, triggers, ledger and events, fully
 * synced.
 */
import { type DispatchRun, type DispatchSize, openDispatchWorld } from "./dispatch_world.ts";
import type { Figure, Part } from "./figure.ts";

const DELIVERIES = 20_000;
/** The edge handles one site's frames sequentially; frames of several sites share a commit. */
export const SITES = 3;

const BARS = { perSecond: { atLeast: 10_000 }, roundP99Ms: { atMost: 10 } };

export const dispatch: Part = {
  name: "dispatch",
  about:
    `P2: ${
      DELIVERIES.toLocaleString("en")
    } deliveries leased, acknowledged and reported through the real verbs, ` +
    "schema, triggers, ledger and events; each site one batch after another, the report asking for the next, all sent",
  async *measure(): AsyncGenerator<Figure> {
    await measureDispatch(DELIVERIES, 20); // Warm-up: the first run would measure the compiler.
    yield* figuresOf("batch 20, one site", await measureDispatch(DELIVERIES, 20), BARS);
    yield* figuresOf(
      `batch 20, ${SITES} sites`,
      await measureDispatch(DELIVERIES, 20, { sites: SITES }),
      BARS,
    );
    yield* figuresOf("batch 100", await measureDispatch(DELIVERIES, 100));
  },
};

function* figuresOf(
  name: string,
  run: DispatchRun,
  bars: { perSecond?: Figure["bar"]; roundP99Ms?: Figure["bar"] } = {},
): Generator<Figure> {
  yield { name: `${name}, deliveries`, value: run.perSecond, unit: "/s", bar: bars.perSecond };
  const perCpu = run.deliveries / run.cpuSeconds;
  yield { name: `${name}, by processor time alone`, value: perCpu, unit: "a CPU second" };
  yield { name: `${name}, a round, p50`, value: run.roundP50Ms, unit: "ms" };
  yield { name: `${name}, a round, p99`, value: run.roundP99Ms, unit: "ms", bar: bars.roundP99Ms };
}

/** Sends `deliveries` rows of one campaign; each site leases in batches of `batch` phones. */
export async function measureDispatch(
  deliveries: number,
  batch: number,
  { sites = 1, mayLose, webhook }: Pick<DispatchSize, "sites" | "mayLose" | "webhook"> = {},
): Promise<DispatchRun> {
  await using world = await openDispatchWorld({
    deliveries: deliveries + sites * batch,
    phones: batch,
    sites,
    mayLose,
    webhook,
  });
  return await world.send(deliveries, batch);
}
