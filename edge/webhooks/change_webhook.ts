/** What an owner does to an endpoint: changes, pause, removal, and its secrets. */
import { OLD_SECRET_HOURS } from "shared/webhook_event.ts";
import type { ChangeWebhookRequest, NewWebhookSecret, Webhook } from "shared/webhooks_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import type { AuditKind } from "shared/audit.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { checkTypes, checkUrl, hasMessages, hostOf, webhookParts } from "./make_webhook.ts";
import { findWebhook } from "./read_endpoints.ts";
import { sealSecret } from "./secrets.ts";
import { makeSecret, secretText } from "./sign.ts";

type Owner = Pick<Caller, "client" | "person">;

const OLD_SECRET_MS = OLD_SECRET_HOURS * 60 * 60_000;
const THEIRS = "id = :id AND owner = :owner";
const CHANGE = `UPDATE webhook_endpoints SET label = :name, url = :url, types = :types, messages = :messages,
  quota_below = :quotaBelow WHERE ${THEIRS}`;
const PAUSE =
  `UPDATE webhook_endpoints SET paused_at = :now, paused_why = 'person' WHERE ${THEIRS} AND paused_at IS NULL`;
const RESUME =
  `UPDATE webhook_endpoints SET paused_at = NULL, paused_why = NULL, failing_since = NULL, planned_at = 0
  WHERE ${THEIRS} AND paused_at IS NOT NULL`;
// Their three days begin again.
const TRY_AGAIN = `UPDATE webhook_calls SET next_at = 0, first_at = NULL, tries = 0
  WHERE endpoint = :id AND state = 'waiting' AND ${STEP_BEFORE_CHANGED}`;
const REMOVE = `DELETE FROM webhook_endpoints WHERE ${THEIRS}`;
const NEW_SECRET =
  `UPDATE webhook_endpoints SET secret_before = secret, secret_before_until = :until, secret = :secret
  WHERE ${THEIRS}`;
const END_OLD =
  `UPDATE webhook_endpoints SET secret_before = NULL, secret_before_until = NULL WHERE ${THEIRS}`;

/**
 * Changes what the request names. Calls that wait go to the new address.
 *
 * @throws HttpError not_found; invalid_input; webhook_address
 */
export async function changeWebhook(
  ctx: EdgeContext,
  caller: Owner & Pick<Caller, "role">,
  id: number,
  asked: Omit<ChangeWebhookRequest, "proof">,
): Promise<Webhook> {
  const { check, wake } = webhookParts(ctx);
  const kept = await findWebhook(ctx, caller, id);
  const types = asked.types === undefined ? kept.types : checkTypes(caller.role, asked.types);
  const url = asked.url ?? kept.url;
  if (asked.url !== undefined) await checkUrl(check, url);
  await act(ctx, caller, id, "webhook_changed", {
    sql: CHANGE,
    args: {
      url,
      name: asked.name === undefined ? kept.name : withoutNumbers(asked.name),
      types: types.join(" "),
      messages: Number(hasMessages(types)),
      quotaBelow: asked.quotaBelow ?? kept.quotaBelow,
    },
    facts: { host: hostOf(url), types: types.join(" ") },
  });
  wake();
  return await findWebhook(ctx, caller, id);
}

/** Sends nothing more until it is resumed; a call under way ends. @throws HttpError not_found */
export async function pauseWebhook(ctx: EdgeContext, caller: Owner, id: number): Promise<Webhook> {
  await findWebhook(ctx, caller, id);
  await act(ctx, caller, id, "webhook_paused", { sql: PAUSE });
  return await findWebhook(ctx, caller, id);
}

/** Sends again, beginning with what waited. @throws HttpError not_found */
export async function resumeWebhook(ctx: EdgeContext, caller: Owner, id: number): Promise<Webhook> {
  const { wake } = webhookParts(ctx);
  await findWebhook(ctx, caller, id);
  await act(ctx, caller, id, "webhook_resumed", { sql: RESUME, then: TRY_AGAIN });
  wake();
  return await findWebhook(ctx, caller, id);
}

/** Removes an endpoint at once; a duty drops its calls. @throws HttpError not_found */
export async function removeWebhook(ctx: EdgeContext, caller: Owner, id: number): Promise<void> {
  if (await act(ctx, caller, id, "webhook_removed", { sql: REMOVE }) === 0) throw new HttpError("not_found");
}

/** Makes a new secret; the old one signs too for a day. @throws HttpError not_found */
export async function renewSecret(ctx: EdgeContext, caller: Owner, id: number): Promise<NewWebhookSecret> {
  const { keys } = webhookParts(ctx);
  await findWebhook(ctx, caller, id);
  const secret = makeSecret(ctx);
  const until = ctx.now() + OLD_SECRET_MS;
  const args = { until, secret: await sealSecret(ctx, keys, caller.client, secret) };
  const changed = await act(ctx, caller, id, "webhook_secret", { sql: NEW_SECRET, args, isRecorded: true });
  if (changed === 0) throw new HttpError("not_found");
  return { secret: secretText(secret), oldSecretUntil: until };
}

/** Ends the old secret at once. @throws HttpError not_found */
export async function endOldSecret(ctx: EdgeContext, caller: Owner, id: number): Promise<void> {
  if (await act(ctx, caller, id, "webhook_secret", { sql: END_OLD, facts: { old: "ended" } }) === 0) {
    throw new HttpError("not_found");
  }
}

interface Act {
  sql: string;
  args?: Record<string, string | number>;
  /** Runs only after a change. */
  then?: string;
  facts?: Record<string, string>;
  /** Whether a repeated call must not act again. */
  isRecorded?: boolean;
}

/** Runs a statement with its audit entry, and returns how many rows it changed. */
async function act(
  ctx: EdgeContext,
  { client, person }: Owner,
  id: number,
  kind: AuditKind,
  { sql, args = {}, then, facts = {}, isRecorded = false }: Act,
): Promise<number> {
  const now = ctx.now();
  const named = { ...args, id, owner: client, now };
  const note = { kind, actor: person, user: client, data: { webhook: id, ...facts } };
  const record = isRecorded ? recordCall({ status: 200 }) : undefined;
  const { changed } = await writeBatch(ctx.db, {
    changed: statement(sql, named),
    audited: rightAfter("changed", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    recorded: record && rightAfter("audited", record),
    after: then === undefined ? undefined : rightAfter("audited", statement(then, named)),
  });
  return changed.rowsAffected;
}
