import assert from "node:assert/strict";
import { SupersededError } from "../queue/fence.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull } from "../testing/queue_acts.ts";
import { renewGeneration } from "./generation.ts";

Deno.test("renewGeneration() uses other numbers when the same backup is restored again (rule 17)", async () => {
  const numbers = await Promise.all([1, 2].map(async (random) => {
    await using fleet = await openFleet();
    const client = await fleet.addClient(2);
    await fleet.addCampaign(client, 1);
    const { db } = fleet.ctx;
    await renewGeneration({
      db,
      now: fleet.ctx.now,
      randomBytes: (length) => new Uint8Array(length).fill(random),
    });
    return (await fleet.addCampaign(client, 1)).id;
  }));
  assert.notEqual(numbers[0], numbers[1]);
});

Deno.test("renewGeneration() skips the numbers of lost campaigns also in a database without campaigns (rule 17)", async () => {
  await using fleet = await openFleet();
  await renewGeneration(fleet.ctx);
  const { id } = await fleet.addCampaign(await fleet.addClient(2), 1);
  assert.ok(id > 1_000_000);
});

Deno.test("renewGeneration() ends open connections, so that sites learn the new generation (rule 17)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  await renewGeneration(fleet.ctx);
  await assert.rejects(pull(fleet, site), SupersededError);
});
