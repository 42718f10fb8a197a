/** Adds a screen file to a site, and takes one away. The running agent follows the folder. */
import { parseScreenFile, type ScreenFile, ScreenFileError } from "./screen_file.ts";
import { type AppFactsForScreens, type ScreenWords, wordsFor } from "./screen_words.ts";
import { SHIPPED_FILES } from "./shipped_files.ts";
import { readSiteFiles, screensFolder } from "./site_screens.ts";

/** What a recording shows when it is read with other words. */
export interface ReplayResult {
  recording: string;
  /** True = the release has it, not this site. */
  isShipped: boolean;
  /** False = a screen was known before and is not now, or a flow would tap something else. */
  ok: boolean;
  /** What differs, in English; null when nothing does. */
  why: string | null;
}

/** Replays every recording of the site and of the release with the words that `wordsOf` gives for its app and language. */
export type ReplayWith = (wordsOf: (facts: AppFactsForScreens) => ScreenWords) => Promise<ReplayResult[]>;

export interface AddedFile {
  file: ScreenFile;
  /** A file of this name was there before. */
  isReplaced: boolean;
  replayed: ReplayResult[];
}

/**
 * Adds a file after a replay of the site's recordings and the release's with it. Nothing changes when one of them fails.
 *
 * @throws {ScreenFileError} when the file is damaged, or a recording does not pass
 */
export async function addScreenFile(
  agentDir: string,
  text: string,
  replayWith: ReplayWith,
): Promise<AddedFile> {
  const file = parseScreenFile(text);
  const { files } = readSiteFiles(agentDir);
  const own = [...files.filter(({ name }) => name !== file.name), file]
    .sort((a, b) => a.name < b.name ? -1 : 1);
  const replayed = await replayWith((facts) => wordsFor({ own, shipped: SHIPPED_FILES }, facts));
  const failed = replayed.filter(({ ok }) => !ok);
  if (failed.length > 0) {
    const first = failed.slice(0, 3).map(({ recording, why }) => `${recording}: ${why}`).join("; ");
    throw new ScreenFileError(
      `with it ${failed.length} of ${replayed.length} recordings do not pass: ${first}`,
    );
  }
  const folder = screensFolder(agentDir);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const path = `${folder}/${file.name}.json`;
  await Deno.writeTextFile(`${path}.part`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
  return { file, isReplaced: files.some(({ name }) => name === file.name), replayed };
}

/** Takes a file away, a damaged one too. Returns false when there is none of that name. */
export async function removeScreenFile(agentDir: string, name: string): Promise<boolean> {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return false;
  try {
    await Deno.remove(`${screensFolder(agentDir)}/${name}.json`);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
