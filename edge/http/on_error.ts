/** Anything thrown → `{ error, code }`; what nobody foresaw is logged under the request's id and told as 500. */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ERROR_CODES, ERROR_STATUS } from "shared/error_code.ts";
import type { Log } from "../log.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";

/** Makes the application's one error handler. */
export function onError(log: Log) {
  return (error: Error, c: Context<AppEnv>): Response => {
    const known = toHttpError(error);
    const at = { requestId: c.get("requestId"), method: c.req.method, path: c.req.path.slice(0, 200) };
    if (known) log.debug("request_refused", { ...at, code: known.code, detail: known.message.slice(0, 300) });
    else log.error("request_failed", { ...at, error: String(error), stack: error.stack ?? "" });
    const answer = known ?? new HttpError("internal");
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "content-type": "application/json; charset=UTF-8", ...answer.headers },
    });
  };
}

function toHttpError(error: Error): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof HTTPException) || error.status >= 500) return undefined;
  const code = ERROR_CODES.find((code) => ERROR_STATUS[code] === error.status) ?? "invalid_input";
  return new HttpError(code, { detail: error.message, cause: error });
}
