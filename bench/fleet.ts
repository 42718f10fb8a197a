/** Measures one site with 200 phones at real pace: the agent's processor time and memory, idle and at work. */
import { makeReadyCampaign } from "../e2e/caller.ts";
import { Product } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import type { Figure, Part } from "./figure.ts";
import { clientWithQuota, untilOnline } from "./house.ts";
import { watchProcess } from "./process_use.ts";

const PHONES = 200;
/** A phone at its own speed takes about 7.5 s per message: open the chat, read the screen twice, tap. */
const PACE_SECONDS = 10;
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
  const product = await Product.start({
    devices: PHONES,
    speed: 1,
    rateLimit: PACE_SECONDS,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, PHONES);
    const idle = await watch(product);
    yield { name: "idle, CPU", value: idle.cpuPercent, unit: "% of a core", bar: { atMost: 5 } };
    yield { name: "idle, resident", value: idle.rssMb, unit: "MB", bar: { atMost: 200 } };

    const contacts = Math.ceil(1.5 * PHONES * (WARM_UP_MS + WATCH_MS) / 1000 / PACE_SECONDS);
    const client = await clientWithQuota(product, contacts);
    const campaign = await makeReadyCampaign(client, "קצב אמיתי", contacts);
    await client.read("POST", `/api/campaigns/${campaign}/send`);
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
