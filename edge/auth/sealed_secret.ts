/** A second factor's stored secret: sealed under a key derived from APP_KEY, bound to its user. */
import { and, eq } from "drizzle-orm";
import type { AppKeys } from "../keys/app_key.ts";
import { open, openSealingKeys, seal, type SealingKeys } from "../keys/sealed.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { secondFactors } from "../db/schema.ts";

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
    await execute(
      ctx.db,
      query.update(secondFactors).set({ secret: await sealSecret(ctx, keys, user, secret) })
        .where(and(eq(secondFactors.user, user), eq(secondFactors.secret, text))),
    );
  }
  return old.length;
}

/** Returns the secrets that another key than the first opens. */
export async function readOldSecrets(
  { db }: Pick<EdgeContext, "db">,
  keys: SealingKeys,
): Promise<{ user: number; text: string; secret: Uint8Array<ArrayBuffer> }[]> {
  const { user, secret } = secondFactors;
  const { rows } = await execute(db, query.select({ user, text: secret }).from(secondFactors));
  const all = await Promise.all(rows.map(async ({ user, text }) => {
    const opened = await open(keys, nameOf(user), text).catch(() => null);
    return opened === null || opened.key === 0 ? [] : [{ user, text, secret: opened.bytes }];
  }));
  return all.flat();
}

function nameOf(userId: number): string {
  return `user ${userId}`;
}
