/** Replays all recordings of a site under other words and ids of screens, before these are taken into use. */
import type { ReplayResult, ReplayWith } from "../screens/keep_file.ts";
import type { AppFactsForScreens, ScreenWords } from "../screens/screen_words.ts";
import type { Recording, Verdict } from "./recording.ts";
import { replay, type ReplayResult as Replayed } from "./replay.ts";
import { readRecordings } from "./store.ts";

type WordsOf = (facts: AppFactsForScreens) => ScreenWords;

/**
 * Returns what compares every recording under other words with itself under `present` ones. A recording passes when
 * nothing wrong is tapped, and it still goes as far as it went.
 */
export function siteReplay(agentDir: string, present: WordsOf): ReplayWith {
  return async (next) => {
    const results: ReplayResult[] = [];
    for (const { name, recording } of (await readRecordings(agentDir)).recordings) {
      const after = await replayUnder(next, recording);
      const why = after.wrongTaps[0] ?? lostBy(after.verdict, [
        recording.verdict,
        (await replayUnder(present, recording)).verdict,
      ]);
      results.push({ recording: name, ok: why === null, why });
    }
    return results;
  };
}

function replayUnder(wordsOf: WordsOf, recording: Recording): Promise<Replayed> {
  const words = wordsOf(recording.facts);
  return replay(recording, { dress: (phone, account) => ({ phone, account: { ...account, words } }) });
}

/** Returns what a recording reached before and does not reach now, or null. */
function lostBy(now: Verdict, before: readonly (Verdict | null)[]): string | null {
  const reached = before.find((verdict) => verdict?.kind === "ready" || verdict?.kind === "sent");
  if (!reached || now.kind === "ready" || now.kind === "sent") return null;
  return `it was ${reached.kind}, and is ${now.kind === "not_ready" ? now.reason : now.kind}`;
}
