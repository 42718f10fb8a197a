/** Reads are answered first: long work between two of its pieces gives way to them. */
import type { MiddlewareHandler } from "hono";
import { whileReading } from "../time/turn_loop.ts";
import type { AppEnv } from "./router.ts";

const READS = new Set(["GET", "HEAD"]);

/** Counts reads under way. A file for a spreadsheet is long work itself; a search is a read whose words are in its body. */
export function readsFirst(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { method, path } = c.req;
    const isRead = READS.has(method) ? !path.endsWith(".csv") : path.endsWith("/search");
    return isRead ? whileReading(next) : next();
  };
}
