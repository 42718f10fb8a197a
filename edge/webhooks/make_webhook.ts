import { ADMIN_WEBHOOK_TYPES, CLIENT_WEBHOOK_TYPES, MAX_ENDPOINTS } from "shared/webhook_event.ts";
import type { ChosenWebhookType, MadeWebhook, MakeWebhookRequest } from "shared/webhooks_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext, WebhookParts } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { webhookEndpoints } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { findWebhook } from "./read_endpoints.ts";
import { sealSecret } from "./secrets.ts";
import { makeSecret, secretText } from "./sign.ts";

// It hears of what comes after it. No row = the account has as many as it may have.
const ADD =
  `INSERT INTO webhook_endpoints (owner, hears, label, url, types, messages, quota_below, secret, cursor, created_at)
  SELECT :owner, :hears, :name, :url, :types, :messages, :quotaBelow, :secret,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'webhook_log'), 0), :now
  WHERE (SELECT count(*) FROM webhook_endpoints WHERE owner = :owner) < ${MAX_ENDPOINTS}
  RETURNING id`;
const FACTS = "json_object('webhook', last_insert_rowid(), 'host', ?)";

/** Returns the present parts, without which there are no webhooks. @throws HttpError not_found */
export function webhookParts(ctx: EdgeContext): WebhookParts {
  if (ctx.webhooks === undefined) throw new HttpError("not_found");
  return ctx.webhooks;
}

/**
 * Makes an endpoint of the caller's account. Its secret is returned once. The name keeps nothing that may be a number.
 *
 * @throws HttpError invalid_input for a type of the other role; webhook_address; too_many_webhooks
 */
export async function makeWebhook(
  ctx: EdgeContext,
  caller: Pick<Caller, "client" | "person" | "role">,
  asked: Omit<MakeWebhookRequest, "proof">,
): Promise<MadeWebhook> {
  const { keys, check, wake } = webhookParts(ctx);
  const { client, person, role } = caller;
  const types = checkTypes(role, asked.types);
  await checkUrl(check, asked.url);
  const now = ctx.now();
  const secret = makeSecret(ctx);
  const args = {
    owner: client,
    hears: role === "admin" ? 0 : client,
    name: withoutNumbers(asked.name),
    url: asked.url,
    types: types.join(" "),
    messages: Number(hasMessages(types)),
    quotaBelow: asked.quotaBelow,
    secret: await sealSecret(ctx, keys, client, secret),
    now,
  };
  const record = recordCall({ status: 201 });
  const dataSql = { sql: FACTS, args: [hostOf(asked.url)] };
  const { added } = await writeBatch(ctx.db, {
    added: statement(ADD, args),
    audited: rightAfter(
      "added",
      noteAudit(now, { kind: "webhook_made", actor: person, user: client, dataSql }, STEP_BEFORE_CHANGED),
    ),
    recorded: record && rightAfter("audited", record),
  });
  const [made] = rowsAs(added, { id: webhookEndpoints.id });
  if (made === undefined) throw new HttpError("too_many_webhooks");
  wake();
  return { webhook: await findWebhook(ctx, caller, made.id), secret: secretText(secret) };
}

/** Returns the types without repetition. @throws HttpError invalid_input for one that the role does not hear */
export function checkTypes(role: Caller["role"], asked: readonly ChosenWebhookType[]): ChosenWebhookType[] {
  const allowed: readonly string[] = role === "admin" ? ADMIN_WEBHOOK_TYPES : CLIENT_WEBHOOK_TYPES;
  const foreign = asked.find((type) => !allowed.includes(type));
  if (foreign !== undefined) throw new HttpError("invalid_input", { detail: `type ${foreign}` });
  return [...new Set(asked)];
}

/** @throws HttpError webhook_address when nothing would be sent to `url` */
export async function checkUrl(check: WebhookParts["check"], url: string): Promise<void> {
  const problem = await check(url);
  if (problem === "name") {
    throw new HttpError("webhook_address", { text: "לשם שבכתובת אין כתובת ברשת. נא לבדוק שהוא כתוב נכון." });
  }
  if (problem !== null) throw new HttpError("webhook_address");
}

/** Returns whether one of the types is about single messages. */
export function hasMessages(types: readonly ChosenWebhookType[]): boolean {
  return types.some((type) => type.startsWith("message."));
}

/** The part of a URL that opens nothing, for the audit log. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
