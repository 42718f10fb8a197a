/** Measures the cost of a delivery with few and with many running campaigns, each of another client. */
import { listAllCampaigns } from "../../edge/admin/list_campaigns.ts";
import { leaseDeliveries } from "../../edge/queue/lease.ts";
import { openDispatchWorld } from "../dispatch_world.ts";
import { percentile } from "../figure.ts";
import { curvePart, timesOf } from "./curve.ts";

const SENT = 2_000;
const BATCH = 20;
const ASKED = 50;
const LATER = 253_402_300_799_000;

export const campaigns = curvePart({
  name: "campaigns",
  about:
    `active campaigns, each of its own client: ${
      SENT.toLocaleString("en")
    } deliveries leased and reported in ` +
    `batches of ${BATCH}, in turn of the clients; ${ASKED} pulls that find nothing due; the administrators' first page`,
  of: "campaigns",
  sizes: [1, 10, 100, 1_000],
  costs: [
    "lease + report, CPU µs/delivery",
    "a round of it, p50 ms",
    "a pull of nothing, p50 ms",
    "administrators' page, p50 ms",
  ],
  async measure(size) {
    await using world = await openDispatchWorld({
      campaigns: size,
      deliveries: Math.max(2 * SENT / size, 2 * BATCH),
      phones: BATCH,
    });
    const { ctx } = world;
    const run = await world.send(SENT, BATCH);
    const pages = await timesOf(ASKED, () => listAllCampaigns(ctx, { limit: 50 }));
    await ctx.db.execute({
      sql: "UPDATE deliveries SET not_before = ? WHERE state = 'queued'",
      args: [LATER],
    });
    const pulls = await timesOf(ASKED, async () => {
      const lease = await leaseDeliveries(ctx, { site: 1, epoch: 1, devices: [{ id: "D1", room: 1 }] });
      if (lease !== null) throw new Error("Something was due");
    });
    return [
      run.cpuSeconds * 1e6 / run.deliveries,
      run.roundP50Ms,
      percentile(pulls, 0.5),
      percentile(pages, 0.5),
    ];
  },
});
