import assert from "node:assert/strict";
import { Hono } from "hono";
import { turnLoop } from "../time/turn_loop.ts";
import { readsFirst } from "./reads_first.ts";
import type { AppEnv } from "./router.ts";

/**
 * Sends a request and returns whether a piece of long work begins before the response, some turns of the loop later.
 */
async function beginsBeforeAnswer(method: string, path: string): Promise<boolean> {
  const app = new Hono<AppEnv>().use("/api/*", readsFirst());
  const isAsked = Promise.withResolvers<void>();
  let hasBegun = false;
  let beganFirst = false;
  app.all("/api/*", async (c) => {
    isAsked.resolve();
    for (let turns = 0; turns < 5; turns++) await new Promise((turned) => setTimeout(turned, 0));
    beganFirst = hasBegun;
    return c.text("");
  });
  const answer = app.request(path, { method });
  await isAsked.promise;
  const work = turnLoop().then(() => hasBegun = true);
  await Promise.all([answer, work]);
  return beganFirst;
}

for (
  const [method, path] of [["GET", "/api/campaigns"], ["POST", "/api/campaigns/1/deliveries/search"]] as const
) {
  Deno.test(`long work yields to ${method} ${path}`, async () => {
    assert.equal(await beginsBeforeAnswer(method, path), false);
  });
}

for (
  const [method, path] of [["GET", "/api/suppressions.csv"], ["POST", "/api/suppressions/file"]] as const
) {
  Deno.test(`long work does not yield to ${method} ${path}, which is itself long work`, async () => {
    assert.equal(await beginsBeforeAnswer(method, path), true);
  });
}
