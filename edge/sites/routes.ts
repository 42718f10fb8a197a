/** The agents' doors: enrolment, the socket, and the images for deliveries that a site holds. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AGENT_SUBPROTOCOL, enrollRequestSchema, enrollResponseSchema } from "shared/agent_protocol.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, OPEN, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { errorSentence } from "../text/error_text.ts";
import { HttpError } from "../http/http_error.ts";
import { type AppEnv, createRouter } from "../http/router.ts";
import { HANDSHAKE_HEADERS, isHandshake } from "../http/web_socket_handshake.ts";
import { authorizeAgent } from "./authorize.ts";
import { connectSite } from "./connect.ts";
import { enrollSite } from "./enroll.ts";
import { readSiteImage } from "./images.ts";
import { type AgentDoor, serveAgent } from "./socket.ts";

const enroll = createRoute({
  method: "post",
  path: "/api/agent/enroll",
  operationId: "enrollSite",
  summary: "Makes a machine the site whose join token it has",
  security: OPEN,
  request: {
    body: jsonBody(enrollRequestSchema),
  },
  responses: {
    200: jsonAnswer(enrollResponseSchema, "The site this machine now is"),
    ...refusals("invalid_input", "agent_not_authorized"),
  },
});

export interface AgentRouteOptions extends AgentDoor {
  /** Closes a socket whose other end has not answered for this long. */
  deadSocketMs?: number;
}

/** POST /api/agent/enroll, GET /agent/ws and GET /agent/images/{sha256}; no session and no cookie is valid here. */
export function agentRoutes(ctx: EdgeContext, options: AgentRouteOptions): OpenAPIHono<AppEnv> {
  const { deadSocketMs = DEAD_SOCKET_MS, ...door } = options;
  const router = createRouter();

  /** Sends the edge's clock, so that a site with a wrong clock can sign its next token. */
  function unauthorized(c: Context): Response {
    const code = "agent_not_authorized";
    const { method, path } = c.req;
    door.sawAttempt?.({ code, address: clientAddress(c), method, path });
    return Response.json({ error: errorSentence(code), code, serverTime: ctx.now() }, { status: 401 });
  }

  router.openapi(enroll, async (c) => c.json(await enrollSite(ctx, c.req.valid("json")), 200));

  router.get("/agent/ws", async (c) => {
    const site = await authorizeAgent(ctx, c.req.header("authorization"));
    if (site === null) return unauthorized(c);
    if (!isHandshake(c)) throw versionMismatch(undefined);
    checkProtocol(c.req.header("sec-websocket-protocol"));
    const welcome = await connectSite(ctx, site);
    if (welcome === null) return unauthorized(c);
    // Deno pings after half of idleTimeout, and closes the socket without a pong by its end.
    const upgrade = { protocol: AGENT_SUBPROTOCOL, idleTimeout: Math.ceil(deadSocketMs / 1000) };
    const { socket, response } = Deno.upgradeWebSocket(c.req.raw, upgrade);
    serveAgent(ctx, door, socket, site, welcome);
    return response;
  });

  router.get("/agent/images/:sha256{[0-9a-f]{64}}", async (c) => {
    const site = await authorizeAgent(ctx, c.req.header("authorization"));
    if (site === null) return unauthorized(c);
    const image = await readSiteImage(ctx, site, c.req.param("sha256"));
    if (image === null) throw new HttpError("not_found");
    return c.body(image.bytes, 200, {
      "content-type": image.mediaType,
      "cache-control": "private, max-age=3600",
    });
  });

  return router;
}

/** @throws HttpError upgrade_required, with the side to update, when the agent offers only other versions */
function checkProtocol(offered: string | undefined): void {
  if (!offered?.split(",").some((one) => one.trim() === AGENT_SUBPROTOCOL)) throw versionMismatch(offered);
}

function versionMismatch(offered: string | undefined): HttpError {
  const newest = (protocols: string) =>
    Math.max(0, ...Array.from(protocols.matchAll(/\.v(\d+)\b/g), (match) => Number(match[1])));
  const edgeIsOlder = newest(offered ?? "") > newest(AGENT_SUBPROTOCOL);
  return new HttpError("upgrade_required", {
    text: edgeIsOlder ? "יש לעדכן את השרת." : "יש לעדכן את התוכנה שבאתר.",
    headers: { ...HANDSHAKE_HEADERS, "sec-websocket-protocol": AGENT_SUBPROTOCOL },
  });
}
