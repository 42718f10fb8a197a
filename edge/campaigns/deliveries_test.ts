import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import fc from "shared/testing/fast_check.ts";
import type { CampaignStatus } from "shared/campaign.ts";
import { DELIVERY_STATES } from "shared/delivery.ts";
import type { Delivery } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { type DeliveryPage, type DeliveryQuery, readDeliveries } from "./deliveries.ts";
import { makeCampaign } from "../testing/make_campaign.ts";

const ROWS = { queued: 30, leased: 5, sent: 40, failed: 12, unknown: 3, skipped: 4, cancelled: 6 };

Deno.test("readDeliveries() shows every delivery once, whatever the page's length and the filter", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, ROWS);
  const filters = fc.record({
    state: fc.option(fc.constantFrom(...DELIVERY_STATES), { nil: undefined }),
    q: fc.option(fc.constantFrom("054", "9725400000", "054-000-0001", "+44"), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 45 }), async (filter, limit) => {
      const shown = await readAll(test.ctx, asker, { ...filter, limit });
      const all = await readAll(test.ctx, asker, { limit: 500 });
      const begins = {
        "054": "+97254",
        "9725400000": "+9725400000",
        "054-000-0001": "+972540000001",
        "+44": "+44",
      };
      const expected = all.filter((row) =>
        (filter.state === undefined || row.state === filter.state) &&
        (filter.q === undefined || row.phone.startsWith(begins[filter.q as keyof typeof begins]))
      );
      assert.equal(all.length, 100);
      assert.deepEqual(
        shown.map((row) => row.id).toSorted(byNumber),
        expected.map((row) => row.id).toSorted(byNumber),
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("readDeliveries() shows an offer nobody acknowledged as queued", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { queued: 2, leased: 3 });
  await test.ctx.db.execute(
    "UPDATE deliveries SET acked_at = NULL WHERE id = (SELECT min(id) FROM deliveries WHERE state = 'leased')",
  );
  const queued = await readAll(test.ctx, asker, { state: "queued", limit: 1 });
  assert.deepEqual(queued.map((row) => row.state), ["queued", "queued", "queued"]);
  assert.equal((await readAll(test.ctx, asker, { state: "leased", limit: 1 })).length, 2);
});

Deno.test("readDeliveries() shows waiting rows of a cancelled campaign as cancelled", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { queued: 4, cancelled: 2 }, "cancelled");
  const cancelled = await readAll(test.ctx, asker, { state: "cancelled", limit: 3 });
  assert.deepEqual(cancelled.map((row) => row.state), Array(6).fill("cancelled"));
  assert.deepEqual(await readAll(test.ctx, asker, { state: "queued", limit: 3 }), []);
});

