import assert from "node:assert/strict";
import { Caller, makeReadyCampaign, type PartName, pause, Product, until } from "./product.ts";

const CONTACTS = 300;
const SEED = Number(Deno.env.get("SEED") ?? Math.floor(Math.random() * 1e9));

Deno.test("a campaign of 300 contacts survives kill -9 of edge, agent and simulator: nobody twice, nobody lost", async (t) => {
  const random = seeded(SEED);
  const product = await Product.start({ devices: 8, speed: 40, rateLimit: 0, maxMessagesPerDay: 10_000 });
  try {
    const client = product.logins().find((login) => login.role === "client");
    assert.ok(client);
    let caller = await Caller.login(product.url, client);
    const before = (await caller.read<{ messageQuota: number }>("GET", "/api/auth/me")).messageQuota;
    const id = await makeReadyCampaign(caller, "קמפיין הפלות", CONTACTS);
    await caller.read("POST", `/api/campaigns/${id}/send`);

    const kills: PartName[] = ["edge", "agent", "simulator", "edge", "agent", "edge"];
    for (const [index, part] of kills.entries()) {
      // Spread over the campaign: each kill waits for its share of the taps, then a random moment more.
      await until(
        () => Promise.resolve(product.taps().length >= 20 + index * 40),
        60_000,
        `tap ${20 + index * 40}`,
      );
      await pause(random() * 300);
      await product.kill(part);
      await pause(random() * 500);
      await product.launch(part);
    }
    caller = await Caller.login(product.url, client);
    const ended = await until(
      async () => {
        const campaign = await caller.read<{ status: string; counts: Record<string, number> }>(
          "GET",
          `/api/campaigns/${id}`,
        );
        return campaign.status.startsWith("completed") && campaign;
      },
      180_000,
      "the campaign ends by itself",
    );

    const taps = product.taps();
    const perPhone = Map.groupBy(taps, (tap) => tap.phone);
    const rows = product.query<{ phone: number; state: string }>(
      "SELECT phone, state FROM deliveries WHERE campaign = ?",
      id,
    );
    const counts = Object.groupBy(rows, (row) => row.state);

    await t.step(`doubled 0 (seed ${SEED}, ${taps.length} taps, ${JSON.stringify(ended.counts)})`, () => {
      assert.deepEqual([...perPhone].filter(([, own]) => own.length > 1).map(([phone]) => phone), []);
    });
    await t.step("lost 0: every row is sent or unknown, and every sent one was tapped", () => {
      assert.equal(rows.length, CONTACTS);
      const untapped = (counts.sent ?? []).filter((row) => !perPhone.has(`+${row.phone}`));
      assert.deepEqual(untapped, []);
      assert.equal((counts.sent?.length ?? 0) + (counts.unknown?.length ?? 0), CONTACTS);
    });
    await t.step("unknown at most one per device per kill", () => {
      assert.ok((counts.unknown?.length ?? 0) <= 8 * kills.length);
    });
    await t.step("the auditor finds nothing", async () => {
      assert.deepEqual(await product.audit(), "All rules hold.");
    });
    await t.step("ledger error 0", async () => {
      const { messageQuota } = await caller.read<{ messageQuota: number }>("GET", "/api/auth/me");
      const [{ total }] = product.query<{ total: number }>(
        "SELECT sum(delta) AS total FROM quota_ledger WHERE campaign = ?",
        id,
      );
      assert.equal(messageQuota, before + total);
      assert.equal(-total, CONTACTS);
    });
  } catch (error) {
    throw new Error(`Seed ${SEED}; the last lines of the parts:\n${product.lines.slice(-60).join("")}`, {
      cause: error,
    });
  } finally {
    await product.stop();
  }
});

/** Mulberry32: small, seeded, good enough to choose moments. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
