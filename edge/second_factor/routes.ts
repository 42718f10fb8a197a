/** A person's own second factor: its state, on, off, and new recovery codes. */
import { createRoute } from "@hono/zod-openapi";
import {
  beginSecondFactorRequestSchema,
  begunSecondFactorSchema,
  bothFactorsRequestSchema,
  confirmSecondFactorRequestSchema,
  recoveryCodesSchema,
  secondFactorSchema,
} from "shared/http_api.ts";
import type { LoginDoor } from "../auth/login.ts";
import { requireUser } from "../auth/require_user.ts";
import type { SessionCookie } from "../auth/session_cookie.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { createRouter } from "../http/router.ts";
import { beginSecondFactor } from "./begin.ts";
import { confirmSecondFactor } from "./confirm.ts";
import { readSecondFactor } from "./read_factor.ts";
import { renewRecoveryCodes } from "./renew_codes.ts";
import { turnOffSecondFactor } from "./turn_off.ts";

const REFUSALS = refusals(
  "invalid_input",
  "not_logged_in",
  "wrong_credentials",
  "wrong_code",
  "second_factor_state",
  "too_many_attempts",
);

/** Routes under /api/auth/second-factor. */
export function secondFactorRoutes(ctx: EdgeContext, door: LoginDoor, cookie: SessionCookie) {
  return createRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/api/auth/second-factor",
        operationId: "readSecondFactor",
        summary: "Whether the caller has a second factor",
        middleware: requireUser(),
        responses: {
          200: jsonAnswer(secondFactorSchema, "How the caller's second factor stands"),
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => c.json(await readSecondFactor(ctx, c.get("user").person), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/second-factor",
        operationId: "beginSecondFactor",
        summary: "Makes a secret for the caller's application; nothing is asked for before it is confirmed",
        middleware: requireUser(),
        request: { body: jsonBody(beginSecondFactorRequestSchema) },
        responses: { 200: jsonAnswer(begunSecondFactorSchema, "The secret, this once"), ...REFUSALS },
      }),
      async (c) => {
        const proof = { ...c.req.valid("json"), address: clientAddress(c) };
        return c.json(await beginSecondFactor(ctx, door, c.get("user"), proof), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/second-factor/confirm",
        operationId: "confirmSecondFactor",
        summary: "Turns it on by a first code, and ends the caller's other sessions",
        middleware: requireUser(),
        request: { body: jsonBody(confirmSecondFactorRequestSchema) },
        responses: { 200: jsonAnswer(recoveryCodesSchema, "Recovery codes, this once"), ...REFUSALS },
      }),
      async (c) => {
        const given = { ...c.req.valid("json"), address: clientAddress(c) };
        const { recoveryCodes, sessionId } = await confirmSecondFactor(ctx, door, c.get("user"), given);
        cookie.set(c, sessionId);
        return c.json({ recoveryCodes }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/second-factor/codes",
        operationId: "renewRecoveryCodes",
        summary: "Other recovery codes in place of all before",
        middleware: requireUser(),
        request: { body: jsonBody(bothFactorsRequestSchema) },
        responses: { 200: jsonAnswer(recoveryCodesSchema, "Recovery codes, this once"), ...REFUSALS },
      }),
      async (c) => {
        const proof = { ...c.req.valid("json"), address: clientAddress(c) };
        return c.json({ recoveryCodes: await renewRecoveryCodes(ctx, door, c.get("user"), proof) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/auth/second-factor",
        operationId: "removeSecondFactor",
        summary: "Turns it off, and ends the caller's other sessions",
        middleware: requireUser(),
        request: { body: jsonBody(bothFactorsRequestSchema) },
        responses: { 204: { description: "Done" }, ...REFUSALS },
      }),
      async (c) => {
        const proof = { ...c.req.valid("json"), address: clientAddress(c) };
        cookie.set(c, await turnOffSecondFactor(ctx, door, c.get("user"), proof));
        return c.body(null, 204);
      },
    );
}
