import assert from "node:assert/strict";
import { DELIVERY_STATES, HOLDING_STATES, LEGAL_MOVES } from "./delivery.ts";

Deno.test("LEGAL_MOVES names every state and no move from a state to itself", () => {
  assert.deepEqual(Object.keys(LEGAL_MOVES).sort(), [...DELIVERY_STATES].sort());
  for (const [from, to] of Object.entries(LEGAL_MOVES)) assert.ok(!(to as readonly string[]).includes(from));
});

Deno.test("LEGAL_MOVES lets a tap be repeated by one road only: unknown to queued", () => {
  const intoQueue = DELIVERY_STATES.filter((from) => LEGAL_MOVES[from].includes("queued"));
  assert.deepEqual(intoQueue, ["leased", "unknown"]);
});

Deno.test("HOLDING_STATES are the states that still hold a unit of quota", () => {
  const free = DELIVERY_STATES.filter((state) => !HOLDING_STATES.includes(state));
  assert.deepEqual(free, ["failed", "skipped", "cancelled"]);
});
