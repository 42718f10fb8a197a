import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { ACCOUNT_STATES } from "shared/agent_protocol.ts";
import { accountRisk, type AccountSignals, HIGH_RISK, MEDIUM_RISK, NO_SIGNS } from "./account_risk.ts";

const NOW = Date.UTC(2026, 10, 22, 8);
const DAY_MS = 24 * 60 * 60_000;

/** Returns only the score and the reasons. */
function riskOf(signals: Partial<AccountSignals> = {}) {
  const { score, reasons } = risk(signals);
  return { score, reasons };
}

function risk(signals: Partial<AccountSignals> = {}) {
  return accountRisk({
    state: "ok",
    bannedAt: null,
    bornAt: 0,
    usedToday: 0,
    capPerDay: 250,
    sent: 0,
    failed: 0,
    absent: 0,
    unknown: 0,
    ...signals,
  }, NOW);
}

Deno.test("accountRisk() puts lost accounts in the high tier and sound ones in the low", () => {
  for (const state of ACCOUNT_STATES) {
    assert.equal(risk({ state }).score >= HIGH_RISK, state === "banned" || state === "restricted", state);
  }
  assert.deepEqual(riskOf(), { score: 0, reasons: [NO_SIGNS] });
});

Deno.test("accountRisk() returns reasons, the weightiest first", () => {
  assert.deepEqual(riskOf({ sent: 89, failed: 11, absent: 11, usedToday: 250 }), {
    score: 74,
    reasons: ["11% מהמספרים אינם קיימים באפליקציה.", "הגיע לתקרה היומית: 250 מתוך 250."],
  });
  assert.deepEqual(riskOf({ state: "logged_out", bornAt: NOW - 2 * DAY_MS }), {
    score: 55,
    reasons: ["החשבון נותק במכשיר. צריך להתחבר אליו מחדש בטלפון עצמו.", "חשבון צעיר: יום 3 מתוך 14."],
  });
  assert.deepEqual(risk({ usedToday: 203 }).reasons, ["קרוב לתקרה היומית: 203 מתוך 250."]);
  assert.deepEqual(risk({ sent: 492, unknown: 8 }).reasons, [
    "1.6% מההודעות במצב לא ידוע ב־24 השעות האחרונות.",
  ]);
  assert.deepEqual(risk({ sent: 90, failed: 10 }).reasons, ["10% מההודעות נכשלו ב־24 השעות האחרונות."]);
});

Deno.test("accountRisk() holds a ban against an account for 30 days", () => {
  const within = risk({ bannedAt: NOW - 29 * DAY_MS });
  assert.ok(within.score >= MEDIUM_RISK && within.score < HIGH_RISK);
  assert.equal(risk({ bannedAt: NOW - 30 * DAY_MS }).score, 0);
  assert.equal(risk({ state: "banned", bannedAt: NOW }).reasons.length, 1, "a ban is told once");
});

Deno.test("accountRisk() computes no share from a few outcomes", () => {
  assert.equal(risk({ failed: 24, absent: 24 }).score, 0);
  assert.ok(risk({ failed: 25, absent: 25 }).score >= HIGH_RISK);
});

Deno.test("accountRisk() is a whole number from 0 to 100 with a reason, and more failures never lower it", () => {
  const count = fc.nat(500);
  const signals = fc.record({
    state: fc.constantFrom(...ACCOUNT_STATES),
    bannedAt: fc.option(fc.integer({ min: 0, max: NOW })),
    bornAt: fc.integer({ min: 0, max: NOW }),
    usedToday: count,
    capPerDay: fc.integer({ min: 1, max: 500 }),
    sent: count,
    absent: count,
    unknown: count,
  });
  fc.assert(fc.property(signals, fc.nat(50), (given, more) => {
    const failed = given.absent;
    const { score, reasons, advice, isGreen } = risk({ ...given, failed });
    assert.equal(advice.length, score === 0 && reasons[0] === NO_SIGNS ? 0 : reasons.length);
    assert.ok(advice.every((sentence) => /[א-ת]/.test(sentence) && sentence.endsWith(".")));
    assert.ok(isGreen || score >= MEDIUM_RISK);
    assert.ok(Number.isInteger(score) && score >= 0 && score <= 100);
    assert.ok(reasons.every((reason) => /[א-ת]/.test(reason) && reason.endsWith(".")));
    if (given.unknown === 0) {
      const worse = risk({ ...given, failed: failed + more, absent: given.absent + more });
      assert.ok(worse.score >= score || given.sent + failed < 25);
    }
  }));
});

Deno.test("accountRisk() calls an account green while only its age and a full day weigh on it", () => {
  assert.ok(risk({ bornAt: NOW, usedToday: 250 }).isGreen);
  assert.ok(!risk({ state: "logged_out" }).isGreen);
  assert.ok(!risk({ sent: 90, failed: 10, absent: 10 }).isGreen);
  assert.ok(risk({ sent: 98, failed: 2 }).isGreen);
});
