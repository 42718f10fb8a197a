/** Gives reads priority: long work yields to them between two of its pieces. */
import type { MiddlewareHandler } from "hono";
import { whileReading } from "../time/turn_loop.ts";
import type { AppEnv } from "./router.ts";

const READS = new Set(["GET", "HEAD"]);

/** Counts reads under way. A spreadsheet file is itself long work; a search is a read with its words in the body. */
export function readsFirst(): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { method, path } = c.req;
    const isRead = READS.has(method) ? !/\.(csv|xlsx)$/.test(path) : path.endsWith("/search");
    return isRead ? whileReading(next) : next();
  };
}
