/** Makes a recording of one dump of a screen, taken by a person with `uiautomator dump`. */
import { parseReading } from "../phone/read_screen.ts";
import { recordPhone } from "./record_phone.ts";
import type { Recording } from "./recording.ts";
import { replay } from "./replay.ts";

export interface DumpFacts {
  app: string;
  user: number;
  /** The focused window, "com.whatsapp/com.whatsapp.Conversation". */
  window: string;
}

/**
 * Returns the recording of a dump, redacted, or null for a text that is no dump. The number and the draft that it shows
 * count as the delivery's, so that a replay shows whether the flows would tap.
 */
export async function recordingOfDump(
  xml: string,
  { app, user, window }: DumpFacts,
): Promise<Recording | null> {
  const output = `${xml.trim()}\nmCurrentFocus=Window{1a2b3c u${user} ${window}}\n1000.00 1.00\n${NO_BOOT}\n`;
  const account = { device: "DUMP", app, user };
  const facts = { app, user, appVersion: null, androidVersion: null, model: null, language: null };
  const recorded = recordPhone({
    device: "DUMP",
    clock: { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
    run: () => Promise.resolve(output),
    push: () => Promise.resolve(),
  }, { facts, delivery: shownDelivery(output, account) });
  await recorded.phone.run("am start -a android.intent.action.VIEW -d 'https://wa.me/'; uiautomator dump");
  const recording = recorded.end(null);
  if (!recording || !recording.steps[0]!.answer.dump) return null;
  return { ...recording, verdict: (await replay(recording)).verdict };
}

const NO_BOOT = "00000000-0000-4000-8000-000000000001";

function shownDelivery(output: string, account: { device: string; app: string; user: number }) {
  try {
    const { screen } = parseReading(output, account);
    if (screen.kind === "chat" && /^[1-9]\d{6,14}$/.test(screen.number)) {
      return { phone: `+${screen.number}`, text: screen.draft, isPicture: false };
    }
  } catch {
    // No dump at all: that is said by the caller.
  }
  return null;
}
