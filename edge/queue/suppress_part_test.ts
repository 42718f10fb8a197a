import assert from "node:assert/strict";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openFleet } from "../testing/fleet.ts";
import { nextPart } from "./suppress_part.ts";

const FIRST = 972_540_000_001;
const list = (length: number) => Float64Array.from({ length }, (_, index) => FIRST + index);

Deno.test("nextPart() takes thousands of numbers of which nothing waits", async () => {
  await using fleet = await openFleet();
  assert.deepEqual(await nextPart(fleet.ctx, 0, list(12_000)), list(5_000));
  assert.deepEqual(await nextPart(fleet.ctx, 0, list(3)), list(3));
});

Deno.test("nextPart() takes no more numbers than take some thousand deliveries out, and one at least", async () => {
  await using fleet = await openFleet();
  const { id: client } = await fleet.addClient(0);
  for (let campaign = 0; campaign < 4; campaign++) {
    await makeCampaign(fleet.ctx, { client, rows: { queued: 2_000 }, firstPhone: FIRST });
  }
  assert.deepEqual(await nextPart(fleet.ctx, 0, list(4_000)), list(375));
  assert.deepEqual(await nextPart(fleet.ctx, client, list(1)), list(1));
  assert.equal((await nextPart(fleet.ctx, client, list(4_000).subarray(2_000))).length, 2_000);
  const { id: stranger } = await fleet.addClient(0);
  assert.equal((await nextPart(fleet.ctx, stranger, list(4_000))).length, 4_000);
});
