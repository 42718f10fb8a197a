import assert from "node:assert/strict";
import { readAppScreen } from "./app_screen.ts";
import { parseScreen } from "./screen.ts";

const APP = "com.whatsapp";
const IN_FRONT = "com.whatsapp/com.whatsapp.Conversation";

interface Shown {
  id?: string;
  className?: string;
  text?: string;
  description?: string;
  bounds?: string;
  clickable?: boolean;
  app?: string;
  inner?: string;
}

function node(
  { id = "", className = "TextView", text = "", description = "", bounds, clickable, app = APP, inner }:
    Shown,
) {
  const full = id === "" || id.includes(":") ? id : `${APP}:id/${id}`;
  return `<node text="${text}" resource-id="${full}" class="android.widget.${className}" package="${app}" ` +
    `content-desc="${description}" clickable="${clickable ?? false}" enabled="true" ` +
    `bounds="${bounds ?? "[0,0][1080,2400]"}"${inner === undefined ? " />" : `>${inner}</node>`}`;
}

const TITLE: Shown = {
  id: "conversation_contact_name",
  text: "+972 50-123-4567",
  bounds: "[240,100][800,200]",
};
const ENTRY: Shown = {
  id: "entry",
  className: "EditText",
  text: "שלום",
  bounds: "[140,2200][800,2340]",
  clickable: true,
};
const SEND: Shown = {
  id: "send",
  className: "ImageButton",
  description: "שליחה",
  bounds: "[920,2200][1060,2340]",
  clickable: true,
};

/** Reads a chat with these parts, and what is beside them. */
function read(
  changes: { title?: Shown; entry?: Shown; send?: Shown; more?: Shown[]; activity?: string } = {},
) {
  const { title = {}, entry = {}, send = {}, more = [], activity = IN_FRONT } = changes;
  const parts = [{ ...TITLE, ...title }, { ...ENTRY, ...entry }, { ...SEND, ...send }, ...more].map(node)
    .join("");
  return readAppScreen(parseScreen(`<hierarchy>${parts}</hierarchy>`), APP, activity);
}

Deno.test("readAppScreen() believes a chat whose parts are in their places", () => {
  const screen = read();
  assert.equal(screen.kind, "chat");
  assert.deepEqual(screen.kind === "chat" && [screen.number, screen.draft, screen.send], [
    "972501234567",
    "שלום",
    {
      x: 990,
      y: 2270,
    },
  ]);
});

Deno.test("readAppScreen() also believes a button with its word as text, and words of languages that nobody taught it", () => {
  assert.equal(read({ send: { description: "", text: "Send" } }).kind, "chat");
  assert.equal(read({ send: { description: "Senden" } }).kind, "chat");
});

Deno.test("readAppScreen() reads a number in other digits, with marks that nobody sees, and of one's own chat", () => {
  const titles = [
    "\u061c+972 50-123-4567",
    "\u200b+972\u206050-123-4567\ufeff",
    "+٩٧٢ ٥٠-١٢٣-٤٥٦٧",
    "+۹۷۲ ۵۰-۱۲۳-۴۵۶۷",
    "+972 50-123-4567 (You)",
    "\u200e+972 50-123-4567\u200f (את/ה)\u2069",
    "+972 50-123-4567 (أنت)",
    "+972 50-123-4567 (Вы)",
  ];
  for (const text of titles) {
    const screen = read({ title: { text } });
    assert.equal(screen.kind === "chat" && screen.number, "972501234567", text);
  }
  for (
    const text of ["+972 50-123-4567 (Dana)", "Dana (You)", "(You)", "+972 50-123-4567 +1", "+972501234567 2"]
  ) {
    const screen = read({ title: { text } });
    assert.notEqual(screen.kind === "chat" && screen.number, "972501234567", text);
  }
});

const ATTACH: Shown = {
  id: "input_attach_button",
  className: "ImageButton",
  description: "צירוף",
  bounds: "[810,2200][910,2340]",
  clickable: true,
};

const DOUBTFUL: Record<string, Parameters<typeof read>[0]> = {
  "whose title stands under the box": { title: { bounds: "[240,2350][800,2390]" } },
  "whose title is in the middle of the screen": { title: { bounds: "[240,1100][800,1200]" } },
  "with two titles": { more: [{ ...TITLE, text: "+972 52-111-1111" }] },
  "with two boxes of one id": { more: [{ ...ENTRY, text: "" }] },
  "with another filled box": { more: [{ ...ENTRY, id: "search", text: "x", bounds: "[0,300][900,400]" }] },
  "whose box is no box": { entry: { className: "TextView" } },
  "with two send buttons": { more: [{ ...SEND, bounds: "[920,300][1060,400]" }] },
  "whose send button is far from its box": { send: { bounds: "[920,300][1060,400]" } },
  "whose send button is as large as the screen": { send: { bounds: "[0,0][1080,2400]" } },
  "whose send button is flat": { send: { bounds: "[920,2200][920,2200]" } },
  "whose send button takes no touch": { send: { clickable: false } },
  "whose send button is covered": { more: [{ id: "promo", bounds: "[0,2000][1080,2400]", clickable: true }] },
  "whose send button has no words": { send: { description: "" } },
  "whose send button has the words of another": { send: { description: "צירוף" } },
  "where another button has the words of send": {
    send: { description: "Senden" },
    more: [{ ...ATTACH, description: "שליחה" }],
  },
  "with another number beside the title": {
    more: [{ text: "+972 52-111-1111", bounds: "[240,210][800,240]" }],
  },
  "whose box belongs to another app": { entry: { app: "com.other" } },
  "while another window is in front": { activity: "com.android.chrome/.Main" },
};

