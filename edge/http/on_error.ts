/**
 * Turns a thrown error into `{ error, code }`. An unexpected one is logged under the request's id and returned as 500.
 */
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ERROR_CODES, ERROR_STATUS } from "shared/error_code.ts";
import type { EdgeContext } from "../context.ts";
import { isBusy } from "../db/sqlite_error.ts";
import { errorFields } from "../error_fields.ts";
import { isAttempt, type SawAttempt } from "./attempts.ts";
import { clientAddress } from "./client_address.ts";
import { isForeignObject } from "./foreign_object.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";
import { sampleRefusals } from "./sample_refusals.ts";
import { loggedPath } from "./logged_path.ts";

/**
 * Returns the application's one error handler, which also reports refusals that may be attempts. A database locked by
 * another program gives 503: another try may succeed.
 */
export function onError(
  ctx: Pick<EdgeContext, "db" | "log"> & Partial<Pick<EdgeContext, "now">>,
  sawAttempt: SawAttempt = () => {},
) {
  const logRefusal = sampleRefusals(ctx, ctx.now ?? Date.now);
  return async (error: Error, c: Context<AppEnv>): Promise<Response> => {
    const known = toHttpError(error);
    const at = { method: c.req.method, path: loggedPath(c.req.path) };
    if (known) {
      const { code } = known;
      logRefusal(code, { ...at, detail: known.message.slice(0, 300) });
      if (isAttempt(code)) {
        const user = c.get("user");
        const isForeign = code === "not_found" && user && await isForeignObject(ctx, user, c.req.path);
        const who = { user: user?.person, address: clientAddress(c) };
        sawAttempt({ code: isForeign ? "foreign_object" : code, ...who, ...at });
      }
    } else ctx.log.error("request_failed", { ...at, ...errorFields(error), stack: error.stack ?? "" });
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
  if (isBusy(error)) {
    return new HttpError("not_ready", { text: BUSY_TEXT, cause: error, headers: { "retry-after": "2" } });
  }
  if (!(error instanceof HTTPException) || error.status >= 500) return undefined;
  const code = ERROR_CODES.find((code) => ERROR_STATUS[code] === error.status) ?? "invalid_input";
  return new HttpError(code, { detail: error.message, cause: error });
}
