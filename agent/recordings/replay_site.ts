/** Replays recordings under other words and ids of screens, before a site takes these into use. */
import type { ReplayResult, ReplayWith } from "../screens/keep_file.ts";
import type { AppFactsForScreens, ScreenWords } from "../screens/screen_words.ts";
import type { Recording, Verdict } from "./recording.ts";
import { replay, type ReplayResult as Replayed, sameVerdict } from "./replay.ts";
import { shippedCorpus } from "./shipped_corpus.ts";
import { readRecordings } from "./store.ts";

type WordsOf = (facts: AppFactsForScreens) => ScreenWords;

/**
 * Returns what compares every recording under other words with itself under `present` ones. A recording passes when
 * nothing wrong is tapped, and it still goes as far as it went. Those of the release must end as they did, unless an
 * unknown screen becomes a known one, and no dialog more may be agreed to.
 */
export function siteReplay(agentDir: string, present: WordsOf): ReplayWith {
  const known = new Map<string, Promise<Replayed>>();
  /** What the release's recording shows at present, replayed once. */
  function presently(recording: Recording, name: string): Promise<Replayed> {
    const key = `${name} ${recording.facts.appVersion}`;
    const shown = known.get(key) ?? replayUnder(present, recording);
    known.set(key, shown);
    return shown;
  }
  return async (next) => {
    const results: ReplayResult[] = [];
    for (const { name, recording } of (await readRecordings(agentDir)).recordings) {
      const after = await replayUnder(next, recording);
      const why = after.wrongTaps[0] ?? lostBy(after.verdict, [
        recording.verdict,
        (await replayUnder(present, recording)).verdict,
      ]);
      results.push({ recording: name, isShipped: false, ok: why === null, why });
    }
    for (const { name, recording } of await shippedCorpus()) {
      const why = await whyNotShipped(recording, (shown) => presently(shown, name), next);
      results.push({ recording: name, isShipped: true, ok: why === null, why });
    }
    return results;
  };
}

/** Tries it also with the words of every version, as an account reads whose app's version is not known. */
async function whyNotShipped(
  recording: Recording,
  presently: (shown: Recording) => Promise<Replayed>,
  next: WordsOf,
): Promise<string | null> {
  for (const appVersion of [recording.facts.appVersion, null]) {
    const shown = { ...recording, facts: { ...recording.facts, appVersion } };
    const before = await presently(shown);
    const after = await replayUnder(next, shown);
    const why = after.wrongTaps[0] ?? changedBy(after, before);
    if (why !== null) return why;
  }
  return null;
}

function changedBy(after: Replayed, before: Replayed): string | null {
  if (after.presses > before.presses) return "it agrees to a dialog that it did not agree to";
  const [was, is] = [before.verdict, after.verdict];
  const isSame = was.kind === "not_ready" ? is.kind === "not_ready" : sameVerdict(was, is);
  const isKnownNow = was.kind === "unknown_screen" && ["ready", "sent", "not_ready"].includes(is.kind);
  return isSame || isKnownNow ? null : `it was ${wordOf(was)}, and is ${wordOf(is)}`;
}

function wordOf(verdict: Verdict): string {
  if (verdict.kind === "lost") return verdict.state;
  return verdict.kind === "not_ready" ? verdict.reason : verdict.kind;
}

function replayUnder(wordsOf: WordsOf, recording: Recording): Promise<Replayed> {
  const words = wordsOf(recording.facts);
  return replay(recording, { dress: (phone, account) => ({ phone, account: { ...account, words } }) });
}

/** Returns what a recording reached before and does not reach now, or null. */
function lostBy(now: Verdict, before: readonly (Verdict | null)[]): string | null {
  const reached = before.find((verdict) => verdict?.kind === "ready" || verdict?.kind === "sent");
  if (!reached || now.kind === "ready" || now.kind === "sent") return null;
  return `it was ${wordOf(reached)}, and is ${wordOf(now)}`;
}
