import type { Tap } from "../simulator/phone/tap_log.ts";

/** Returns the taps in the phones' own log, in order. The last line may still be incomplete: it is left out. */
export function readTaps(dataDir: string): Tap[] {
  const text = Deno.readTextFileSync(`${dataDir}/simulator/taps.jsonl`);
  return text.split("\n").filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
}
