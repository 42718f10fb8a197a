/** Measures the cost of one contact in a list of 1,000 and in one of a million. */
import { readDeliveries } from "../../edge/campaigns/deliveries.ts";
import { type DispatchWorld, openDispatchWorld } from "../dispatch_world.ts";
import { percentile } from "../figure.ts";
import { measureImport } from "../import.ts";
import { curvePart, timesOf } from "./curve.ts";

const SENT = 1_000;
const BATCH = 20;
const PAGES = 100;
const PAGE = 100;
const OWNER = {
  client: 1,
  person: 1,
  username: "b1",
  role: "client",
  duty: "owner",
  sessionHash: "",
} as const;

export const contacts = curvePart({
  name: "contacts",
  about:
    `lists of one campaign: imported in no order; ${SENT.toLocaleString("en")} deliveries of it leased and ` +
    `reported in batches of ${BATCH}; ${PAGES} pages of ${PAGE} at places all over it`,
  of: "contacts",
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  costs: [
    "import, CPU µs/contact",
    "lease + report, CPU µs/delivery",
    "a round of it, p50 ms",
    "a page, p50 ms",
    "a page, p95 ms",
  ],
  async measure(size) {
    const imported = await measureImport(size, "shuffled");
    await using world = await openDispatchWorld({ deliveries: size, phones: BATCH });
    const run = await world.send(SENT, BATCH);
    const pages = await timePages(world, size);
    return [
      imported.cpuSeconds * 1e6 / size,
      run.cpuSeconds * 1e6 / run.deliveries,
      run.roundP50Ms,
      percentile(pages, 0.5),
      percentile(pages, 0.95),
    ];
  },
});

async function timePages({ ctx }: DispatchWorld, size: number): Promise<number[]> {
  return await timesOf(PAGES, async (call) => {
    const after = 1 + Math.floor((call * 0.618_034 % 1) * (size - PAGE - 1));
    const page = await readDeliveries(ctx, OWNER, 1, { cursor: `0.${after}`, limit: PAGE });
    if (page.items.length !== PAGE) throw new Error(`A page of ${page.items.length}`);
  });
}
