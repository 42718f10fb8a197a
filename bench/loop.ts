/** Runs the whole product at full speed: edge, agent and simulated phones, verified by the phones' tap log. */
import { makeReadyCampaign } from "../e2e/caller.ts";
import { Product } from "../e2e/product.ts";
import { pause, until } from "../e2e/wait.ts";
import type { Figure, Part } from "./figure.ts";
import { clientWithQuota, untilOnline } from "./house.ts";
import { type ProcessUse, rssMb, watchProcess } from "./process_use.ts";

const PHONES = 200;
const CONTACTS = 10_000;
const SAMPLE_MS = 250;
const PARTS = ["edge", "agent", "simulator"] as const;

export const loop: Part = {
  name: "loop",
  about:
    `P3: edge, agent and ${PHONES} simulated phones in three processes, ${CONTACTS.toLocaleString("en")} ` +
    `messages of one campaign, no pace between messages, 10,000 a day for a phone, phones 1,000 times real speed; ` +
    `rates by the phones' tap log between 5 % and 95 %, processes between 5 % and 90 %, resident sizes too short a time for a slope of ten minutes`,
  async *measure(): AsyncGenerator<Figure> {
    const run = await runLoop(PHONES, CONTACTS);
    yield { name: "messages tapped", value: run.perSecond, unit: "/s", bar: { atLeast: 400 } };
    yield { name: "taps", value: run.taps, unit: "" };
    yield { name: "doubled", value: run.doubled, unit: "", bar: { atMost: 0 } };
    yield {
      name: "taps that are not sent, or sent without a tap",
      value: Math.abs(run.taps - run.sent),
      unit: "",
      bar: { atMost: 0 },
    };
    for (const name of PARTS) {
      const { cpuPercent, queuedPercent, rssMb, grewMb } = run[name];
      yield { name: `${name}, CPU`, value: cpuPercent, unit: "% of a core" };
      yield { name: `${name}, waited for a processor`, value: queuedPercent, unit: "% of the time" };
      yield { name: `${name}, resident`, value: rssMb, unit: "MB" };
      yield { name: `${name}, resident grew`, value: grewMb / run.minutes, unit: "MB a minute" };
    }
  },
};

export interface LoopRun extends Record<typeof PARTS[number], ProcessUse & { grewMb: number }> {
  perSecond: number;
  taps: number;
  /** Taps to people who had one before. */
  doubled: number;
  sent: number;
  /** Minutes during which the processes were watched. */
  minutes: number;
}

/** Sends a campaign to its end. */
export async function runLoop(phones: number, contacts: number): Promise<LoopRun> {
  const product = await Product.start({
    devices: phones,
    speed: 1_000,
    rateLimit: 0,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, phones);
    const client = await clientWithQuota(product, contacts);
    const campaign = await makeReadyCampaign(client, "במהירות מלאה", contacts);
    await client.read("POST", `/api/campaigns/${campaign}/send`);
    return await watchLoop(product, campaign, contacts);
  } finally {
    await product.stop();
  }
}

/** Watches the processes from 5 % to 90 % of the campaign, then waits for its end. */
async function watchLoop(product: Product, campaign: number, contacts: number): Promise<LoopRun> {
  while (openRows(product, campaign) > 0.95 * contacts) await pause(SAMPLE_MS);
  const looks = PARTS.map((name) => watchProcess(product.pid(name)!));
  const before = PARTS.map((name) => rssMb(product.pid(name)!));
  const beganAt = performance.now();
  while (openRows(product, campaign) > 0.1 * contacts) await pause(SAMPLE_MS);
  const minutes = (performance.now() - beganAt) / 60_000;
  const [edge, agent, simulator] = looks.map((look, index) => {
    const use = look();
    return { ...use, grewMb: use.rssMb - before[index] };
  });
  await until(
    () => Promise.resolve(openRows(product, campaign) === 0),
    120_000,
    "every row is settled",
  );
  const taps = product.taps();
  const times = taps.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  const [from, to] = [Math.floor(times.length * 0.05), Math.floor(times.length * 0.95)];
  const sql = "SELECT count(*) AS n FROM deliveries WHERE campaign = ? AND state = 'sent'";
  return {
    perSecond: (to - from) / ((times[to] - times[from]) / 1000),
    taps: taps.length,
    doubled: taps.length - new Set(taps.map(({ phone }) => phone)).size,
    sent: product.query<{ n: number }>(sql, campaign)[0].n,
    minutes,
    edge,
    agent,
    simulator,
  };
}

function openRows(product: Product, campaign: number): number {
  const sql = "SELECT queued_count + leased_count AS n FROM campaigns WHERE id = ?";
  return product.query<{ n: number }>(sql, campaign)[0].n;
}
