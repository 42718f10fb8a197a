/** Anything thrown → `{ error, code }`; what nobody foresaw is logged under the request's id and told as 500. */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from "shared/error_code.ts";
import { isBusy } from "../db/sqlite_error.ts";
import type { Log } from "../log.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";

/** Somebody tried what they may not: a browser of ours asks for neither. */
const ABOUT_RIGHTS: ReadonlySet<ErrorCode> = new Set(["not_allowed", "foreign_origin"] as const);

/** Makes the application's one error handler. A database that another program holds is worth another try: 503. */
export function onError(log: Log) {
  return (error: Error, c: Context<AppEnv>): Response => {
    const known = toHttpError(error);
    const at = { method: c.req.method, path: c.req.path.slice(0, 200) };
    if (known) {
      const level = ABOUT_RIGHTS.has(known.code) ? "info" : "debug";
      log[level]("request_refused", { ...at, code: known.code, detail: known.message.slice(0, 300) });
    } else log.error("request_failed", { ...at, error: String(error), stack: error.stack ?? "" });
    const answer = known ?? new HttpError("internal");
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "content-type": "application/json; charset=UTF-8", ...answer.headers },
    });
  };
}

const BUSY_TEXT = "המערכת עמוסה כרגע, ודבר לא נעשה. אפשר לנסות שוב בעוד רגע.";

function toHttpError(error: Error): HttpError | undefined {
  if (error instanceof HttpError) return error;
  // Drizzle wraps what the client threw.
  if (isBusy(error) || isBusy(error.cause)) {
    return new HttpError("not_ready", { text: BUSY_TEXT, cause: error, headers: { "retry-after": "2" } });
  }
  if (!(error instanceof HTTPException) || error.status >= 500) return undefined;
  const code = ERROR_CODES.find((code) => ERROR_STATUS[code] === error.status) ?? "invalid_input";
  return new HttpError(code, { detail: error.message, cause: error });
}
