/** Sites: list, create, give a join token, revoke; and decisions about a site that is leased nothing. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  askRehearsalRequestSchema,
  createSiteRequestSchema,
  type JoinToken,
  joinTokenSchema,
  sitesSchema,
} from "shared/admin_api.ts";
import { provedRequestSchema } from "shared/http_api.ts";
import { installLine } from "shared/install_line.ts";
import { askRehearsal } from "../sites/ask_rehearsal.ts";
import { createSite } from "../sites/create_site.ts";
import { createJoinToken } from "../sites/join_token.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { startSite } from "../sites/start_site.ts";
import { writeOffSite } from "../sites/write_off_site.ts";
import type { LoginDoor } from "../auth/login.ts";
import { proveAct } from "../auth/prove_act.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { adminRefusalsOfOne, jsonAnswer, jsonBody, PROVED_REFUSALS, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { HttpError } from "../http/http_error.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { listSites } from "./list_sites.ts";

/**
 * Returns GET|POST /api/admin/sites and POST …/{id}/{token, revoke, start, write-off, rehearsals}; `publicUrl` is the
 * edge's address for sites.
 */
export function adminSiteRoutes(ctx: EdgeContext, door: LoginDoor, publicUrl: URL | undefined) {
  /**
   * Returns a function that adds the install command to a token. Call it before anything is made: an unusable Host
   * must change nothing.
   */
  function commandMaker(c: Context): (token: Omit<JoinToken, "command">) => JoinToken {
    const origin = publicUrl?.origin ?? originOf(c);
    return (token) => ({ ...token, command: installLine(origin, token.joinToken) });
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/sites",
        operationId: "listSites",
        summary: "Every site",
        middleware: requireAdmin(),
        responses: {
          200: jsonAnswer(sitesSchema, "Every site, the revoked ones last"),
          ...refusals("not_logged_in", "not_allowed"),
        },
      }),
      async (c) => c.json({ items: await listSites(ctx) }, 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites",
        operationId: "createSite",
        summary: "Makes a site, and the token by which its machine joins",
        middleware: requireAdmin(),
        request: { body: jsonBody(createSiteRequestSchema) },
        responses: {
          201: jsonAnswer(joinTokenSchema, "The new site's join token, shown once"),
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        const { proof, name } = c.req.valid("json");
        const withCommand = commandMaker(c);
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        return c.json(withCommand(await createSite(ctx, name, c.get("user").person)), 201);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/token",
        operationId: "renewJoinToken",
        summary: "A fresh join token; an older unused one ends",
        middleware: requireAdmin(),
        request: { params: idParams, body: { ...jsonBody(provedRequestSchema), required: false } },
        responses: {
          200: jsonAnswer(joinTokenSchema, "Shown once"),
          ...adminRefusalsOfOne,
          ...refusals(...PROVED_REFUSALS, "not_logged_in", "not_allowed"),
        },
      }),
      async (c) => {
        // Without a body the validator returns undefined.
        const { proof } = c.req.valid("json") ?? {};
        const withCommand = commandMaker(c);
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        const options = { actor: c.get("user").person };
        return c.json(withCommand(await createJoinToken(ctx, c.req.valid("param").id, options)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/revoke",
        operationId: "revokeSite",
        summary: "Takes a site's key for good; what it may have sent is unknown",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...adminRefusalsOfOne },
      }),
      async (c) => {
        await revokeSite(ctx, c.req.valid("param").id, c.get("user").person);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/start",
        operationId: "startSite",
        summary: "Leases again to a site that was stopped over its journal or its key",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...adminRefusalsOfOne },
      }),
      async (c) => {
        await startSite(ctx, c.req.valid("param").id, c.get("user").person);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/rehearsals",
        operationId: "askRehearsals",
        summary: "Whether a site's phones get marketing only after a rehearsal or a proven send",
        middleware: requireAdmin(),
        request: { params: idParams, body: jsonBody(askRehearsalRequestSchema) },
        responses: { 204: { description: "Done" }, ...adminRefusalsOfOne },
      }),
      async (c) => {
        const { asks } = c.req.valid("json");
        await askRehearsal(ctx, { site: c.req.valid("param").id, asks, actor: c.get("user").person });
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/write-off",
        operationId: "writeOffSite",
        summary: "Waits no longer for what a site did before the database was restored",
        middleware: requireAdmin(),
        request: { params: idParams, body: { ...jsonBody(provedRequestSchema), required: false } },
        responses: {
          204: { description: "Done" },
          ...refusals(...PROVED_REFUSALS, "invalid_input", "not_logged_in", "not_allowed", "not_found"),
        },
      }),
      async (c) => {
        // Without a body the validator returns undefined.
        const { proof } = c.req.valid("json") ?? {};
        await proveAct(ctx, door, c.get("user"), { proof, address: clientAddress(c) });
        await writeOffSite(ctx, c.req.valid("param").id, c.get("user").person);
        return c.body(null, 204);
      },
    );
}

/** Names, addresses and ports. A Host may also contain characters that a shell would run. */
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Returns the origin of the request, for a line that a person pastes into a shell. */
function originOf(c: Context): string {
  const { origin, host } = new URL(c.req.url);
  if (PLAIN_HOST.test(host)) return origin;
  const text = "הכתובת שבה נפתח האתר אינה שם של שרת. יש לפתוח אותו בכתובת הרגילה, או לקבוע PUBLIC_URL בשרת.";
  throw new HttpError("invalid_input", { text, detail: "Host" });
}
