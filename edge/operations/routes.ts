/** For operators and their tools: whether the process lives, whether it should get work, and its figures. */
import { type Context, Hono } from "hono";
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import { isLoopback, isLoopbackName, peerAddress } from "../http/client_address.ts";
import type { AppEnv } from "../http/router.ts";
import { isSameText } from "../keys/same_text.ts";
import type { LogFields } from "../log.ts";
import type { EdgeMetrics } from "./edge_metrics.ts";
import { METRICS_TYPE } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

export interface OperationsParts {
  metrics: EdgeMetrics;
  readiness: Readiness;
  /**
   * Bearer token for the figures. Undefined = only a direct request from this machine, without a proxy, may read them.
   */
  metricsToken: string | undefined;
  /** The host that the edge listens on. */
  host: string;
}

const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "via"];

/**
 * Returns three routes. GET /healthz answers while the process lives. /readyz refuses with `not_ready` while requests
 * should go to another instance. /metrics is `not_found` for callers that may not read it.
 */
export function operationsRoutes(ctx: EdgeContext, parts: OperationsParts): Hono<AppEnv> {
  const { metrics, readiness } = parts;
  let logged: string | null = null;
  return new Hono<AppEnv>()
    .get("/healthz", (c) => c.text("ok"))
    .get("/readyz", async (c) => {
      const detail = await readiness.refusal();
      // The response gives strangers no reason, and a balancer asks every second: the log names it once.
      if (detail !== logged && detail !== null) {
        // A requested stop needs no attention.
        const level = detail === "stopping" ? "info" : "warn";
        ctx.log[level]("not_ready", { detail, ...(detail === "database" ? ofDatabase(readiness) : {}) });
      }
      logged = detail;
      if (detail !== null) throw new HttpError("not_ready", { detail, headers: { "retry-after": "2" } });
      return c.text("ok");
    })
    .get("/metrics", async (c) => {
      if (!mayRead(c, parts)) throw new HttpError("not_found");
      const figures = await metrics.read(ctx);
      return c.body(figures, 200, { "content-type": METRICS_TYPE, "cache-control": "no-store" });
    });
}

function ofDatabase({ failure }: Readiness): LogFields {
  return failure === null ? { cause: "timeout" } : errorFields(failure);
}

function mayRead(c: Context, { metricsToken, host }: OperationsParts): boolean {
  if (metricsToken !== undefined) {
    return isSameText(c.req.header("authorization") ?? "", `Bearer ${metricsToken}`);
  }
  const isForwarded = PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
  // A proxy that adds no header still uses the public host name.
  const asked = URL.parse(c.req.url)?.hostname ?? "";
  const isForUs = isLoopbackName(host) && isLoopbackName(asked);
  return isForUs && !isForwarded && isLoopback(peerAddress(c));
}
