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
  let count = 0;
  for (const column of ["secret", "secretBefore"] as const) {
    const { id, owner } = webhookEndpoints;
    const sealed = webhookEndpoints[column];
    const { rows } = await execute(ctx.db, query.select({ id, owner, text: sealed }).from(webhookEndpoints));
    for (const { id, owner, text } of rows) {
      const opened = text === null ? null : await open(keys, nameOf(owner), text).catch(() => null);
      if (opened === null || opened.key === 0) continue;
      // An endpoint with another secret meanwhile keeps it.
      await execute(
        ctx.db,
        query.update(webhookEndpoints).set({ [column]: await sealSecret(ctx, keys, owner, opened.bytes) })
          .where(and(eq(webhookEndpoints.id, id), eq(sealed, text!))),
      );
      count++;
    }
  }
  return count;
}

function nameOf(owner: number): string {
  return `webhook of ${owner}`;
}
