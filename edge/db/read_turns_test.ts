import assert from "node:assert/strict";
import { ReadTurns } from "./read_turns.ts";

/** Milliseconds that a caller works with the rows of a long list. */
const WORK_MS = 5;

/** Starts this many reads at once, each with WORK_MS of work; returns their order, and how many read in each turn. */
async function readAtOnce(callers: number) {
  let now = 0;
  const perTurn = [0];
  const turns = new ReadTurns({
    clock: () => now,
    turn: () => new Promise((done) => setImmediate(done)),
    turnLoop: async () => {
      await new Promise((done) => setTimeout(done, 0));
      perTurn.push(0);
    },
  });
  const order: number[] = [];
  await Promise.all(Array.from({ length: callers }, async (_, caller) => {
    await turns.read(async () => {});
    // A request takes several promise steps.
    for (let step = 0; step < 10; step++) await undefined;
    now += WORK_MS;
    order.push(caller);
    perTurn[perTurn.length - 1]!++;
  }));
  return { order, perTurn };
}

Deno.test("ReadTurns starts reads that arrive one by one at once", async () => {
  const turns = new ReadTurns({
    clock: () => 0,
    turn: () => new Promise((done) => setImmediate(done)),
    turnLoop: () => assert.fail("waits for a turn of the loop"),
  });
  for (let read = 0; read < 100; read++) assert.equal(await turns.read(() => Promise.resolve(read)), read);
  await new Promise((done) => setImmediate(done));
});

Deno.test("ReadTurns gives every caller a turn, in order of arrival", async () => {
  const { order, perTurn } = await readAtOnce(50);
  assert.deepEqual(order, Array.from({ length: 50 }, (_, caller) => caller));
  assert.ok(Math.max(...perTurn) <= 8, perTurn.join());
  assert.ok(perTurn.length >= 10, perTurn.join());
});
