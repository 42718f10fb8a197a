import assert from "node:assert/strict";
import { contestFigures, inTurn } from "./rounds.ts";

Deno.test("inTurn() runs both sides in turn, ours first", async () => {
  const order: string[] = [];
  const run = (who: string) => () => {
    order.push(who);
    return Promise.resolve({ seconds: order.length, cpuSeconds: 1 });
  };
  const contest = await inTurn(2, run("ours"), run("peer"));
  assert.deepEqual(order, ["ours", "peer", "ours", "peer"]);
  assert.deepEqual(contest.ours.map(({ seconds }) => seconds), [1, 3]);
  assert.deepEqual(contest.peer.map(({ seconds }) => seconds), [2, 4]);
});

Deno.test("contestFigures() takes the ratio within each round, and holds it to the bar", () => {
  const run = (seconds: number) => ({ seconds, cpuSeconds: seconds / 2 });
  const contest = { ours: [run(1), run(2), run(4)], peer: [run(2), run(2), run(2)] };
  const figures = [...contestFigures("theirs", contest, { amount: 100, unit: "jobs", bar: { atLeast: 1 } })];
  assert.deepEqual(figures.map(({ value }) => value), [50, 100, 50, 100, 1]);
  assert.match(figures[4].name, /rounds 0\.50–2\.00/);
  assert.deepEqual(figures[4].bar, { atLeast: 1 });
});
