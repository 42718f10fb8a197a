/** Keeps a recording of each screen that no file knows, so that somebody can write the file for it. */
import { errorText } from "../log.ts";
import { parseAccount } from "../phone/phone.ts";
import { recordingOfScreen } from "../recordings/of_screen.ts";
import { keepRecording, MAX_RECORDINGS } from "../recordings/store.ts";
import type { Site } from "./site.ts";

/**
 * Returns a function that writes each unknown screen into the site's folder of recordings, once in this process: the
 * same screen of other phones adds nothing, and would push other recordings out.
 */
export function screenKeeper(
  site: Pick<Site, "pool" | "clock" | "log" | "wordsOf">,
  { agentDir, newId }: { agentDir: string; newId: () => string },
): Site["keepScreen"] {
  const { pool, clock, log, wordsOf } = site;
  const kept = new Set<string>();
  return (account, screen, delivery) => {
    const { fingerprint } = screen;
    if (kept.has(fingerprint) || kept.size === MAX_RECORDINGS) return;
    kept.add(fingerprint);
    const { app, device, user } = parseAccount(account);
    const facts = { app, user, ...pool.phoneOf(device), ...pool.appOf(account) };
    const recording = recordingOfScreen(screen, { facts, delivery, words: wordsOf(account) });
    if (recording === null) return;
    keepRecording(agentDir, recording, { now: clock.now(), newId }).then(
      (file) => log("info", "screen_recorded", { account, fingerprint, file }),
      (error) => log("warn", "recording_not_kept", { why: errorText(error) }),
    );
  };
}
