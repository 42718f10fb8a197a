/** The API description (OpenAPI 3.1), made from the routes and from the schemas that validate them. */
import { zodToOpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import type { OpenAPIHono } from "@hono/zod-openapi";
import * as adminApi from "shared/admin_api.ts";
import * as agentProtocol from "shared/agent_protocol.ts";
import * as audit from "shared/audit.ts";
import * as campaign from "shared/campaign.ts";
import * as consent from "shared/consent.ts";
import * as delivery from "shared/delivery.ts";
import * as errorCode from "shared/error_code.ts";
import * as httpApi from "shared/http_api.ts";
import * as keysApi from "shared/keys_api.ts";
import * as listsApi from "shared/lists_api.ts";
import * as looksApi from "shared/looks_api.ts";
import * as peopleApi from "shared/people_api.ts";
import * as messagesApi from "shared/messages_api.ts";
import * as personalApi from "shared/personal_api.ts";
import * as privacy from "shared/privacy.ts";
import * as removalLink from "shared/removal_link.ts";
import * as repliesApi from "shared/replies_api.ts";
import * as settings from "shared/settings.ts";
import * as stagedApi from "shared/staged_api.ts";
import * as suppressionsApi from "shared/suppressions_api.ts";
import { CALL_BOUND, KEY_BOUNDS } from "shared/call_limits.ts";
import { ERROR_STATUS, type ErrorCode } from "shared/error_code.ts";
import { z } from "zod";
import { isRepeatable } from "./repeats.ts";
import { addExamples, refusalExamples } from "./describe_examples.ts";

import { findKeyCall } from "./auth/key_calls.ts";
import { sessionCookieName } from "./auth/session_cookie.ts";
import type { AppEnv } from "./http/router.ts";

const MODULES = [
  ...[
    httpApi,
    adminApi,
    suppressionsApi,
    repliesApi,
    looksApi,
    listsApi,
    stagedApi,
    privacy,
    audit,
    settings,
    peopleApi,
    keysApi,
    personalApi,
    messagesApi,
    removalLink,
  ],
  ...[campaign, consent, delivery, errorCode, agentProtocol],
];

// `userSchema` becomes the component `User`: generators name a type by it, and the document contains it once. Register
// directly: the documented way, `.openapi("User")`, names a copy of the schema, not the one in the routes.
for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module))) {
  if (!name.endsWith("Schema") || !(schema instanceof z.ZodType)) continue;
  zodToOpenAPIRegistry.add(schema, { _internal: { refId: componentName(name) } });
}

/** Facts about nearly every call, stated once instead of with each. */
const ABOUT = `The calls that the screens make; other programs may make the same.

**Logging in.** \`POST /api/auth/login\` answers with the session's cookie, which goes with every other call.

**Keys.** A program sends an API key as \`Authorization: Bearer shg_live_…\`. Then the cookie is not read and \`Origin\`
does not matter. A wrong, revoked or expired key is 401 \`key_invalid\`. Each call names the scopes of which a key needs
one; a key without them gets 403 \`key_scope\`, and calls that name no scope are refused to keys with 403
\`not_by_key\`. A test key reads, changes drafts, and hands over messages that
reach no phone; other changes are 403 \`test_key\`.

**Origin.** A call that changes something and carries a cookie needs the header \`Origin\` with the origin of this
server, as browsers send it; with another or none it is refused with 403 \`foreign_origin\`. Logging in and out are
such calls once there is a cookie, and an empty \`Cookie\` header counts as one.

**Refusals.** Every answer of 400 and above is an \`ErrorBody\`: a Hebrew sentence for people, a code for programs.
All calls but those under \`/api/auth\` answer 403 \`new_password_required\` to people whose password was given by
somebody else, and 403 \`second_factor_required\` to administrators who lack a required second factor.

**Open sets.** States of campaigns and messages, reasons and codes of refusals may grow. A program takes a state that
it does not know for one in progress, and a code by its status.

**Repeating.** A call with an \`Idempotency-Key\` acts once: made again with the same key and body within 24 hours, it
gets the same answer, built again from what was made, with \`Idempotency-Replayed: true\`. Another body is 422
\`call_key_reused\`; while the first still runs, 409 \`call_running\`. A refused call leaves no trace and may be corrected.

**Rate.** More than ${CALL_BOUND.perSecond} calls a second, after ${CALL_BOUND.burst} at once, are answered 429
\`too_many_attempts\` with \`Retry-After\`. A key may make ${KEY_BOUNDS.key.perSecond} calls a second after
${KEY_BOUNDS.key.burst} at once, and all keys of a client twice as many; its answers say in \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) how much is left. Beyond a key's daily limit: 429
\`key_day_over\`.`;

const SAFE_METHODS = ["get", "head", "options"];
const ORIGIN = { $ref: "#/components/parameters/Origin" };
const REPEAT = { $ref: "#/components/parameters/IdempotencyKey" };
const ORIGIN_WITH_COOKIE = { $ref: "#/components/parameters/OriginWithCookie" };

export interface DescribeOptions {
  /** The edge's version. */
  version: string;
  /** Whether people use https, which changes the cookie's name. */
  isHttps: boolean;
}

