/** Reads the phone's screen: the app's present screen, and the phone's own clock and boot, in one call. */
import type { AppAccount, Phone } from "./phone.ts";
import { type AppScreen, readAppScreen } from "./app_screen.ts";
import { parseScreen, type ScreenNode } from "./screen.ts";

export interface ScreenReading {
  screen: AppScreen;
  uptimeS: number;
  bootId: string;
  nodes: ScreenNode[];
  /** The window in front, "com.whatsapp/com.whatsapp.Conversation". */
  activity: string;
  /** The Android user in front. */
  user: number;
  /** What is shown there, also when it is another user's: then `screen` names nothing of it. */
  shown: AppScreen;
}

/** A line of /proc/uptime, and the boot id in the next. Tried once per line, so that long output takes linear time. */
export const UPTIME_AND_BOOT_ID = /^(\d+)(?!\d)[^\n]*\n([0-9a-f-]{36})/m;
/** The Android user and the name of the window in front. Its parts have limits for the same reason. */
export const FOCUS = /mCurrentFocus=Window\{\S{1,40} u(\d+) ([^}\n]{0,500})\}/;

const DUMP = "/sdcard/shigur-screen.xml";
export const READING_TIMEOUT_MS = 15_000;
/** uiautomator itself gives up a moving screen after 10 s. One that hangs would keep its phone busy. */
const DUMP_LIMIT_S = 12;
// Remove the old file first: a failed dump leaves it, with the previous chat. The focused window
// shows what a dump lacks: the app and the activity, in any language.
export const READ_SCREEN =
  `rm -f ${DUMP}; timeout -s KILL ${DUMP_LIMIT_S} uiautomator dump ${DUMP} && cat ${DUMP}; ` +
  "dumpsys window | grep mCurrentFocus=; cat /proc/uptime /proc/sys/kernel/random/boot_id";

/**
 * Dumps the screen and reads it as the given account's.
 *
 * @throws {SyntaxError} when the phone could not dump its screen, or its screen is changing
 * @throws {AdbError} when the phone cannot be reached
 */
export async function readScreen(
  phone: Phone,
  account: AppAccount,
  signal?: AbortSignal,
): Promise<ScreenReading> {
  return parseReading(await phone.run(READ_SCREEN, { timeoutMs: READING_TIMEOUT_MS, signal }), account);
}

/**
 * Reads the output of `READ_SCREEN`, after any earlier output.
 *
 * @throws {SyntaxError} when the phone could not dump its screen, or its screen is changing
 */
export function parseReading(output: string, account: AppAccount): ScreenReading {
  const start = output.indexOf("<?xml");
  const end = output.lastIndexOf("</hierarchy>");
  if (start < 0 || end < start) throw new SyntaxError("Cannot read screen: the phone made no dump");
  const xmlEnd = end + "</hierarchy>".length;
  const clock = UPTIME_AND_BOOT_ID.exec(output.slice(xmlEnd));
  if (!clock) throw new SyntaxError("Cannot read the phone's uptime and boot id");
  const focus = FOCUS.exec(output.slice(xmlEnd));
  if (!focus) throw new SyntaxError("Cannot read screen: the phone is between two of them");
  const nodes = parseScreen(output.slice(start, xmlEnd));
  const activity = focus[2]!;
  const screen = readAppScreen(nodes, account.app, activity, account.words);
  return {
    screen: Number(focus[1]) === account.user ? screen : ofOtherUser(screen),
    uptimeS: Number(clock[1]),
    bootId: clock[2]!,
    user: Number(focus[1]),
    shown: screen,
    nodes,
    activity,
  };
}

/**
 * The same app runs in several Android users, and the intent may have opened another one's: no screen there is ours.
 */
function ofOtherUser(screen: AppScreen): AppScreen {
  if (screen.kind === "dialog") return { ...screen, meaning: null, isKnown: true };
  return screen.kind === "locked" ? screen : { kind: "other", isStrange: false };
}
