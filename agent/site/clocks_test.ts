/** Tests how the agent watches this machine's clock, against itself and against the edge's. */
import assert from "node:assert/strict";
import type { LogFields } from "../log.ts";
import { startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

const HOUR_MS = 3_600_000;

Deno.test("a site logs a jump of its clock once, and when it is far from the edge's and near again", async () => {
  using time = steadyClock();
  let aheadMs = 0;
  // The clock that a person corrects. The edge's clock stays right.
  const clock = { ...time, now: () => time.now() + aheadMs };
  const logged: { event: string; fields: LogFields | undefined }[] = [];
  let progress = Promise.withResolvers<void>();
  await using site = await startTestSite({
    clock,
    edge: { now: () => time.now() },
    log: (_level, event, fields) => {
      if (!event.startsWith("clock_")) return;
      logged.push({ event, fields });
      progress.resolve();
      progress = Promise.withResolvers();
    },
  });
  const until = async (count: number) => {
    while (logged.length < count) await progress.promise;
  };
  // Change the clock only after the site has read it and its edge has answered.
  await site.edge.untilReceived("heartbeat");
  aheadMs = HOUR_MS;
  await until(2);
  aheadMs = 0;
  await until(4);
  const events = logged.map(({ event }) => event);
  assert.deepEqual(events.toSorted(), ["clock_agrees", "clock_jumped", "clock_jumped", "clock_off"]);
  const jumps = logged.filter(({ event }) => event === "clock_jumped").map(({ fields }) =>
    Number(fields!.ms)
  );
  assert.ok(Math.abs(jumps[0]! - HOUR_MS) < 1_000 && Math.abs(jumps[1]! + HOUR_MS) < 1_000, `${jumps}`);
});
