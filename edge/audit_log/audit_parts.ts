/** What the audit log needs, other than the database: its keys, and a place for heads that the database cannot reach. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type AppKeys, deriveKeys } from "../keys/app_key.ts";
import type { Config } from "../config.ts";
import type { ChainParts, HeadsOutside } from "../context.ts";

/** Name of the file in a machine's data folder. */
export const HEADS_FILE = "audit_heads.jsonl";

/**
 * Derives the keys from the application keys. Heads are stored in `dataDir`, or only in the log where there are no
 * files.
 */
export function openChainParts(
  appKeys: AppKeys,
  { keepsFiles, dataDir }: Pick<Config, "keepsFiles" | "dataDir">,
): ChainParts {
  return {
    sealKeys: deriveKeys(appKeys, "audit-seal"),
    heads: keepsFiles ? headsFile(join(dataDir, HEADS_FILE)) : NOWHERE,
  };
}

const NOWHERE: HeadsOutside = { append: () => Promise.resolve(), read: () => Promise.resolve([]) };

function headsFile(path: string): HeadsOutside {
  return {
    append: (line) => appendFile(path, `${line}\n`, { mode: 0o600 }),
    async read() {
      try {
        return (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
  };
}
