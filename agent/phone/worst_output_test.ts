/** The worst output of a lying phone, or of a stranger's message, is read in time linear in its length. */
import assert from "node:assert/strict";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { decideOptOut } from "shared/opt_out.ts";
import { readNotifications } from "./notifications.ts";
import { parseReading } from "./read_screen.ts";
import { parseScreen } from "./screen.ts";
import { SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { dialogMeaning } from "./screen_texts.ts";

const CHARS = 400_000;
/** Far more than any reader needs. A pattern with quadratic time needs minutes. */
const MAX_CPU_MS = 2_000;
const ACCOUNT = { app: "com.whatsapp", user: 0 } as const;
const filled = (piece: string) => piece.repeat(CHARS / piece.length);
const listed = (text: string) => `Current Notification Manager state:\n${text}`;

const READS: Record<string, () => unknown> = {
  "half a tag, again and again": () => parseScreen(`<hierarchy>${filled("<node ")}</hierarchy>`),
  "a tag of one long word": () => parseScreen(`<hierarchy><node ${filled("a")}></hierarchy>`),
  "a tag of quotes": () => parseScreen(`<hierarchy>${filled('<node a="')}</hierarchy>`),
  "digits after a screen": () => parseReading(`<?xml<hierarchy></hierarchy>${filled("1")}`, ACCOUNT as never),
  "half a window": () =>
    parseReading(
      `<?xml<hierarchy></hierarchy>\n1\n${"0".repeat(36)}\n${filled("mCurrentFocus=Window{")}`,
      ACCOUNT as never,
    ),
  "empty lines among notifications": () => readNotifications(listed(filled("\n")), "SIM0001"),
  "packages without an end": () =>
    readNotifications(listed(`NotificationRecord(${filled("pkg=")}`), "SIM0001"),
  "a text of spaces": () => SHIPPED_WORDS.withoutCutOff(`${filled(" ")}x`),
  "a text of dots and spaces": () => SHIPPED_WORDS.withoutCutOff(`…${filled(" ")}x`),
  "a dialog of half phrases": () => dialogMeaning(filled("send to phone number shared via לא רשום ב ")),
  "a screen of many dialogs": () => {
    const node = `<node resource-id="com.whatsapp:id/a" package="com.whatsapp" text="לא רשום ב לא רשום ב"/>`;
    const focus = "mCurrentFocus=Window{1 u0 com.whatsapp/com.whatsapp.Conversation}";
    return parseReading(
      `<?xml<hierarchy>${filled(node)}</hierarchy>\n1\n${"0".repeat(36)}\n${focus}`.replace(
        /\n0{36}/,
        "\n00000000-0000-0000-0000-000000000000",
      ),
      ACCOUNT as never,
    );
  },
  "a chat of numbers": () => readScreenOf("entry", "+972 52-111-2233", "conversation_contact_name"),
  "a picture of names": () => readScreenOf("caption", "Dana", "recipients_text"),
  "a page of alarms": () => readScreenOf("other", "your account has been banned", "title"),
  "a reply of digits": () => decideOptOut(`${filled("1")}a`),
  "a reply of one letter": () => decideOptOut(filled("ה")),
};

/** Reads a right chat or picture after a list with as many texts as a dump has room for. */
function readScreenOf(box: string, text: string, title: string) {
  const id = (name: string) => `resource-id="com.whatsapp:id/${name}" package="com.whatsapp" enabled="true"`;
  const rows = filled(`<node ${id("x")} text="${text}" bounds="[0,1][9,2]"/>`);
  const nodes = `<node ${id("list")} bounds="[0,0][1080,2400]">${rows}</node>` +
    `<node ${id(title)} text="+972 50-123-4567" bounds="[240,100][800,200]"/>` +
    `<node ${id(box)} text="a" class="android.widget.EditText" bounds="[140,2200][800,2340]"/>`;
  const screen = parseReading(
    `<?xml<hierarchy>${nodes}</hierarchy>\nmCurrentFocus=Window{1 u0 com.whatsapp/com.whatsapp.Conversation}\n` +
      "1.00 1.00\n00000000-0000-0000-0000-000000000000\n",
    ACCOUNT as never,
  ).screen;
  assert.equal(screen.kind, { entry: "chat", caption: "picture", other: "other" }[box]);
}

for (const [what, read] of Object.entries(READS)) {
  Deno.test(`the agent reads ${what} in time`, () => {
    const before = threadCpuMs();
    try {
      read();
    } catch (error) {
      assert.ok(error instanceof SyntaxError, String(error));
    }
    const cpuMs = threadCpuMs() - before;
    assert.ok(isWithinCpu(cpuMs, MAX_CPU_MS), `${cpuMs} ms`);
  });
}
