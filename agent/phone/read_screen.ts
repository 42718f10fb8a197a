/** Looks at the phone: what the app shows now, and the phone's own clock and boot, in one call. */
import type { Phone } from "./phone.ts";
import { type AppScreen, readAppScreen } from "./app_screen.ts";
import { parseScreen } from "./screen.ts";

export interface Look {
  screen: AppScreen;
  uptimeS: number;
  bootId: string;
}

const DUMP = "/sdcard/shigur-screen.xml";
const STEP_TIMEOUT_MS = 15_000;
// The old file is removed first: a failed dump leaves it, and it would show the chat before this one.
const COMMAND = `rm -f ${DUMP}; uiautomator dump ${DUMP} && cat ${DUMP}; ` +
  "cat /proc/uptime /proc/sys/kernel/random/boot_id";

/**
 * Dumps the screen and reads it as the given app's, for example "com.whatsapp".
 *
 * @throws {SyntaxError} when the phone could not dump its screen, as on a moving one
 * @throws {AdbError} when the phone cannot be reached
 */
export async function readScreen(phone: Phone, app: string, signal?: AbortSignal): Promise<Look> {
  const output = await phone.run(COMMAND, { timeoutMs: STEP_TIMEOUT_MS, signal });
  const start = output.indexOf("<?xml");
  const end = output.lastIndexOf("</hierarchy>");
  if (start < 0 || end < start) throw new SyntaxError("Cannot read screen: the phone made no dump");
  const xmlEnd = end + "</hierarchy>".length;
  const clock = /(\d+)(?:\.\d+)?[^\n]*\n([0-9a-f-]{36})/.exec(output.slice(xmlEnd));
  if (!clock) throw new SyntaxError("Cannot read the phone's uptime and boot id");
  return {
    screen: readAppScreen(parseScreen(output.slice(start, xmlEnd)), app),
    uptimeS: Number(clock[1]),
    bootId: clock[2]!,
  };
}