Deno.test("readDeliveries() names the disconnected site that holds a delivery", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { leased: 2 }, "active");
  await test.ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, last_seen_at, created_at) VALUES
      (1, 'תל אביב', ${test.clock.now - 31_000}, 1), (2, 'חיפה', ${test.clock.now - 1_000}, 1);
    UPDATE deliveries SET site = 1 WHERE id = (SELECT min(id) FROM deliveries);
    UPDATE deliveries SET site = 2 WHERE site IS NULL;`);
  const rows = await readAll(test.ctx, asker, { limit: 10 });
  assert.deepEqual(rows.map((row) => row.waitingForSite), ["תל אביב", null]);
});

Deno.test("readDeliveries() hides the middle of a number from everybody but its owner", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { sent: 1 });
  const [own] = (await read(test.ctx, asker, { limit: 1 })).items;
  assert.equal(own.phone, "+972540000001");
  const user = { ...asker.user, client: 0, person: 0, role: "admin" } as const;
  const [row] = (await read(test.ctx, { ...asker, user }, { limit: 1 })).items;
  assert.equal(row.phone, "+97254•••0001");
});

Deno.test("readDeliveries() puts no number in its cursor, and continues after an erased number", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { sent: 4 });
  for (const q of [undefined, "054"]) {
    const page = { q, limit: 2, masked: true };
    const { items, nextCursor } = await read(test.ctx, asker, page);
    assert.doesNotMatch(nextCursor!, /\d{5}/);
    const next = await read(test.ctx, asker, { ...page, cursor: nextCursor! });
    assert.deepEqual(next.items.map(({ phone }) => phone), ["+97254•••0003", "+97254•••0004"]);
    await test.ctx.db.execute({
      sql: "UPDATE deliveries SET phone = -id WHERE id = ?",
      args: [items[1]!.id],
    });
    const anew = await read(test.ctx, asker, { ...page, cursor: nextCursor! });
    assert.equal(anew.items[0]!.id, items[0]!.id);
    await test.ctx.db.execute({
      sql: "UPDATE deliveries SET phone = 972540000002 WHERE id = ?",
      args: [items[1]!.id],
    });
  }
});

Deno.test("readDeliveries() refuses a cursor that is not one of ours", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { sent: 1 });
  for (const cursor of ["", "0", "x", "0.1.2", "9.1", "0.-1", "0.1;DROP TABLE deliveries"]) {
    await assert.rejects(
      read(test.ctx, asker, { cursor, limit: 1 }),
      { code: "invalid_input" },
      cursor,
    );
  }
});

Deno.test("readDeliveries() reads every kind of page in the order of an index", async () => {
  await using test = await openTestApp();
  const asker = await askerOf(test, { queued: 2_000, leased: 50, sent: 3_000, failed: 200 });
  const asked: Statement[] = [];
  const ctx = { ...test.ctx, db: recording(test.ctx.db, asked) };
  for (const state of [undefined, ...DELIVERY_STATES]) {
    for (const q of [undefined, "054", "0540000001"]) {
      const { nextCursor } = await read(ctx, asker, { state, q, limit: 20 });
      if (nextCursor !== null) {
        await read(ctx, asker, { state, q, cursor: nextCursor, limit: 20 });
      }
    }
  }
  assert.ok(asked.length > 40);
  for (const { sql, args } of asked.filter(({ sql }) => sql.includes("FROM deliveries"))) {
    const { rows } = await test.ctx.db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    const plan = rows.map((row) => String(row.detail));
    // The previous row bounds the read from below, so page 1,000 costs as much as page 1.
    assert.match(
      plan[0],
      /^SEARCH d USING INDEX deliveries_(campaign_phone|queue|state) \(campaign=\?.*>/,
      sql,
    );
    assert.ok(!plan.some((step) => /SCAN|TEMP B-TREE/.test(step)), `${plan}\n${sql}`);
  }
});

interface Statement {
  sql: string;
  args: Record<string, string | number>;
}

/** Returns the same client, and records each statement in `asked`. */
function recording(db: Client, asked: Statement[]): Client {
  return new Proxy(db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name).bind(target);
      return (statements: Statement[], mode: "read") => {
        asked.push(...statements);
        return target.batch(statements, mode);
      };
    },
  });
}

/** A campaign, and the user that asks for its deliveries. */
interface Asker {
  campaign: number;
  user: Caller;
}

async function askerOf(
  test: TestApp,
  rows: Partial<typeof ROWS>,
  status: CampaignStatus = "active",
): Promise<Asker> {
  const { id, username } = await test.addPerson();
  const campaign = await makeCampaign(test.ctx, { client: id, status, rows });
  return {
    campaign,
    user: { client: id, person: id, username, role: "client", duty: "owner", sessionHash: "" },
  };
}

function read(ctx: EdgeContext, { user, campaign }: Asker, query: DeliveryQuery): Promise<DeliveryPage> {
  return readDeliveries(ctx, user, campaign, query);
}

async function readAll(
  ctx: EdgeContext,
  asker: Asker,
  query: Omit<DeliveryQuery, "cursor" | "masked">,
): Promise<Delivery[]> {
  const items: Delivery[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(ctx, asker, { ...query, cursor });
    assert.ok(page.items.length <= query.limit);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

function byNumber(a: number, b: number): number {
  return a - b;
}
