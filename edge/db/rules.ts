/** Rules that the database enforces for every writer: each file of `rules/` holds one trigger or a small family. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/**
 * Raise `version` with each release that changes a rule or adds a migration; a failing `schema_sql_test.ts` prints
 * the new `sha256`. A database keeps the rules of the highest version that has opened it; an older edge does not
 * change them.
 */
export const RULES = {
  version: 24,
  sha256: "cd888701b9cf16bad57871bbfd582822ab2b734b4fbe24a078c9b4b73def3dfa",
};

/**
 * Migrations up to this one create and drop triggers themselves, and run as they are written. Later ones change
 * tables and data alone, and run while the database has no trigger.
 */
export const LAST_WITH_TRIGGERS = "0030_copies_that_end";

export interface Rules {
  version: number;
  /** In file order. SQLite fires the newest trigger first, so the order is part of the rules. */
  statements: string[];
}

const FILE_NAME = /^\d{2}_[a-z_]+\.sql$/;

/** Reads the rules of a folder in file order. @throws Error when a file ends inside a trigger */
export async function readRules(folder: URL = new URL("./rules/", import.meta.url)): Promise<Rules> {
  const files = (await readdir(folder)).filter((file) => FILE_NAME.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  return { version: RULES.version, statements: texts.flatMap(cutTriggers) };
}

/** Returns the hash for `RULES`: of all rules, and of the migrations after `LAST_WITH_TRIGGERS`. */
export function hashRules(
  { statements }: Rules,
  migrations: readonly { name: string; sha256: string }[],
): string {
  const later = migrations.filter(({ name }) => name > LAST_WITH_TRIGGERS).map(({ sha256 }) => sha256);
  return createHash("sha256").update([...statements, ...later].join("\n")).digest("hex");
}

/** Splits at lines that hold only `END;`, because a trigger contains semicolons. */
function cutTriggers(text: string): string[] {
  const parts = text.replaceAll("\r\n", "\n").split(/^END;$/m);
  if (parts.pop()!.trim() !== "") throw new Error("Cannot read rules: a trigger has no line END;");
  return parts.map((part) => `${part.trim()}\nEND`);
}
