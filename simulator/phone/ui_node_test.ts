import assert from "node:assert/strict";
import { box, dumpXml, tapWindows, uiNode, type UiWindow } from "./ui_node.ts";

const APP = "com.whatsapp";

function windowOf(name: string, taps: string[], bounds = box(0, 0, 100, 100)): UiWindow {
  const button = uiNode(APP, "", box(10, 10, 20, 20), { text: name, onTap: () => void taps.push(name) });
  return { root: uiNode(APP, "", bounds, { children: [button] }), isModal: false };
}

Deno.test("tapWindows() reaches only the topmost window, and nothing beneath a modal one", () => {
  const taps: string[] = [];
  const below = windowOf("below", taps);
  assert.equal(tapWindows([below, windowOf("above", taps)], 15, 15), true);
  const modal = { ...windowOf("modal", taps, box(50, 50, 90, 90)), isModal: true };
  assert.equal(tapWindows([below, modal], 15, 15), false);
  assert.equal(tapWindows([below], 25, 25), false);
  assert.equal(tapWindows([], 15, 15), false);
  assert.deepEqual(taps, ["above"]);
});

Deno.test("tapWindows() counts a node's left and top edge in, its right and bottom edge out", () => {
  const taps: string[] = [];
  const window = windowOf("a", taps);
  assert.equal(tapWindows([window], 10, 10), true);
  assert.equal(tapWindows([window], 20, 10), false);
  assert.equal(tapWindows([window], 10, 20), false);
});

Deno.test("dumpXml() writes text as Android's serializer does: entities, newlines and emoji as references", () => {
  const xml = dumpXml([{
    root: uiNode(APP, "id", box(0, 1, 2, 3), { text: `<a> & "ש"\n🙂` }),
    isModal: false,
  }]);
  assert.match(xml, / text="&lt;a&gt; &amp; &quot;ש&quot;&#10;&#128578;" /);
  assert.match(xml, / bounds="\[0,1\]\[2,3\]" \/><\/hierarchy>$/);
});
