/** Measures one site with 200 phones at real pace: the agent's processor time and memory, idle and at work. */
import type { Product } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import type { Figure, Part } from "./figure.ts";
import { watchProcess } from "./process_use.ts";
import { PACE_SECONDS, sendForLongerThan, startAtRealPace } from "./real_pace.ts";

const PHONES = 200;
const WARM_UP_MS = 30_000;
const WATCH_MS = 60_000;

export const fleet: Part = {
  name: "fleet",
  about:
    `P7: one agent process with ${PHONES} simulated phones at a real phone's speed, in a process of their own; ` +
    `${WATCH_MS / 1000} s after ${
      WARM_UP_MS / 1000
    } s of warm-up, first without work, then with a campaign ` +
    `that each phone sends of every ${PACE_SECONDS} s`,
  measure,
};

async function* measure(): AsyncGenerator<Figure> {
  const product = await startAtRealPace(PHONES);
  try {
    const idle = await watch(product);
    yield { name: "idle, CPU", value: idle.cpuPercent, unit: "% of a core", bar: { atMost: 5 } };
    yield { name: "idle, resident", value: idle.rssMb, unit: "MB", bar: { atMost: 200 } };

    await sendForLongerThan(product, PHONES, WARM_UP_MS + WATCH_MS);
    const busy = await watch(product);
    yield {
      name: "at work, messages",
      value: busy.taps / (WATCH_MS / 1000),
      unit: "/s",
      bar: { atLeast: 0.9 * PHONES / PACE_SECONDS },
    };
    yield { name: "at work, CPU", value: busy.cpuPercent, unit: "% of a core", bar: { atMost: 5 } };
    yield { name: "at work, resident", value: busy.rssMb, unit: "MB", bar: { atMost: 200 } };
    yield { name: "highest resident of its life", value: busy.peakRssMb, unit: "MB" };
  } finally {
    await product.stop();
  }
}

async function watch(product: Product) {
  await pause(WARM_UP_MS);
  const tapsBefore = product.taps().length;
  const look = watchProcess(product.pid("agent")!);
  await pause(WATCH_MS);
  return { ...look(), taps: product.taps().length - tapsBefore };
}
