/** A second factor's stored secret: sealed under a key derived from APP_KEY, bound to its user. */
import type { AppKeys } from "../keys/app_key.ts";
import { open, openSealingKeys, seal, type SealingKeys } from "../keys/sealed.ts";
import type { EdgeContext } from "../context.ts";

/** Derives the keys from the application keys. */
export function openFactorKeys(keys: AppKeys): Promise<SealingKeys> {
  return openSealingKeys(keys, "second-factor");
}

/** Seals `secret` for `userId`; it cannot be opened for another user. */
export function sealSecret(
  ctx: Pick<EdgeContext, "randomBytes">,
  keys: SealingKeys,
  userId: number,
  secret: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return seal(ctx, keys, nameOf(userId), secret);
}

/** Opens the result of sealSecret(). @throws OperationError when keys, user or text differ */
export async function openSecret(
  keys: SealingKeys,
  userId: number,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await open(keys, nameOf(userId), text)).bytes;
}

/** Seals again with the first key what another key sealed, and returns the number. Secrets that no key opens stay. */
export async function sealSecretsAnew(
  ctx: Pick<EdgeContext, "db" | "randomBytes">,
  keys: SealingKeys,
): Promise<number> {
  const old = await readOldSecrets(ctx, keys);
  for (const { user, text, secret } of old) {
    // A user who begins again meanwhile has another secret, which stays.
    await ctx.db.execute({
      sql: "UPDATE second_factors SET secret = ? WHERE user = ? AND secret = ?",
      args: [await sealSecret(ctx, keys, user, secret), user, text],
    });
  }
  return old.length;
}

/** Returns the secrets that another key than the first opens. */
export async function readOldSecrets(
  { db }: Pick<EdgeContext, "db">,
  keys: SealingKeys,
): Promise<{ user: number; text: string; secret: Uint8Array<ArrayBuffer> }[]> {
  const { rows } = await db.execute("SELECT user, secret FROM second_factors");
  const all = await Promise.all(rows.map(async (row) => {
    const [user, text] = [Number(row.user), String(row.secret)];
    const opened = await open(keys, nameOf(user), text).catch(() => null);
    return opened === null || opened.key === 0 ? [] : [{ user, text, secret: opened.bytes }];
  }));
  return all.flat();
}

function nameOf(userId: number): string {
  return `user ${userId}`;
}
