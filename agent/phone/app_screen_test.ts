import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { newRows, readAppScreen, showsText } from "./app_screen.ts";
import { parseScreen } from "./screen.ts";
import { dialogMeaning, namesOtherNumber } from "./screen_texts.ts";

Deno.test("parseScreen() reads texts with every kind of entity", () => {
  const xml = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">` +
    `<node text="a &amp; b &lt;c&gt; &quot;d&quot;&#10;&#128578; &#x5d0; &unknown;" resource-id="x:id/y" ` +
    `bounds="[1,2][31,42]"><node text="in &gt; side" /></node></hierarchy>`;
  const [outer, inner] = parseScreen(xml);
  assert.equal(outer?.text, 'a & b <c> "d"\n🙂 א &unknown;');
  assert.deepEqual(outer?.bounds, { left: 1, top: 2, right: 31, bottom: 42 });
  assert.deepEqual([inner?.text, inner?.depth], ["in > side", 1]);
});

Deno.test("parseScreen() refuses a dump that was cut off", () => {
  assert.throws(() => parseScreen(`<?xml ?><hierarchy><node text="a"/>`), SyntaxError);
});

Deno.test("readAppScreen() distinguishes own rows from those of the other side", () => {
  const row = (text: string, own: boolean) =>
    `<node resource-id="com.whatsapp:id/conversation_text_row">` +
    `<node resource-id="com.whatsapp:id/message_text" text="${text}"/>` +
    `<node resource-id="com.whatsapp:id/date" text="10:05"/>` +
    (own ? `<node resource-id="com.whatsapp:id/status" content-desc="נשלחה"/>` : "") + `</node>`;
  const xml =
    `<hierarchy><node resource-id="com.whatsapp:id/conversation_contact_name" text="\u200e+972 50-123-4567" bounds="[200,80][800,180]"/>` +
    row("שלי", true) + row("שלו", false) +
    `<node resource-id="com.whatsapp:id/entry" text="טיוטה" bounds="[100,2200][900,2300]"/></hierarchy>`;
  const screen = readAppScreen(parseScreen(xml), "com.whatsapp");
  assert.equal(screen.kind, "chat");
  if (screen.kind !== "chat") return;
  assert.deepEqual([screen.number, screen.draft, screen.send], ["972501234567", "טיוטה", null]);
  assert.deepEqual(screen.outgoing.map(({ text }) => text), ["שלי"]);
});

Deno.test("newRows() returns exactly the added rows, with any visible part of the chat", () => {
  const rows = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 20 })
    .map((numbers) => [...new Set(numbers)].map(String));
  fc.assert(fc.property(rows, fc.nat(20), fc.nat(20), fc.boolean(), (chat, seen, seenAfter, added) => {
    const before = seen === 0 ? [] : chat.slice(-seen);
    // Without an earlier row in sight, the new view has nothing to match: the chat was empty then.
    if (before.length === 0 && chat.length > 0) return;
    const whole = added ? [...chat, "new"] : chat;
    const after = whole.slice(-Math.max(2, seenAfter)).map((text) => ({
      text,
      fingerprint: text,
      minute: null,
    }));
    assert.deepEqual(newRows(before, after).map(({ text }) => text), added ? ["new"] : []);
  }));
});

Deno.test("newRows() returns only the last row when no earlier row is visible", () => {
  const [old, first, last] = ["x", "y", "z"].map((text) => ({ text, fingerprint: text, minute: null }));
  assert.deepEqual(newRows(["x"], [first!, last!]), [last]);
  assert.deepEqual(newRows(["x"], [first!, last!, old!]), []);
});

Deno.test("newRows() treats rows that look alike as old ones", () => {
  const row = { text: "x", fingerprint: "x", minute: null };
  assert.deepEqual(newRows(["x"], [row, row]), []);
});

Deno.test("showsText() ignores formatting marks and the fold of a long text, and nothing else", () => {
  assert.ok(showsText("שלום עולם", "*שלום* _עולם_ "));
  assert.ok(showsText("• לחם\n• חלב", "- לחם\n* חלב"), "a list");
  const long = "אבגד ".repeat(300).trim();
  assert.ok(showsText(`${long.slice(0, 768)}… קראו עוד`, long));
  assert.ok(!showsText("אבגד… קראו עוד", long), "too little of it is in sight");
  assert.ok(!showsText("שלום", "שלום לך"));
});

Deno.test("dialogMeaning() returns the worse of two meanings, and nothing for an unknown dialog", () => {
  assert.equal(
    dialogMeaning("This account is not allowed to use WhatsApp. Verify your phone number"),
    "banned",
  );
  assert.equal(dialogMeaning("להגדיר כאפליקציית ברירת המחדל למסרונים?"), null);
});

Deno.test("namesOtherNumber() reads numbers in any digits, with any marks between them", () => {
  const dialog = (number: string) => `رقم الهاتف ${number} غير مسجل في واتساب.`;
  for (const other of ["+972 52-111-2233", "+٩٧٢ ٥٢-١١١-٢٢٣٣", "+972\u206052\u200e-111-2233"]) {
    assert.ok(namesOtherNumber(dialog(other), "+972501234567"), other);
  }
  assert.ok(!namesOtherNumber(dialog("+٩٧٢ ٥٠-١٢٣-٤٥٦٧"), "+972501234567"));
});
