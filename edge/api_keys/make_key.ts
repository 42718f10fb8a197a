import { ADMIN_SCOPES, CLIENT_SCOPES, MAX_KEYS } from "shared/api_key.ts";
import type { MadeKey, MakeKeyRequest } from "shared/keys_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { hashKeyText, makeKeyText, START_CHARS } from "../auth/key_text.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { apiKeys } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";

// No row = the account has as many keys as it may have.
const ADD =
  `INSERT INTO api_keys (owner, key_hash, mode, start, label, scopes, addresses, daily_limit, created_at, expires_at)
  SELECT :owner, :hash, :mode, :start, :name, :scopes, :addresses, :dailyLimit, :now, :expiresAt
  WHERE (SELECT count(*) FROM api_keys
    WHERE owner = :owner AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)) < ${MAX_KEYS}
  RETURNING id`;
const FACTS = "json_object('apiKey', last_insert_rowid(), 'mode', ?, 'scopes', ?)";

/**
 * Makes a key of the caller's account. Its text is returned once and kept nowhere. The name keeps nothing that may be a
 * number.
 *
 * @throws HttpError invalid_input for a time that is past, a scope of the other role, or an administrator's test key;
 * too_many_keys
 */
export async function makeKey(
  ctx: EdgeContext,
  { person, role }: Pick<Caller, "person" | "role">,
  asked: Omit<MakeKeyRequest, "proof">,
): Promise<MadeKey> {
  const now = ctx.now();
  const { mode, expiresAt, dailyLimit } = asked;
  const allowed: readonly string[] = role === "admin" ? ADMIN_SCOPES : CLIENT_SCOPES;
  const scopes = [...new Set(asked.scopes)];
  const foreign = scopes.find((scope) => !allowed.includes(scope));
  if (foreign !== undefined) throw new HttpError("invalid_input", { detail: `scope ${foreign}` });
  if (expiresAt !== null && expiresAt <= now) {
    throw new HttpError("invalid_input", { text: "תאריך התפוגה כבר עבר. נא לבחור תאריך אחר." });
  }
  if (role === "admin" && mode === "test") {
    throw new HttpError("invalid_input", { text: "מפתח ניסיון הוא של לקוח בלבד." });
  }
  const secret = makeKeyText(ctx, mode);
  const addresses = [...new Set(asked.addresses)];
  const row = {
    mode,
    start: secret.slice(0, START_CHARS),
    name: withoutNumbers(asked.name),
    dailyLimit,
    expiresAt,
  };
  const joined = { scopes: scopes.join(" "), addresses: addresses.join(" ") };
  const args = { ...row, ...joined, owner: person, hash: await hashKeyText(secret), now };
  const dataSql = { sql: FACTS, args: [mode, joined.scopes] };
  const record = recordCall({ status: 201 });
  const { added } = await writeBatch(ctx.db, {
    added: statement(ADD, args),
    audited: rightAfter(
      "added",
      noteAudit(now, { kind: "key_made", actor: person, user: person, dataSql }, STEP_BEFORE_CHANGED),
    ),
    recorded: record && rightAfter("audited", record),
  });
  const [made] = rowsAs(added, { id: apiKeys.id });
  if (made === undefined) throw new HttpError("too_many_keys");
  const key = { ...row, id: made.id, scopes, addresses, createdAt: now, lastUsedAt: null, waits: false };
  return { key, secret };
}
