/** Follows the site's screen files: an added file counts from the next delivery on, without a restart. */
import type { SiteScreens } from "../screens/site_screens.ts";
import type { Site } from "./site.ts";

const LOOK_MS = 2_000;

/**
 * Looks for changes until the signal aborts, and names every file that is ignored. An account that waits for a known
 * screen also works again when its app has another version, and a file for that version knows the screen.
 */
export async function screensLoop(site: Site, screens: SiteScreens, signal: AbortSignal): Promise<void> {
  logIgnored(site, screens);
  while (!signal.aborted) {
    await site.clock.sleep(LOOK_MS, signal);
    if (screens.refresh()) {
      site.log("info", "screens_changed", { files: screens.present.files.map(({ name }) => name).join(" ") });
      logIgnored(site, screens);
    }
    site.pool.lookAtUnknownScreens(site.wordsOf);
  }
}

function logIgnored({ log }: Site, { present }: SiteScreens): void {
  for (const { file, why } of present.ignored) {
    log("warn", "screens_file_ignored", {
      file,
      why,
      todo: "correct it, or take it away with screens remove",
    });
  }
}
