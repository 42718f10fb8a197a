/** Sites: listed, made, given a join token, taken back. What restarts a stopped one stands in agents/site_routes.ts. */
import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createSiteRequestSchema, type JoinToken, joinTokenSchema, sitesSchema } from "shared/admin_api.ts";
import { installLine } from "shared/install_line.ts";
import { createSite } from "../agents/create_site.ts";
import { createJoinToken } from "../agents/join_token.ts";
import { revokeSite } from "../agents/revoke_site.ts";
import { requireAdmin } from "../auth/require_user.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { idParams } from "../http/id_params.ts";
import { createRouter } from "../http/router.ts";
import { listSites } from "./list_sites.ts";

const oneRefusals = refusals("invalid_input", "not_logged_in", "not_allowed", "not_found");

/** GET|POST /api/admin/sites and POST …/{id}/{token, revoke}; `publicUrl` is where sites find the edge. */
export function adminSiteRoutes(ctx: EdgeContext, publicUrl: URL | undefined) {
  function withCommand(c: Context, token: Omit<JoinToken, "command">): JoinToken {
    const origin = publicUrl?.origin ?? new URL(c.req.url).origin;
    return { ...token, command: installLine(origin, token.joinToken) };
  }

  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/admin/sites",
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
        middleware: requireAdmin(),
        request: { body: jsonBody(createSiteRequestSchema) },
        responses: {
          201: jsonAnswer(joinTokenSchema, "The new site's join token, shown once"),
          ...refusals("invalid_input", "not_logged_in", "not_allowed"),
        },
      }),
      async (c) =>
        c.json(withCommand(c, await createSite(ctx, c.req.valid("json").name, c.get("user").id)), 201),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/token",
        summary: "A fresh join token; an older unused one ends",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 200: jsonAnswer(joinTokenSchema, "Shown once"), ...oneRefusals },
      }),
      async (c) => {
        const options = { actor: c.get("user").id };
        return c.json(withCommand(c, await createJoinToken(ctx, c.req.valid("param").id, options)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/admin/sites/{id}/revoke",
        summary: "Takes a site's key for good; what it may have sent is unknown",
        middleware: requireAdmin(),
        request: { params: idParams },
        responses: { 204: { description: "Done" }, ...oneRefusals },
      }),
      async (c) => {
        await revokeSite(ctx, c.req.valid("param").id, c.get("user").id);
        return c.body(null, 204);
      },
    );
}
