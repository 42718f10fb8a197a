/**
 * The key of the marks that replace phone numbers. It outlives the application key it was derived from, because nobody
 * can make the mark of a forgotten number again. The database stores it, sealed by the current application key.
 */
import { and, eq } from "drizzle-orm";
import { AppKeyError, type AppKeys, deriveBytes } from "../keys/app_key.ts";
import { open, openSealingKeys, seal } from "../keys/sealed.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { system } from "../db/schema.ts";
import { readSystemValue } from "../db/system_value.ts";
import { readHead } from "./chain.ts";
import { HEAD_KEY } from "./seal.ts";

export const MARK_KEY = "mark_key";

/**
 * Opens the key, or makes it the first time. Seals it again when another key than the first sealed it.
 *
 * @throws AppKeyError when none of `keys` opens it: under a new key, erased people would get messages again
 */
export async function openMarkKey(
  ctx: Pick<EdgeContext, "db" | "randomBytes">,
  keys: AppKeys,
): Promise<Uint8Array> {
  const sealing = await openSealingKeys(keys, "mark-key");
  let kept = await readSystemValue(ctx.db, MARK_KEY);
  if (kept === null) {
    const made = new Uint8Array(deriveBytes(await keyInUse(ctx, keys), "number-mark"));
    const value = await seal(ctx, sealing, MARK_KEY, made);
    await execute(ctx.db, query.insert(system).values({ key: MARK_KEY, value }).onConflictDoNothing());
    // Another edge may have been first.
    kept = (await readSystemValue(ctx.db, MARK_KEY))!;
  }
  const opened = await open(sealing, MARK_KEY, kept).catch(() => null);
  if (opened === null) {
    throw new AppKeyError(
      "This database was used with another APP_KEY. Give that one as APP_KEY, or as APP_KEY_BESIDE to change it " +
        "(docs/operations.md).",
    );
  }
  if (opened.key > 0) {
    const value = await seal(ctx, sealing, MARK_KEY, opened.bytes);
    const isAsRead = and(eq(system.key, MARK_KEY), eq(system.value, kept));
    await execute(ctx.db, query.update(system).set({ value }).where(isAsRead));
  }
  return opened.bytes;
}

/** Returns whether the first of `keys` alone opens the key, or would make it. */
export async function opensMarkKey(ctx: Pick<EdgeContext, "db">, [appKey]: AppKeys): Promise<boolean> {
  const kept = await readSystemValue(ctx.db, MARK_KEY);
  return kept === null || await opensSealed(kept, [appKey]);
}

/** Whether one of `keys` opens what a database keeps as its key of marks. */
export async function opensSealed(kept: string, keys: AppKeys): Promise<boolean> {
  return await open(await openSealingKeys(keys, "mark-key"), MARK_KEY, kept).then(() => true, () => false);
}

/**
 * Returns the key that signed the audit log's head. A database of an earlier release stores no mark key, and may get
 * another application key at the same start.
 */
async function keyInUse(ctx: Pick<EdgeContext, "db">, keys: AppKeys): Promise<string> {
  const head = await readSystemValue(ctx.db, HEAD_KEY);
  const isSigner = (key: string) =>
    head !== null && readHead([deriveBytes(key, "audit-seal")], head) !== null;
  return keys.find(isSigner) ?? keys[0];
}
