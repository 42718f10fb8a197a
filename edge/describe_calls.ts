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
import * as listsApi from "shared/lists_api.ts";
import * as looksApi from "shared/looks_api.ts";
import * as privacy from "shared/privacy.ts";
import * as repliesApi from "shared/replies_api.ts";
import * as settings from "shared/settings.ts";
import * as stagedApi from "shared/staged_api.ts";
import * as suppressionsApi from "shared/suppressions_api.ts";
import { z } from "zod";
import { CALL_BOUND } from "./auth/call_rate.ts";
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

**Origin.** A call that changes something and carries a cookie needs the header \`Origin\` with the origin of this
server, as browsers send it; with another or none it is refused with 403 \`foreign_origin\`. Logging in and out are
such calls once there is a cookie, and an empty \`Cookie\` header counts as one.

**Refusals.** Every answer of 400 and above is an \`ErrorBody\`: a Hebrew sentence for people, a code for programs.
All calls but those under \`/api/auth\` answer 403 \`new_password_required\` to people whose password was given by
somebody else, and 403 \`second_factor_required\` to administrators who lack a required second factor.

**Rate.** More than ${CALL_BOUND.perSecond} calls a second, after ${CALL_BOUND.burst} at once, are answered 429
\`too_many_attempts\` with \`Retry-After\`.`;

const SAFE_METHODS = ["get", "head", "options"];
const ORIGIN = { $ref: "#/components/parameters/Origin" };
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
  };
  const origin = {
    name: "Origin",
    in: "header" as const,
    schema: { type: "string" as const, format: "uri", examples: ["https://shigur.example"] },
  };
  const whatOrigin = "The origin of this server, scheme and host; browsers send it by themselves.";
  components.parameters = {
    ...components.parameters,
    Origin: { ...origin, required: true, description: whatOrigin },
    OriginWithCookie: { ...origin, description: `${whatOrigin} Required when the call carries a cookie.` },
  };
  for (const [path, calls] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(calls)) {
      call.tags = [path.startsWith("/api/admin/") ? "admin" : path.split("/")[2]!];
      if (SAFE_METHODS.includes(method)) continue;
      const needed = call.security === undefined ? ORIGIN : ORIGIN_WITH_COOKIE;
      call.parameters = [...call.parameters ?? [], needed];
    }
  }
  return { ...document, components };
}

function componentName(schema: string): string {
  return schema[0]!.toUpperCase() + schema.slice(1, -"Schema".length);
}
