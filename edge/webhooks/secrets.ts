/** Endpoints' secrets in the database: sealed under a key derived from APP_KEY, bound to the account. */
import type { EdgeContext } from "../context.ts";
import { type AppKeys } from "../keys/app_key.ts";
import { open, openSealingKeys, seal, type SealingKeys } from "../keys/sealed.ts";
import { and, eq } from "drizzle-orm";
import { execute, query } from "../db/query.ts";
import { webhookEndpoints } from "../db/schema.ts";

/** Derives the keys from the application keys. */
export function openWebhookKeys(keys: AppKeys): Promise<SealingKeys> {
  return openSealingKeys(keys, "webhook-secret");
}

/** Seals the secret of an endpoint of the account `owner`. */
export function sealSecret(
  ctx: Pick<EdgeContext, "randomBytes">,
  keys: SealingKeys,
  owner: number,
  secret: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return seal(ctx, keys, nameOf(owner), secret);
}

/** Opens the result of sealSecret(). @throws OperationError when keys, owner or text differ */
export async function openSecret(
  keys: SealingKeys,
  owner: number,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await open(keys, nameOf(owner), text)).bytes;
}

/** Seals again with the first key what another key sealed, and returns the number. Secrets that no key opens stay. */
export async function sealWebhookSecretsAnew(
  ctx: Pick<EdgeContext, "db" | "randomBytes">,
  keys: SealingKeys,
): Promise<number> {
  const old = await readOldWebhookSecrets(ctx, keys);
  for (const { id, owner, column, text, secret } of old) {
    // An endpoint with another secret meanwhile keeps it.
    await execute(
      ctx.db,
      query.update(webhookEndpoints).set({ [column]: await sealSecret(ctx, keys, owner, secret) })
        .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints[column], text))),
    );
  }
  return old.length;
}

/** Returns the secrets that another key than the first opens. */
export async function readOldWebhookSecrets({ db }: Pick<EdgeContext, "db">, keys: SealingKeys) {
  const { id, owner, secret, secretBefore } = webhookEndpoints;
  const { rows } = await execute(
    db,
    query.select({ id, owner, secret, secretBefore }).from(webhookEndpoints),
  );
  const all = rows.flatMap(({ id, owner, ...texts }) =>
    (["secret", "secretBefore"] as const).map(async (column) => {
      const text = texts[column];
      const opened = text === null ? null : await open(keys, nameOf(owner), text).catch(() => null);
      return opened === null || opened.key === 0
        ? []
        : [{ id, owner, column, text: text!, secret: opened.bytes }];
    })
  );
  return (await Promise.all(all)).flat();
}

function nameOf(owner: number): string {
  return `webhook of ${owner}`;
}
