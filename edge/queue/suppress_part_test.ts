import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { writeBatch } from "../db/write_batch.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { allRows } from "../testing/all_rows.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { openTestApp } from "../testing/test_app.ts";
import { cancelCampaign } from "./cancel.ts";
import { pauseCampaign } from "./pause.ts";
import { resolveDeliveries } from "./resolve.ts";
import { type Search, suppressSteps } from "./suppress.ts";
import { nextPart } from "./suppress_part.ts";

const FIRST = 972_540_000_001;
const list = (length: number) => Float64Array.from({ length }, (_, index) => FIRST + index);

async function lengthOfPart(fleet: Fleet, client: number, phones: Float64Array): Promise<number> {
  return (await nextPart(fleet.ctx, client, phones)).phones.length;
}

Deno.test("nextPart() takes thousands of numbers at once when no delivery waits for them", async () => {
  await using fleet = await openFleet();
  assert.deepEqual((await nextPart(fleet.ctx, 0, list(12_000))).phones, list(5_000));
  assert.deepEqual((await nextPart(fleet.ctx, 0, list(3))).phones, list(3));
});

Deno.test("nextPart() takes numbers for at most some thousand deliveries, and at least one number", async () => {
  await using fleet = await openFleet();
  const { id: client } = await fleet.addClient(0);
  for (let campaign = 0; campaign < 4; campaign++) {
    await makeCampaign(fleet.ctx, { client, rows: { queued: 2_000 }, firstPhone: FIRST });
  }
  assert.deepEqual((await nextPart(fleet.ctx, 0, list(4_000))).phones, list(250));
  assert.equal(await lengthOfPart(fleet, client, list(1)), 1);
  assert.equal(await lengthOfPart(fleet, client, list(4_000).subarray(2_000)), 2_000);
  const { id: stranger } = await fleet.addClient(0);
  assert.equal(await lengthOfPart(fleet, stranger, list(4_000)), 4_000);
});

Deno.test("nextPart() reads no more rows of campaigns than one commit may, although nothing of them waits", async () => {
  await using fleet = await openFleet();
  const { id: client } = await fleet.addClient(0);
  for (let campaign = 0; campaign < 5; campaign++) {
    const rows = { sent: 4_000, queued: 1 };
    await makeCampaign(fleet.ctx, { client, status: "active", rows, firstPhone: FIRST });
  }
  assert.deepEqual(await nextPart(fleet.ctx, client, list(4_000)), {
    phones: list(2_000),
    search: "numbers",
  });
});

Deno.test("a file of removals takes as many numbers a commit when a few of them wait in hundreds of campaigns", async () => {
  await using edge = await openTestApp();
  const { id: client, ask } = await edge.addPerson();
  for (let campaign = 0; campaign < 300; campaign++) {
    await makeCampaign(edge.ctx, { client, rows: { queued: 1 }, firstPhone: FIRST + campaign });
  }
  const body = new FormData();
  body.set("file", new File([list(20_000).join("\n")], "a.csv"));
  const answer = await ask("/api/suppressions/file", { method: "POST", body });
  assert.equal((await answer.json()).skipped, 300);
  const { rows } = await edge.ctx.db.execute(
    "SELECT count(*) AS commits FROM audit_log WHERE kind = 'suppressions_added'",
  );
  assert.equal(rows[0]!.commits, 4);
});

Deno.test("a list leaves the same rows, ledger and events whichever way its numbers are searched", async () => {
  await using fleet = await openFleet();
  const { db } = fleet.ctx;
  const { client, phones, id: mine } = await sendNew(fleet, 12, await fleet.addClient(100));
  const site = await fleet.addSite(2);
  await report(fleet, site, await take(fleet, site, 2), "unknown");
  await resolveDeliveries(fleet.ctx, client, mine, { ids: "all", as: "resend" });
  const held = await take(fleet, site, 2);
  await report(fleet, site, { ...held, items: held.items.slice(0, 1) }, "sent");
  await pull(fleet, site, 1);
  await pauseCampaign(
    fleet.ctx,
    { client: client.id, person: client.id, role: "client" },
    (await sendNew(fleet, 12, client)).id,
  );
  const cancelled = await sendNew(fleet, 12, await fleet.addClient(12));
  await take(fleet, site, 2);
  await cancelCampaign(fleet.ctx, { client: 0, person: 0, role: "admin" }, cancelled.id);
  await fleet.addCampaign(client, 12);

  async function after(suppressed: number[], of: number, search: Search) {
    const tx = await db.transaction("write");
    try {
      await writeBatch(
        tx,
        suppressSteps({ client: of, phones: suppressed, source: "file", search }, fleet.ctx.now()),
      );
      return await allRows(tx);
    } finally {
      tx.close();
    }
  }

  const numbers = [...phones.map(toDigits), FIRST - 1, FIRST + 500];
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(numbers, { minLength: 1 }),
      fc.constantFrom(0, client.id, cancelled.client.id),
      async (suppressed, of) =>
        assert.deepEqual(await after(suppressed, of, "range"), await after(suppressed, of, "numbers")),
    ),
    { numRuns: 60 },
  );
  const { deliveries, events } = await after(numbers, 0, "range") as Record<
    string,
    Record<string, unknown>[]
  >;
  assert.deepEqual(
    new Set(deliveries!.map(({ state }) => state)),
    new Set(["leased", "queued", "sent", "skipped", "unknown"]),
  );
  const recalls = events!.filter(({ type }) => type === "recall").map(({ campaign }) => campaign);
  assert.deepEqual(new Set(recalls), new Set([mine, cancelled.id]));
});
