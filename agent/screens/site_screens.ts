/**
 * The screen files of one site, in AGENT_DIR/screens. A running agent follows the folder, so an added file needs no
 * restart. A damaged file is ignored and named; it never stops the agent.
 */
import {
  MAX_FILE_BYTES,
  MAX_SITE_FILES,
  parseScreenFile,
  type ScreenFile,
  ScreenFileError,
} from "./screen_file.ts";
import { type AppFactsForScreens, type ScreenWords, wordsFor } from "./screen_words.ts";
import { SHIPPED_FILES } from "./shipped_files.ts";

export interface IgnoredFile {
  file: string;
  why: string;
}

export interface SiteFiles {
  files: ScreenFile[];
  ignored: IgnoredFile[];
}

/** Returns the folder of a site's screen files. */
export function screensFolder(agentDir: string): string {
  return `${agentDir}/screens`;
}

/** Reads a site's files by name. Never throws: what cannot be read is listed as ignored. */
export function readSiteFiles(agentDir: string): SiteFiles {
  const folder = screensFolder(agentDir);
  const found: SiteFiles = { files: [], ignored: [] };
  for (const file of listFiles(folder)) {
    try {
      if (found.files.length === MAX_SITE_FILES) {
        throw new ScreenFileError(`only ${MAX_SITE_FILES} files are read`);
      }
      const { isFile, size } = Deno.statSync(`${folder}/${file}`);
      if (!isFile) throw new ScreenFileError("it is no file");
      if (size > MAX_FILE_BYTES) throw new ScreenFileError(`it is larger than ${MAX_FILE_BYTES / 1024} kB`);
      const screens = parseScreenFile(Deno.readTextFileSync(`${folder}/${file}`));
      if (`${screens.name}.json` !== file) throw new ScreenFileError(`its name inside is "${screens.name}"`);
      found.files.push(screens);
    } catch (error) {
      const why = error instanceof ScreenFileError ? error.message : `it cannot be read (${nameOf(error)})`;
      found.ignored.push({ file, why });
    }
  }
  return found;
}

/** The files of a running site, and the words that each account has by them. */
export class SiteScreens {
  #agentDir: string;
  #present: SiteFiles = { files: [], ignored: [] };
  #stamp = "";
  #words = new Map<string, ScreenWords>();

  constructor(agentDir: string) {
    this.#agentDir = agentDir;
    this.refresh();
  }

  get present(): SiteFiles {
    return this.#present;
  }

  /** Reads the folder again. Returns whether it has changed. */
  refresh(): boolean {
    const stamp = stampOf(screensFolder(this.#agentDir));
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    this.#present = readSiteFiles(this.#agentDir);
    this.#words.clear();
    return true;
  }

  /** Returns what is known about the screens of an app in this version, on a phone of this language. */
  wordsOf(facts: AppFactsForScreens): ScreenWords {
    const key = `${facts.appVersion}/${facts.language}`;
    let words = this.#words.get(key);
    if (words === undefined) {
      words = wordsFor({ own: this.#present.files, shipped: SHIPPED_FILES }, facts);
      this.#words.set(key, words);
    }
    return words;
  }
}

/** Names of the files, sorted, so that every process reads them in the same order. A folder that is missing has none. */
function listFiles(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

function stampOf(folder: string): string {
  return listFiles(folder).map((file) => {
    try {
      const { mtime, size, ino } = Deno.statSync(`${folder}/${file}`);
      return `${file} ${mtime?.getTime()} ${size} ${ino}`;
    } catch (error) {
      return `${file} ${nameOf(error)}`;
    }
  }).join("\n");
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "Error";
}
