import assert from "node:assert/strict";
import { createTurns, LONGEST_WAY_MS } from "./turn_loop.ts";

/** Starts work on a loop that the test turns by hand, and counts the pieces begun. */
function startWork(pieces: number) {
  let now = 0;
  const waiting: (() => void)[] = [];
  const turns = createTurns({
    clock: () => now,
    turnOnce: () => new Promise((resolve) => waiting.push(resolve)),
  });
  let begun = 0;
  for (let piece = 0; piece < pieces; piece++) void turns.turnLoop().then(() => void begun++);
  return {
    ...turns,
    begun: () => begun,
    async turn(ms = 1) {
      // Pending promises settle first.
      await new Promise((done) => setImmediate(done));
      now += ms;
      waiting.shift()?.();
      await new Promise((done) => setImmediate(done));
    },
  };
}

Deno.test("turnLoop() lets one piece of work begin, and turns once more after each, however short", async () => {
  const { turn, begun } = startWork(3);
  const counts: number[] = [];
  for (let turns = 0; turns < 6; turns++) {
    await turn();
    counts.push(begun());
  }
  assert.deepEqual(counts, [0, 1, 1, 2, 2, 3]);
});

Deno.test("turnLoop() lets no piece of work begin while a read is under way", async () => {
  const { turn, begun, whileReading } = startWork(2);
  const end = Promise.withResolvers<void>();
  const read = whileReading(() => end.promise);
  for (let turns = 0; turns < 20; turns++) await turn();
  assert.equal(begun(), 0);
  end.resolve();
  await read;
  await turn();
  assert.equal(begun(), 0, "its answer is sent in this turn");
  await turn();
  assert.equal(begun(), 1);
});

Deno.test("turnLoop() yields to reads for a bounded time, so that a flood of them does not stop long work", async () => {
  const { turn, begun, whileReading } = startWork(2);
  const end = Promise.withResolvers<void>();
  const read = whileReading(() => end.promise);
  await turn(1);
  await turn(LONGEST_WAY_MS - 1);
  assert.equal(begun(), 1);
  await turn(1);
  await turn(LONGEST_WAY_MS - 2);
  assert.equal(begun(), 1);
  await turn(1);
  assert.equal(begun(), 2);
  end.reject(new Error("a read that failed"));
  await assert.rejects(read);
});

Deno.test("turnLoop() turns again after a late piece that held the loop, so that sockets are read", async () => {
  const { turn, begun } = startWork(1);
  await turn();
  await turn(20);
  assert.equal(begun(), 0);
  await turn();
  assert.equal(begun(), 1);
});

Deno.test("turnForRead() does not wait for long work", async () => {
  const { turn, begun, turnForRead } = startWork(1);
  let isRead = false;
  void turnForRead().then(() => void (isRead = true));
  for (let turns = 0; turns < 3; turns++) await turn();
  assert.deepEqual([begun(), isRead], [1, true]);
});
