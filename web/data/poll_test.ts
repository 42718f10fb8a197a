import assert from "node:assert/strict";
import { pollEvery } from "./poll.ts";

Deno.test("pollEvery() counts from the last request, not from changes by live events", () => {
  let now = 0;
  const interval = pollEvery(5000, () => now);
  const query = { state: { fetchStatus: "fetching" } };
  assert.equal(interval(query), 5000);
  query.state.fetchStatus = "idle";
  now = 1000;
  assert.equal(interval(query), 4000);
  now = 4900;
  assert.equal(interval(query), 100);
  now = 6000;
  assert.equal(interval(query), 1);
  query.state.fetchStatus = "fetching";
  assert.equal(interval(query), 5000);
});

Deno.test("pollEvery() keeps queries apart", () => {
  let now = 0;
  const interval = pollEvery(5000, () => now);
  const [one, other] = [{ state: { fetchStatus: "idle" } }, { state: { fetchStatus: "idle" } }];
  interval(one);
  now = 2000;
  assert.deepEqual([interval(one), interval(other)], [3000, 5000]);
});
