/** For whoever keeps the process running: it lives, it should be given work, and how it fares. */
import { type Context, Hono } from "hono";
import { createHash, timingSafeEqual } from "node:crypto";
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import { isLoopback, isLoopbackName, peerAddress } from "../http/client_address.ts";
import type { AppEnv } from "../http/router.ts";
import type { LogFields } from "../log.ts";
import type { EdgeMetrics } from "./edge_metrics.ts";
import { METRICS_TYPE } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

export interface OperationsParts {
  metrics: EdgeMetrics;
  readiness: Readiness;
  /** Who bears it may read the figures; undefined = whoever asks this machine from itself, past no proxy. */
  metricsToken: string | undefined;
  /** What the edge listens on. */
  host: string;
}

const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "via"];

/**
 * GET /healthz answers while the process does; /readyz refuses with `not_ready` what should go to another instance;
 * /metrics is `not_found` to whoever may not read it.
 */
export function operationsRoutes(ctx: EdgeContext, parts: OperationsParts): Hono<AppEnv> {
  const { metrics, readiness } = parts;
  let told: string | null = null;
  return new Hono<AppEnv>()
    .get("/healthz", (c) => c.text("ok"))
    .get("/readyz", async (c) => {
      const detail = await readiness.refusal();
      // The answer tells strangers no reason, and a balancer asks every second: the log says it once.
      if (detail !== told && detail !== null) {
        // That it was told to stop is nothing to look at.
        const level = detail === "stopping" ? "info" : "warn";
        ctx.log[level]("not_ready", { detail, ...(detail === "database" ? ofDatabase(readiness) : {}) });
      }
      told = detail;
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
    return sameText(c.req.header("authorization") ?? "", `Bearer ${metricsToken}`);
  }
  const isForwarded = PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
  // A proxy that adds no header still asks for the name that people use.
  const asked = URL.parse(c.req.url)?.hostname ?? "";
  const isForUs = isLoopbackName(host) && isLoopbackName(asked);
  return isForUs && !isForwarded && isLoopback(peerAddress(c));
}

/** In a time that tells nothing of either. */
function sameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(a, b);
}
