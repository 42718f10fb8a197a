import { createAdbClient } from "../../agent/adb/client.ts";
import { shellQuote } from "../../agent/adb/quote.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../start_simulator.ts";
import type { Tap } from "../phone/tap_log.ts";

/** A simulator without waits, and the first phone's screen as a person's hand and eye would use it. */
export interface PhoneBundle {
  simulator: Simulator;
  tapLogPath: string;
  /** Runs on SIM0001 and returns stdout. Throws when the exit code is not 0. */
  shell(command: string): Promise<string>;
  /** Wakes and unlocks the phone, then opens a chat with a draft (null keeps the draft). */
  openChat(number: string, text: string | null): Promise<void>;
  /** Returns the dump's XML, or null when it failed. */
  dump(): Promise<string | null>;
  /** Taps the middle of the first node with an id. Returns false when the dump has none. */
  tap(id: string): Promise<boolean>;
  taps(): Tap[];
}

/** Passes a new bundle to `use` and always ends it. */
export async function withPhones(
  options: Partial<SimulatorOptions>,
  use: (bundle: PhoneBundle) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  const tapLogPath = options.tapLogPath ?? `${directory}/taps.jsonl`;
  const simulator = await startSimulator({ devices: 1, speed: Infinity, tapLogPath, ...options });
  const adb = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
  const shell = async (command: string) => {
    const { stdout, stderr, exitCode } = await adb.shell("SIM0001", command, { timeoutMs: 10_000 });
    if (exitCode !== 0) throw new Error(`${command} exits with ${exitCode}: ${stderr}`);
    return stdout;
  };
  const dump = async () => {
    const output = await shell(
      "rm -f /sdcard/d.xml; uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml; true",
    );
    const start = output.indexOf("<?xml");
    return start < 0 ? null : output.slice(start);
  };
  try {
    await use({
      simulator,
      tapLogPath,
      shell,
      dump,
      async openChat(number, text) {
        const link = `https://wa.me/${number}${text === null ? "" : `?text=${encodeURIComponent(text)}`}`;
        await shell(
          `input keyevent 224; wm dismiss-keyguard; ` +
            `am start -a android.intent.action.VIEW -d ${shellQuote(link)} -p com.whatsapp --user 0`,
        );
      },
      async tap(id) {
        const at = centreOf(await dump() ?? "", id);
        if (!at) return false;
        await shell(`input tap ${at.x} ${at.y}`);
        return true;
      },
      taps: () => tapsIn(tapLogPath),
    });
  } finally {
    await simulator.shutdown();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Returns the texts of all nodes with an id, in the dump's order. */
export function textsOf(xml: string | null, id: string): string[] {
  const nodes = (xml ?? "").matchAll(new RegExp(`text="([^"]*)" resource-id="${id}"`, "g"));
  return [...nodes].map(([, text]) => text!);
}

/** Returns the content descriptions of all nodes with an id. */
export function descriptionsOf(xml: string | null, id: string): string[] {
  const nodes = (xml ?? "").matchAll(new RegExp(`resource-id="${id}"[^>]*? content-desc="([^"]*)"`, "g"));
  return [...nodes].map(([, description]) => description!);
}

function centreOf(xml: string, id: string): { x: number; y: number } | null {
  const match = new RegExp(`resource-id="${id}"[^>]*? bounds="\\[(\\d+),(\\d+)\\]\\[(\\d+),(\\d+)\\]"`).exec(
    xml,
  );
  if (!match) return null;
  const [left, top, right, bottom] = match.slice(1).map(Number) as [number, number, number, number];
  return { x: (left + right) >> 1, y: (top + bottom) >> 1 };
}

function tapsIn(path: string): Tap[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
}
