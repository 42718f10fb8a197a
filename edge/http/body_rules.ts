/** How large a body may be, and that it is JSON, before anything reads it. */
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HttpError } from "./http_error.ts";

const KIB = 1024;
export const JSON_MAX_BYTES = 64 * KIB;
/** Ten megabytes of pasted numbers, and the JSON around them. */
export const MANUAL_NUMBERS_MAX_BYTES = 10 * KIB * KIB + 64 * KIB;

const MANUAL_NUMBERS = /^\/api\/campaigns\/[^/]+\/contacts\/manual$/;
/** Multipart routes: their reader counts as it streams. */
const MULTIPART = /^\/api\/(campaigns|campaigns\/[^/]+\/contacts|admin\/files)$/;

const limitJson = limit(JSON_MAX_BYTES);
const limitManualNumbers = limit(MANUAL_NUMBERS_MAX_BYTES);

/** Refuses `body_too_large` and, for a body that isn't JSON, `unsupported_media`. */
export function bodyRules(): MiddlewareHandler {
  return (c, next) => {
    const { path, method } = c.req;
    if (c.req.raw.body === null || (method === "POST" && MULTIPART.test(path))) return next();
    const isEmpty = c.req.header("content-length") === "0";
    if (!isEmpty && !/^application\/json\s*(;|$)/i.test(c.req.header("content-type") ?? "")) {
      throw new HttpError("unsupported_media", { text: "הבקשה צריכה להיות JSON." });
    }
    return (MANUAL_NUMBERS.test(path) ? limitManualNumbers : limitJson)(c, next);
  };
}

function limit(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new HttpError("body_too_large", { text: "הבקשה גדולה מדי." });
    },
  });
}
