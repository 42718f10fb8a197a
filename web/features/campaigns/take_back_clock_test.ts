import assert from "node:assert/strict";
import { endOfWait } from "./take_back_clock.ts";

Deno.test("endOfWait() counts from the server's remaining time, whatever this computer's clock says", () => {
  const takeBack = { until: 1_000_000, leftMs: 10_000 };
  assert.equal(endOfWait({ id: 1, takeBack }, 500), 10_500);
  assert.equal(endOfWait({ id: 2, takeBack: null }, 500), null);
});

Deno.test("endOfWait() does not begin again when an old list is shown again, and ends sooner when the server says so", () => {
  const takeBack = { until: 2_000_000, leftMs: 10_000 };
  assert.equal(endOfWait({ id: 3, takeBack }, 0), 10_000);
  assert.equal(endOfWait({ id: 3, takeBack }, 6_000), 10_000);
  assert.equal(endOfWait({ id: 3, takeBack: { ...takeBack, leftMs: 1_000 } }, 7_000), 8_000);
});

Deno.test("endOfWait() begins again for the next send of the same campaign", () => {
  assert.equal(endOfWait({ id: 4, takeBack: { until: 1, leftMs: 10_000 } }, 0), 10_000);
  assert.equal(endOfWait({ id: 4, takeBack: { until: 2, leftMs: 10_000 } }, 20_000), 30_000);
});
