import { LATENCY_MS } from "../phone/clock.ts";
import { windowsOf } from "../phone/screens.ts";
import { tapWindows } from "../phone/ui_node.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";
import type { ShCall } from "../phone/sh_call.ts";

const KEY_CODES: Record<string, number> = {
  HOME: 3,
  BACK: 4,
  POWER: 26,
  DEL: 67,
  ENTER: 66,
  FORWARD_DEL: 112,
  MENU: 82,
  MOVE_END: 123,
  SLEEP: 223,
  WAKEUP: 224,
};
const CTRL_LEFT = "113";
const KEY_A = "29";

/** Runs `input tap | swipe | keyevent | keycombination | text`. Returns 0 on a hit and on a miss, as phones do. */
export async function input(phone: VirtualPhone, call: ShCall): Promise<number> {
  return await phone.process(`cmd input ${call.args.join(" ")}`, () => inject(phone, call));
}

async function inject(phone: VirtualPhone, call: ShCall): Promise<number> {
  const [verb, ...args] = call.args;
  await phone.latency(LATENCY_MS.tap);
  switch (verb) {
    case "tap":
      return await tap(phone, Number(args[0]), Number(args[1]), call);
    case "swipe":
      // A swipe up on the lock screen opens it.
      if (Number(args[3]) < Number(args[1])) phone.dismissKeyguard();
      return 0;
    case "keyevent":
      for (const key of args.filter((arg) => arg !== "--longpress")) press(phone, key);
      return 0;
    case "keycombination":
      phone.isDraftSelected = args.map(codeOf).join(" ") === `${CTRL_LEFT} ${KEY_A}`;
      return 0;
    case "text":
      return type(phone, args.join(" "), call);
    default:
      call.err(`Error: Unknown command: ${verb ?? ""}\n`);
      return 255;
  }
}

async function tap(phone: VirtualPhone, x: number, y: number, call: ShCall): Promise<number> {
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    call.err("Error: Invalid arguments for command: tap\n");
    return 255;
  }
  if (phone.context.liar.lies("tapHangs")) await phone.hang();
  phone.touch();
  phone.isDraftSelected = false;
  const { screen, context: { liar } } = phone;
  if (liar.lies("tapIgnored")) return 0;
  if (screen.kind === "chat" && !phone.dialog && liar.lies("dialogBeforeTap")) {
    phone.dialog = { kind: "smsDefault", account: screen.account };
  }
  tapWindows(windowsOf(phone), x, y);
  // A tap on send is answered only after it is safely in the log.
  await phone.context.tapLog.flushed();
  return 0;
}

function codeOf(key: string): string {
  return String(KEY_CODES[key.replace(/^KEYCODE_/, "")] ?? key);
}

function press(phone: VirtualPhone, key: string): void {
  switch (codeOf(key)) {
    case "224":
      return phone.wake();
    case "223":
      return phone.sleep();
    case "26":
      return phone.isAwake ? phone.sleep() : phone.wake();
    case "82":
      return phone.dismissKeyguard();
  }
  // The keys below go to the screen: to nothing while it is dark or locked.
  if (!phone.isAwake || phone.isLocked) return;
  phone.touch();
  switch (codeOf(key)) {
    case "3":
      return phone.home();
    case "4":
      return phone.back();
    case "66":
      return edit(phone, (before, behind) => [`${before}\n`, behind]);
    case "67":
      return edit(phone, (before, behind) => [[...before].slice(0, -1).join(""), behind]);
    case "112":
      return edit(phone, (before, behind) => [before, [...behind].slice(1).join("")]);
    case "123":
      // To the end of the line, not of the text (AOSP BaseMovementMethod.java).
      return edit(phone, (before, behind) => {
        const [line = ""] = behind.split("\n", 1);
        return [before + line, behind.slice(line.length)];
      });
  }
}

function type(phone: VirtualPhone, text: string, call: ShCall): number {
  // deno-lint-ignore no-control-regex
  if (!/^[\x00-\x7f]*$/.test(text)) {
    // Android's KeyCharacterMap has no events for Hebrew, and `input` does not check.
    call.err("java.lang.NullPointerException: Attempt to get length of null array\n");
    return 255;
  }
  const typed = text.replaceAll("%s", " ");
  edit(phone, (before, behind) => [before + typed, behind]);
  return 0;
}

/** Edits the draft of the chat in front at its cursor. Removes the selection first. Does nothing under a dialog. */
function edit(phone: VirtualPhone, change: (before: string, behind: string) => [string, string]): void {
  const { screen } = phone;
  if (screen.kind !== "chat" || phone.dialog || !phone.isAwake || phone.isLocked) return;
  const characters = phone.isDraftSelected ? [] : [...screen.account.drafts.get(screen.number) ?? ""];
  const at = Math.max(0, characters.length - phone.behindCursor);
  const [before, behind] = change(characters.slice(0, at).join(""), characters.slice(at).join(""));
  if (before + behind === "") screen.account.drafts.delete(screen.number);
  else screen.account.drafts.set(screen.number, before + behind);
  phone.behindCursor = [...behind].length;
  phone.isDraftSelected = false;
}
