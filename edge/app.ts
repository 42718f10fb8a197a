/** The whole HTTP interface: the checks for every request, then the routes of each resource. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { hoursRoutes } from "./admin/hours_routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { adminSiteRoutes } from "./admin/site_routes.ts";
import type { AgentHub } from "./sites/hub.ts";
import { auditRoutes } from "./admin/audit_routes.ts";
import { agentRoutes } from "./sites/routes.ts";
import { boundCalls, boundUploads, type CallRate } from "./auth/call_rate.ts";
import { identify } from "./auth/identify.ts";
import type { LoginDoor } from "./auth/login.ts";
import { originGuard } from "./auth/origin_guard.ts";
import { authRoutes } from "./auth/routes.ts";
import { ownAccountFirst } from "./auth/require_user.ts";
import { sessionCookie } from "./auth/session_cookie.ts";
import { campaignRoutes } from "./campaigns/routes.ts";
import { duplicateRoutes } from "./contacts/duplicate_routes.ts";
import { contactRoutes } from "./contacts/routes.ts";
import { stagedRoutes } from "./contacts/staged_routes.ts";
import type { EdgeContext } from "./context.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { fileRoutes } from "./files/routes.ts";
import { agentPackage } from "./http/agent_package.ts";
import { watchAttempts } from "./http/attempts.ts";
import { bodyRules } from "./http/body_rules.ts";
import { boundExports } from "./http/bound_exports.ts";
import { describeCalls } from "./describe_calls.ts";
import { readsFirst } from "./http/reads_first.ts";
import { HttpError } from "./http/http_error.ts";
import { noStore } from "./http/no_store.ts";
import { onError } from "./http/on_error.ts";
import { requestId } from "./http/request_id.ts";
import { type AppEnv, createRouter } from "./http/router.ts";
import { screens } from "./http/screens.ts";
import { securityHeaders } from "./http/security_headers.ts";
import { whileStopping } from "./http/while_stopping.ts";
import type { BrowserHub } from "./live/browser_hub.ts";
import { lawfulRoutes } from "./lawful/routes.ts";
import { listRoutes } from "./lists/routes.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { seriesRoutes } from "./series/routes.ts";
import { takeRoutes } from "./lists/take_routes.ts";
import { liveRoutes } from "./live/routes.ts";
import type { Tail } from "./live/tail.ts";
import { type OperationsParts, operationsRoutes } from "./operations/routes.ts";
import { privacyRoutes } from "./privacy/routes.ts";
import { optOutRoutes } from "./opt_out/opt_out_routes.ts";
import { removalRoutes } from "./opt_out/removal_routes.ts";
import { replyRoutes } from "./opt_out/routes.ts";
import { secondFactorRoutes } from "./second_factor/routes.ts";
import { type StillRouteParts, stillRoutes } from "./stills/routes.ts";
import { suppressionRoutes } from "./suppressions/routes.ts";
import { userRoutes } from "./users/routes.ts";
import { VERSION } from "./version.ts";

export interface AppParts {
  ctx: EdgeContext;
  door: LoginDoor;
  callRate: CallRate;
  sockets: { browsers: BrowserHub; agents: AgentHub; tail: Pick<Tail, "join"> };
  stills: Pick<StillRouteParts, "desk" | "shown">;
  operations: OperationsParts;
  /** The public origin, or undefined to trust the Host header. */
  publicUrl: URL | undefined;
  /** Folder of the built screens. */
  webDir: string;
  /** Folder of the files that sites install. */
  packageDir: string;
}

/** Builds the application, without opening or starting anything. */
export function createApp(
  { ctx, door, callRate, sockets, stills, operations, publicUrl, webDir, packageDir }: AppParts,
): OpenAPIHono<AppEnv> {
  const isHttps = publicUrl?.protocol === "https:";
  const cookie = sessionCookie(isHttps);
  const app = createRouter();
  const { metrics, readiness } = operations;
  const sawAttempt = watchAttempts(ctx, metrics.sawAttempt);
  app.onError(onError(ctx, sawAttempt));
  const isStopping = () => readiness.isStopping;
  app.use(requestId(ctx, { sawRequest: metrics.sawRequest, clock: () => performance.now(), isStopping }));
  app.use(securityHeaders(isHttps), whileStopping(isStopping));
  app.use("/api/*", noStore(), readsFirst());
  for (const path of ["/api/*", "/ws"]) {
    // Identify the caller after the body has arrived: a user disabled during an upload changes nothing.
    app.use(path, originGuard(publicUrl), bodyRules(), identify(ctx, cookie), boundCalls(callRate));
    app.use(path, ownAccountFirst());
  }
  app.use("/api/*", boundUploads(), boundExports());

  const agentDoor = {
    hub: sockets.agents,
    stills: stills.desk,
    joinOutbox: sockets.tail.join,
    onAnswer: metrics.countAnswer,
    sawAttempt,
  };
  app.route("/", authRoutes(ctx, door, cookie));
  app.route("/", secondFactorRoutes(ctx, door, cookie));
  app.route("/", userRoutes(ctx, door));
  app.route("/", campaignRoutes(ctx));
  app.route("/", contactRoutes(ctx));
  app.route("/", stagedRoutes(ctx));
  app.route("/", duplicateRoutes(ctx));
  app.route("/", listRoutes(ctx, door));
  app.route("/", takeRoutes(ctx));
  app.route("/", approvalRoutes(ctx));
  app.route("/", seriesRoutes(ctx));
  app.route("/", lawfulRoutes(ctx));
  app.route("/", adminRoutes(ctx, door));
  app.route("/", hoursRoutes(ctx));
  app.route("/", adminSiteRoutes(ctx, door, publicUrl));
  app.route("/", alertRoutes(ctx));
  app.route("/", auditRoutes(ctx));
  app.route("/", privacyRoutes(ctx));
  app.route("/", deviceRoutes(ctx));
  app.route(
    "/",
    stillRoutes(ctx, door, {
      ...stills,
      siteOf: sockets.agents.find,
      lastEpochOf: sockets.agents.lastEpochOf,
    }),
  );
  app.route("/", fileRoutes(ctx));
  app.route("/", suppressionRoutes(ctx, door));
  app.route("/", replyRoutes(ctx));
  app.route("/", optOutRoutes(ctx));
  app.route("/", removalRoutes(ctx, () => performance.now()));
  app.route("/", liveRoutes(ctx, { ...sockets, callRate, sawAttempt }));
  app.route("/", agentRoutes(ctx, agentDoor));
  app.route("/", agentPackage(packageDir));
  app.route("/", operationsRoutes(ctx, operations));
  let description: string | undefined;
  app.get("/api/openapi.json", (c) => {
    // Built once: it takes a tenth of a second, and anybody may request it.
    description ??= JSON.stringify(describeCalls(app, { version: VERSION, isHttps }));
    return c.body(description, 200, { "content-type": "application/json; charset=UTF-8" });
  });

  for (const path of ["/api", "/api/*", "/agent/*", "/ws"]) {
    app.all(path, () => {
      throw new HttpError("not_found");
    });
  }
  app.route("/", screens(webDir));
  // Not app.notFound(): its errors bypass the middlewares and would lack their headers.
  app.all("*", () => {
    throw new HttpError("not_found");
  });
  return app;
}