for (const [what, changes] of Object.entries(DOUBTFUL)) {
  Deno.test(`readAppScreen() does not believe a chat ${what}`, () => {
    assert.equal(read(changes).kind, "other");
  });
}

Deno.test("readAppScreen() takes any part of a dialog of Android for a dialog", () => {
  for (
    const id of [
      "android:id/alertTitle",
      "android:id/button2",
      "com.android.permissioncontroller:id/grant_dialog",
    ]
  ) {
    assert.deepEqual(read({ more: [{ id, bounds: "[100,900][900,1000]" }] }), {
      kind: "dialog",
      meaning: null,
      text: "",
      ok: null,
      isKnown: false,
    });
  }
});

Deno.test("readAppScreen() presses no OK that something else covers", () => {
  const message = {
    id: "android:id/message",
    text: "The phone number isn't on WhatsApp.",
    bounds: "[100,900][900,1000]",
  };
  const ok = { id: "android:id/button1", text: "OK", bounds: "[700,1020][900,1100]", clickable: true };
  const dialog = (more: Shown[], button: Shown = {}) => {
    const screen = read({ more: [message, { ...ok, ...button }, ...more] });
    assert.equal(screen.kind, "dialog");
    return screen.kind === "dialog" ? screen.ok : null;
  };
  assert.deepEqual(dialog([]), { x: 800, y: 1060 });
  assert.equal(dialog([{ ...SEND, bounds: "[700,1020][900,1100]" }]), null);
  assert.equal(dialog([{ ...message, text: "Send to Dana?" }]), null, "of two dialogs");
  assert.equal(dialog([], { className: "ImageButton", text: "", description: "שליחה" }), null, "an icon");
  assert.equal(dialog([], { bounds: "[820,2200][920,2340]" }), null, "far from the words");
  for (const text of ["Invite", "Delete", "OK, delete", "Send", ""]) {
    assert.equal(dialog([], { text }), null, `it is called "${text}"`);
  }
});

Deno.test("readAppScreen() knows the title from rows of the list of chats beside it", () => {
  const list = node({
    id: "android:id/list",
    className: "ListView",
    bounds: "[0,250][1080,2100]",
    inner: node({ ...TITLE, text: "+972 52-111-1111", bounds: "[0,300][900,400]" }),
  });
  const parts = list + [TITLE, ENTRY, SEND].map(node).join("");
  const screen = readAppScreen(parseScreen(`<hierarchy>${parts}</hierarchy>`), APP, IN_FRONT);
  assert.equal(screen.kind === "chat" && screen.number, "972501234567");
});

Deno.test("parseScreen() refuses an attribute that comes twice", () => {
  assert.throws(() => parseScreen(`<hierarchy><node text="a" text="b" /></hierarchy>`), SyntaxError);
});

Deno.test('readAppScreen() agrees to "send to …?" only when nothing beside it names another, and with its OK', () => {
  const ours = "+972 50-123-4567";
  const question = (beside: string, { ok = "OK", text = `Send to ${ours}?` } = {}) => {
    const node = (id: string, words: string, bounds: string, inside = "") =>
      `<node text="${words}" resource-id="${id}" class="android.widget.${
        id.includes("button") ? "Button" : "TextView"
      }" package="com.whatsapp" bounds="${bounds}" clickable="${id.includes("button")}">${inside}</node>`;
    const parts = beside + node("android:id/message", text, "[100,900][900,1000]") +
      node("android:id/button1", ok, "[700,1020][900,1100]") +
      node("android:id/button2", "Cancel", "[400,1020][600,1100]");
    const dump = `<hierarchy>${node("", "", "[60,800][1020,1200]", parts)}</hierarchy>`;
    const screen = readAppScreen(parseScreen(dump), "com.whatsapp");
    return screen.kind === "dialog" && screen.meaning === "share_confirm" ? screen.ok : screen;
  };
  const said = (text: string, description = "") =>
    `<node text="${text}" content-desc="${description}" resource-id="android:id/alertTitle" package="com.whatsapp" bounds="[100,820][900,880]" />`;
  const pressed = { x: 800, y: 1060 };
  for (const beside of ["", said("Send"), said(ours), said(`Send to ${ours}?`), said("", ours)]) {
    assert.deepEqual(question(beside), pressed, beside);
  }
  for (const ok of ["ok", "אישור", "موافق", "ОК", "Send"]) {
    assert.deepEqual(question("", { ok }), pressed, ok);
  }
  for (
    const beside of [
      said("Send to Dana Levi"),
      said("Dana Levi"),
      said("+972 54-999-8888"),
      said("Send to +972 54-999-8888?"),
      said("", "Dana Levi"),
      said("+1"),
    ]
  ) assert.equal(question(beside), null, beside);
  for (const ok of ["Delete", "Block", "Send all", ""]) assert.equal(question("", { ok }), null, ok);
  assert.equal(question(said("Dana"), { text: "Send to Dana?" }), null);
});
