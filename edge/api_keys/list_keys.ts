import type { KeyScope } from "shared/api_key.ts";
import type { ApiKeys } from "shared/keys_api.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { apiKeys } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const LIST =
  `SELECT id, mode, start, label, scopes, addresses, daily_limit, created_at, expires_at, last_used_at, unconfirmed
  FROM api_keys WHERE owner = :owner AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
  ORDER BY id DESC`;

/** Returns the keys of an account that work or wait, newest first; never what opens anything. */
export async function listKeys(ctx: EdgeContext, owner: number): Promise<ApiKeys> {
  const { id, mode, start, label, scopes, addresses, dailyLimit } = apiKeys;
  const { createdAt, expiresAt, lastUsedAt, unconfirmed } = apiKeys;
  const rows = rowsAs(await ctx.db.execute(statement(LIST, { owner, now: ctx.now() })), {
    ...{ id, mode, start, label, scopes, addresses, dailyLimit },
    ...{ createdAt, expiresAt, lastUsedAt, unconfirmed },
  });
  return {
    keys: rows.map(({ label, unconfirmed, ...row }) => ({
      ...row,
      name: label,
      scopes: row.scopes.split(" ") as KeyScope[],
      addresses: row.addresses.split(" ").filter((address) => address !== ""),
      waits: unconfirmed,
    })),
  };
}
