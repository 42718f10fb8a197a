import assert from "node:assert/strict";
import { accountRisk, HIGH_RISK } from "./account_risk.ts";
import { warmUpCap } from "./warm_up.ts";

const NOW = Date.UTC(2026, 10, 22, 8);
const DAY_MS = 24 * 60 * 60_000;

Deno.test("the worked example of docs/account_health.md has the results that the page gives", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/account_health.md", import.meta.url));
  const given = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!);
  const documented = Number(/\*\*(\d+)\*\*, high/.exec(page)![1]);
  const { ageDays, ...counts } = given;
  assert.equal(given.capPerDay, warmUpCap(ageDays, 0, 250));
  const { score, reasons, advice } = accountRisk(
    { ...counts, state: "ok", bannedAt: null, bornAt: NOW - ageDays * DAY_MS },
    NOW,
  );
  assert.equal(score, documented);
  assert.ok(score >= HIGH_RISK);
  assert.deepEqual([reasons.length, advice.length], [3, 3]);
});
