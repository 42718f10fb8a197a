/** What the audit log needs beside the database: its keys, and a place for its heads that the database can't reach. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { deriveBytes } from "../auth/app_key.ts";

export interface AuditParts {
  /** Seals rows and heads. */
  sealKey: Uint8Array;
  /** Makes the marks that stand in place of numbers and addresses. */
  markKey: Uint8Array;
  heads: HeadsOutside;
}

/** Heads as lines of text, the oldest first. */
export interface HeadsOutside {
  append(line: string): Promise<void>;
  read(): Promise<string[]>;
}

/** Derives the keys from the application key and keeps the heads in `dataDir`; null = in the log alone. */
export function openAuditParts(appKey: string, dataDir: string | null): AuditParts {
  return {
    sealKey: deriveBytes(appKey, "audit-seal"),
    markKey: deriveBytes(appKey, "number-mark"),
    heads: dataDir === null ? NOWHERE : headsFile(join(dataDir, "audit_heads.jsonl")),
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
