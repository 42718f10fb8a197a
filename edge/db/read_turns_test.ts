import assert from "node:assert/strict";
import { ReadTurns } from "./read_turns.ts";

/** Milliseconds that a caller works with the rows of a long list. */
const WORK_MS = 5;

/**
 * Starts a read for each of `callers` at once, each with WORK_MS of work; returns their order, and how many read in
 * each turn.
 */
async function readAtOnce(callers: (number | undefined)[]) {
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
  await Promise.all(callers.map(async (caller, no) => {
    await turns.read(caller, async () => {});
    // A request takes several promise steps.
    for (let step = 0; step < 10; step++) await undefined;
    now += WORK_MS;
    order.push(no);
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
  for (let read = 0; read < 100; read++) assert.equal(await turns.read(1, () => Promise.resolve(read)), read);
  await new Promise((done) => setImmediate(done));
});

Deno.test("ReadTurns gives every read of one caller a turn, in their order", async () => {
  const { order, perTurn } = await readAtOnce(Array(50).fill(undefined));
  assert.deepEqual(order, Array.from({ length: 50 }, (_, no) => no));
  assert.ok(Math.max(...perTurn) <= 8, perTurn.join());
  assert.ok(perTurn.length >= 10, perTurn.join());
});

Deno.test("ReadTurns alternates between callers, however many reads of one wait", async () => {
  const { order } = await readAtOnce([...Array(200).fill(1), 2, 2, undefined]);
  // Some reads of the first caller began before anybody else waited.
  for (const no of [200, 201, 202]) assert.ok(order.indexOf(no) < 20, `${no}: ${order}`);
  assert.deepEqual(
    order.filter((no) => no < 200),
    Array.from({ length: 200 }, (_, no) => no),
  );
});
