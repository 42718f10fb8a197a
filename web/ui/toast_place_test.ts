import assert from "node:assert/strict";
import { type Control, findToastPlace } from "./toast_place.ts";

const WIDE = { width: 416, height: 100, windowWidth: 1280, windowHeight: 900 };
const PHONE = { width: 390, height: 100, windowWidth: 390, windowHeight: 900 };

function control(left: number, top: number, width = 200, height = 40, isMain = false): Control {
  return { left, top, right: left + width, bottom: top + height, isMain };
}

Deno.test("a toast stands at the bottom of the start edge, which is the right one, when that is free", () => {
  assert.deepEqual(findToastPlace(WIDE, [control(20, 850), control(900, 700)]), { side: "start", bottom: 0 });
});

Deno.test("a toast moves to the end edge, or up, away from a control", () => {
  const button = control(900, 840);
  assert.deepEqual(findToastPlace(WIDE, [button]), { side: "end", bottom: 0 });
  // The button's upper edge is 60 px above the bottom.
  assert.deepEqual(findToastPlace(PHONE, [control(20, 840)]), { side: "start", bottom: 64 });
  assert.deepEqual(findToastPlace(WIDE, [button, control(20, 840)]), { side: "start", bottom: 64 });
});

Deno.test("a toast stays where it is while that covers nothing, and comes back within a smaller window", () => {
  const held = { side: "end", bottom: 320 } as const;
  assert.deepEqual(findToastPlace(WIDE, [control(900, 840)], held), held);
  assert.deepEqual(findToastPlace({ ...WIDE, windowHeight: 300 }, [], held), { side: "start", bottom: 0 });
});

Deno.test("where controls are everywhere, a toast covers others but never a main act", () => {
  const rows = Array.from({ length: 18 }, (_, index) => control(0, index * 50, 1280));
  const main = [control(900, 830, 200, 40, true), control(10, 830, 200, 40, true)];
  assert.deepEqual(findToastPlace(WIDE, [...rows, ...main]), { side: "start", bottom: 72 });
});
