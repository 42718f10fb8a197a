import assert from "node:assert/strict";
import { makeCampaign } from "../../testing/make_campaign.ts";
import { endByPace, measuredPace, type PaceSample, withSample } from "./pace.ts";

const MINUTE = 60_000;

function running(sent: number, lastSentAt: number | null) {
  return makeCampaign({ status: "active", counts: { sent, queued: 100 }, startedAt: 0, lastSentAt });
}

Deno.test("measuredPace() returns nothing before two messages were sent", () => {
  assert.equal(measuredPace(running(0, null), [], 0), undefined);
  assert.equal(measuredPace(running(1, MINUTE), [], MINUTE), undefined);
  assert.equal(measuredPace(running(40, 2 * MINUTE), [], 2 * MINUTE), 20);
});

Deno.test("measuredPace() ignores the time before this screen was open, once it saw a minute", () => {
  const afterTheNight = running(400, 600 * MINUTE);
  const start = 600 * MINUTE;
  const brief = withSample([{ at: start, sent: 340 }], { at: start + 20_000, sent: 360 });
  assert.equal(Math.round(measuredPace(afterTheNight, brief, start + 20_000)!), 1);
  const long = withSample(brief, { at: start + MINUTE, sent: 400 });
  assert.equal(measuredPace(afterTheNight, long, start + MINUTE), 60);
});

Deno.test("measuredPace() is zero and endByPace() returns no time after five minutes without a message", () => {
  let samples: PaceSample[] = [{ at: 0, sent: 50 }];
  for (let minute = 1; minute <= 7; minute++) {
    samples = withSample(samples, { at: minute * MINUTE, sent: 90 });
  }
  const campaign = running(90, MINUTE);
  assert.equal(samples[0].at, 2 * MINUTE);
  assert.equal(measuredPace(campaign, samples, 7 * MINUTE), 0);
  assert.equal(endByPace(campaign, 0, 0), undefined);
});

Deno.test("measuredPace() ignores messages sent long before this screen was open", () => {
  const stopped = running(16, 2 * MINUTE);
  assert.equal(measuredPace(stopped, [], 7 * MINUTE), 8);
  assert.equal(measuredPace(stopped, [], 8 * MINUTE), undefined);
});

Deno.test("endByPace() counts waiting deliveries and those on phones", () => {
  const campaign = makeCampaign({ status: "active", counts: { sent: 10, queued: 50, leased: 10 } });
  assert.equal(endByPace(campaign, 20, MINUTE), 4 * MINUTE);
});
