/** Wrong clocks, bad networks and freezes in the middle of a campaign. */
import assert from "node:assert/strict";
import { PATIENCE_MS, pause, until } from "../wait.ts";
import { CALM } from "./relay.ts";
import { assertAllSent, settle, withWorld } from "./scenario.ts";

const HOUR_S = 3_600;

for (const [name, offsetS] of [["an hour", HOUR_S], ["a day", 24 * HOUR_S]] as const) {
  for (const sign of [1, -1]) {
    const side = sign > 0 ? "ahead" : "behind";
    Deno.test(`a site's clock ${name} ${side} at its start, then as far off on the other side, changes nothing`, async () => {
      await withWorld({ clockOffsetS: sign * offsetS }, async (world) => {
        await world.untilTapped(0.3);
        world.clock!.set(-sign * offsetS);
        await world.untilTapped(0.6);
        world.clock!.set(0);
        await settle(world);
        assertAllSent(world);
      });
    });
  }
}

Deno.test("a half-open connection is given up by both ends, and nothing is lost or doubled", async () => {
  await withWorld({}, async (world) => {
    const { product, edgeRelay } = world;
    await world.untilTapped(0.3);
    edgeRelay.weather = { ...CALM, isSwallowing: true };
    const logged = (text: string) =>
      until(
        () => Promise.resolve(product.lines.some((line) => line.includes(text))),
        2 * PATIENCE_MS,
        text,
      );
    // Neither end is notified: each has to detect the silence by itself.
    await Promise.all([logged("heard nothing for 30000 ms"), logged("agent_disconnected")]);
    edgeRelay.weather = CALM;
    edgeRelay.cut();
    await settle(world);
    assertAllSent(world);
  });
});

Deno.test("messages that come twice and out of order, for a whole campaign, change nothing", async () => {
  const weather = { ...CALM, latencyMs: 5, jitterMs: 100, duplicated: 0.3, overtaken: 0.3 };
  await withWorld({ weather, contacts: [150] }, async (world) => {
    await settle(world);
    assertAllSent(world);
    const { duplicates, overtakings } = world.edgeRelay;
    assert.ok(
      duplicates > 20 && overtakings > 20,
      `only ${duplicates} twice and ${overtakings} out of order`,
    );
  });
});

Deno.test("an edge frozen for 40 s is found again, and ignores connections that were given up meanwhile", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    await world.untilTapped(0.3);
    await world.freezeAt("unreported");
    product.thaw("agent", "simulator");
    await pause(40_000);
    product.thaw("edge");
    await settle(world);
    assertAllSent(world);
    const [site] = product.query<{ epoch: number; helloEpoch: number }>(
      "SELECT epoch, hello_epoch AS helloEpoch FROM sites",
    );
    assert.ok(site!.epoch > 1, "the agent kept a connection to an edge that stood still");
  });
});

Deno.test("everything frozen past the deadline of a tap: running work is completed", async () => {
  await withWorld({}, async (world) => {
    await world.untilTapped(0.3);
    await world.freezeAt("tapping");
    await pause(15_000);
    world.thaw();
    await settle(world);
    assertAllSent(world);
  });
});