/** Returns the document; making it takes a tenth of a second. */
export function describeCalls(app: OpenAPIHono<AppEnv>, { version, isHttps }: DescribeOptions) {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Shigur", version, description: ABOUT },
    servers: [{ url: "/" }],
    security: [{ session: [] }],
  });
  const { components = {}, paths = {} } = document;
  components.securitySchemes = {
    session: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(isHttps),
      description: "Set by POST /api/auth/login.",
    },
    key: { type: "http", scheme: "bearer", description: "An API key; its roles are the scopes." },
  };
  const origin = {
    name: "Origin",
    in: "header" as const,
    schema: { type: "string" as const, format: "uri", examples: ["https://shigur.example"] },
  };
  const whatOrigin = "The origin of this server, scheme and host; browsers send it by themselves.";
  components.parameters = {
    ...components.parameters,
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header" as const,
      schema: {
        type: "string" as const,
        minLength: 1,
        maxLength: 255,
        examples: ["8e03978e-40d5-43dd-bc93-6894a57f9324"],
      },
      description: "Chosen by the caller for one act, such as a random UUID.",
    },
    Origin: { ...origin, required: true, description: whatOrigin },
    OriginWithCookie: { ...origin, description: `${whatOrigin} Required when the call carries a cookie.` },
  };
  for (const [path, calls] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(calls)) {
      call.tags = [path.startsWith("/api/admin/") ? "admin" : path.split("/")[2]!];
      if (isRepeatable(method.toUpperCase(), path)) {
        call.parameters = [...call.parameters ?? [], REPEAT];
        addRefusals(call.responses, ["call_running", "call_key_reused"]);
        if (SECRET_CALLS.has(call.operationId)) addRefusals(call.responses, ["secret_given"]);
      }
      const byKey = findKeyCall(method.toUpperCase(), path);
      if (byKey !== undefined && call.security === undefined) {
        // OpenAPI asks for all roles of one entry, and for one entry of the list.
        const entries = byKey.scopes === "any" ? [[]] : byKey.scopes.map((scope) => [scope]);
        addRefusals(call.responses, KEY_REFUSALS);
        if (!byKey.isDraft) addRefusals(call.responses, ["test_key"]);
        call.security = [{ session: [] }, ...entries.map((scopes) => ({ key: [...scopes] }))];
      }
      if (SAFE_METHODS.includes(method)) continue;
      const needed = byKey === undefined && call.security === undefined ? ORIGIN : ORIGIN_WITH_COOKIE;
      call.parameters = [...call.parameters ?? [], needed];
    }
  }
  const whole = { ...document, components };
  allowNull(whole);
  const schemas = (components.schemas ?? {}) as Record<string, Record<string, unknown>>;
  openSets(schemas);
  const all = Object.values(paths).flatMap((calls) => Object.values(calls));
  addExamples(all, schemas);
  components.examples = refusalExamples(all);
  return whole;
}

const KEY_REFUSALS = [
  "key_invalid",
  "key_scope",
  "key_address",
  "too_many_attempts",
  "key_day_over",
] as const;
/** Calls that show a secret once, by their operation. */
const SECRET_CALLS = new Set(["makeKey", "invitePerson", "createSite", "renewJoinToken"]);

/** Adds refusals that a guard gives, beside those of the route itself. */
function addRefusals(responses: Record<string, { description: string }>, codes: readonly ErrorCode[]): void {
  for (const code of codes) {
    const status = ERROR_STATUS[code];
    const there = responses[status];
    if (there === undefined) responses[status] = errorAnswer(code);
    else if (!there.description.split(", ").includes(code)) {
      // Routes share the objects of their refusals.
      responses[status] = { ...structuredClone(there), description: `${there.description}, ${code}` };
    }
  }
}

function errorAnswer(description: string) {
  const schema = { $ref: "#/components/schemas/ErrorBody" };
  return { description, content: { "application/json": { schema } } };
}

/** Repairs nullable objects with a name: the generator writes them so that null fits neither half. */
function allowNull(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const schema = value as { allOf?: unknown[]; anyOf?: unknown[] };
  if (schema.allOf !== undefined && JSON.stringify(schema.allOf[1]) === '{"type":["object","null"]}') {
    schema.anyOf = [schema.allOf[0], { type: "null" }];
    delete schema.allOf;
  }
  for (const part of Object.values(value)) allowNull(part);
}

/**
 * Sets that grow: a word that a program does not know counts as in progress, or as a refusal like others of its
 * status. As a closed list it would make every new word a breaking change for generated clients.
 */
const OPEN_SETS = ["CampaignStatus", "DeliveryState", "DeliveryReason", "DeliveryStepName", "MessageState"];

function openSets(schemas: Record<string, Record<string, unknown>>): void {
  const open = [...OPEN_SETS.map((name) => schemas[name]!), codeOf(schemas.ErrorBody!)];
  for (const schema of open) {
    const { enum: words, description } = schema as { enum: string[]; description?: string };
    delete schema.enum;
    schema["x-extensible-enum"] = words;
    schema.examples = [words[0]];
    schema.description = `${description ?? ""} Open: others may come. Today: ${words.join(", ")}.`.trim();
  }
}

function codeOf(errorBody: Record<string, unknown>): Record<string, unknown> {
  return (errorBody.properties as Record<string, Record<string, unknown>>).code!;
}

function componentName(schema: string): string {
  return schema[0]!.toUpperCase() + schema.slice(1, -"Schema".length);
}
