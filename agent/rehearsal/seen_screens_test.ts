import assert from "node:assert/strict";
import { parseReading } from "../phone/read_screen.ts";
import { shapeOf } from "../phone/screen_shape.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { MAX_NOTICE_BYTES } from "./socket_path.ts";
import { seenScreens } from "./seen_screens.ts";

function screenOf(nodes: string, window = "com.whatsapp.Conversation") {
  const focus = `mCurrentFocus=Window{1 u0 com.whatsapp/${window}}`;
  const output = `<?xml ?><hierarchy>${nodes}</hierarchy>\n${focus}\n7.0 1\n${crypto.randomUUID()}`;
  const account = { device: "SIM0001", app: "com.whatsapp", user: 0 };
  return { screen: shapeOf(parseReading(output, account), account), words: SHIPPED_WORDS };
}

const node = (id: string, text = "") =>
  `<node resource-id="${id}" class="android.widget.Button" package="com.whatsapp" text="${text}" bounds="[1,2][3,4]" />`;

Deno.test("seenScreens() names a part that is told nowhere else, and no text outside of a dialog", () => {
  const [seen] = seenScreens([["SIM0001/com.whatsapp/0", screenOf(node("com.whatsapp:id/qk7_Zz", "דנה"))]]);
  assert.deepEqual(seen!.parts, [{ id: "qk7_Zz", class: "Button", box: "[1,2][3,4]" }]);
  assert.deepEqual(seen!.texts, []);
});

Deno.test("seenScreens() shows the words of a dialog that no file knows, without signs that move a cursor", () => {
  const text = "Sort chats&#27;[2J into folders?";
  const [seen] = seenScreens([["SIM0001/com.whatsapp/0", screenOf(node("android:id/message", text))]]);
  assert.deepEqual([seen!.kind, seen!.texts], ["dialog", ["Sort chats [2J into folders?"]]);
});

Deno.test("seenScreens() fits into a notice, whatever thirty phones show", () => {
  const wide = "ש".repeat(300);
  const screens = Array.from({ length: 30 }, (_, at) => {
    const name = "ab".repeat(at + 1);
    const nodes = Array.from({ length: 200 }, (_, part) => node(`com.whatsapp:id/${part}${wide}`)).join("") +
      node(`com.whatsapp:id/send`) +
      `<node class="a.View" resource-id="com.whatsapp:id/${"_".repeat(at + 1)}" package="com.whatsapp" />`;
    return [`SIM${at}/com.whatsapp/0`, screenOf(nodes, name)] as const;
  });
  const bytes =
    new TextEncoder().encode(JSON.stringify({ type: "screens", screens: seenScreens(screens) })).length;
  assert.ok(bytes <= MAX_NOTICE_BYTES, `${bytes}`);
});
