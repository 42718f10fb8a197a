/** The whole HTTP interface put together: what every request passes, then each resource's routes. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { adminRoutes } from "./admin/routes.ts";
import type { AgentHub } from "./agents/hub.ts";
import { agentRoutes } from "./agents/routes.ts";
import { identify } from "./auth/identify.ts";
import type { LoginDoor } from "./auth/login.ts";
import { originGuard } from "./auth/origin_guard.ts";
import { authRoutes } from "./auth/routes.ts";
import { sessionCookie } from "./auth/session_cookie.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { contactRoutes } from "./contacts/routes.ts";
import type { EdgeContext } from "./context.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { bodyRules } from "./http/body_rules.ts";
import { HttpError } from "./http/http_error.ts";
import { noStore } from "./http/no_store.ts";
import { onError } from "./http/on_error.ts";
import { probeRoutes } from "./http/probes.ts";
import { requestId } from "./http/request_id.ts";
import { type AppEnv, createRouter } from "./http/router.ts";
import { screens } from "./http/screens.ts";
import { securityHeaders } from "./http/security_headers.ts";
import type { BrowserHub } from "./live/browser_hub.ts";
import { liveRoutes } from "./live/routes.ts";
import type { Tail } from "./live/tail.ts";
import { userRoutes } from "./users/routes.ts";

export interface AppParts {
  ctx: EdgeContext;
  door: LoginDoor;
  sockets: { browsers: BrowserHub; agents: AgentHub; tail: Pick<Tail, "join"> };
  /** The origin people use, or undefined when the Host header is to be believed. */
  publicUrl: URL | undefined;
  /** Folder of the built screens. */
  webDir: string;
}

/** Builds the application; it opens nothing and starts nothing. */
export function createApp({ ctx, door, sockets, publicUrl, webDir }: AppParts): OpenAPIHono<AppEnv> {
  const isHttps = publicUrl?.protocol === "https:";
  const cookie = sessionCookie(isHttps);
  const app = createRouter();
  app.onError(onError(ctx.log));
  app.use(requestId(ctx), securityHeaders(isHttps));
  for (const path of ["/api/*", "/ws"]) app.use(path, originGuard(publicUrl), identify(ctx, cookie));
  app.use("/api/*", bodyRules(), noStore());

  app.route("/", authRoutes(ctx, door, cookie));
  app.route("/", userRoutes(ctx, door.passwords));
  app.route("/", campaignRoutes(ctx));
  app.route("/", contactRoutes(ctx));
  app.route("/", adminRoutes(ctx));
  app.route("/", deviceRoutes(ctx));
  app.route("/", liveRoutes(ctx, sockets));
  app.route("/", agentRoutes(ctx, { hub: sockets.agents, joinOutbox: sockets.tail.join }));
  app.route("/", probeRoutes(ctx));
  app.doc31("/api/openapi.json", { openapi: "3.1.0", info: { title: "Shigur", version: "1.0.0" } });

  for (const path of ["/api", "/api/*", "/agent/*", "/ws"]) {
    app.all(path, () => {
      throw new HttpError("not_found");
    });
  }
  app.route("/", screens(webDir));
  // Not app.notFound(): what that throws goes past the middlewares, and so without their headers.
  app.all("*", () => {
    throw new HttpError("not_found");
  });
  return app;
}
