/** Login and logout, and what a person may do to their own sessions. */
import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import {
  changePasswordRequestSchema,
  endSessionsRequestSchema,
  loginRequestSchema,
  sessionSchema,
  userSchema,
} from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { jsonAnswer, jsonBody, OPEN, refusals } from "../http/answers.ts";
import { clientAddress } from "../http/client_address.ts";
import { createRouter } from "../http/router.ts";
import { findUser } from "./find_user.ts";
import { changePassword } from "./change_password.ts";
import { endOtherSessions } from "./end_other_sessions.ts";
import { listSessions } from "./list_sessions.ts";
import { login, type LoginDoor } from "./login.ts";
import { requireUser } from "./require_user.ts";
import type { SessionCookie } from "./session_cookie.ts";
import { endSession } from "./sessions.ts";

const done = { description: "Done" };

/** Routes under /api/auth. */
export function authRoutes(ctx: EdgeContext, door: LoginDoor, cookie: SessionCookie) {
  return createRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/login",
        operationId: "logIn",
        summary: "Logs in, and gives the session's cookie",
        security: OPEN,
        request: { body: jsonBody(loginRequestSchema) },
        responses: {
          200: jsonAnswer(userSchema, "Logged in"),
          ...refusals(
            "invalid_input",
            "wrong_credentials",
            "second_factor_needed",
            "wrong_code",
            "first_password_over",
            "person_waits",
            "too_many_attempts",
          ),
        },
      }),
      async (c) => {
        const { user, sessionId } = await login(ctx, door, {
          ...c.req.valid("json"),
          address: clientAddress(c),
          userAgent: c.req.header("user-agent") ?? "",
        });
        const old = c.get("user");
        if (old) await endSession(ctx, old);
        cookie.set(c, sessionId);
        return c.json(user, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/logout",
        operationId: "logOut",
        summary: "Ends the caller's session, if there is one",
        security: OPEN,
        responses: { 204: done, ...refusals("foreign_origin") },
      }),
      async (c) => {
        const user = c.get("user");
        if (user) await endSession(ctx, user);
        cookie.clear(c);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/auth/me",
        operationId: "readMe",
        summary: "Who is logged in",
        middleware: requireUser(),
        responses: { 200: jsonAnswer(userSchema, "Who is logged in"), ...refusals("not_logged_in") },
      }),
      async (c) => c.json(await findUser(ctx, c.get("user").person), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/api/auth/password",
        operationId: "changePassword",
        summary: "Gives the caller another password, and ends their other sessions",
        middleware: requireUser(),
        request: { body: jsonBody(changePasswordRequestSchema) },
        responses: {
          204: done,
          ...refusals("invalid_input", "not_logged_in", "wrong_credentials", "too_many_attempts"),
        },
      }),
      async (c) => {
        const { currentPassword, newPassword } = c.req.valid("json");
        const sessionId = await changePassword(ctx, door, c.get("user"), {
          current: currentPassword,
          next: newPassword,
          address: clientAddress(c),
        });
        cookie.set(c, sessionId);
        return c.body(null, 204);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/api/auth/sessions",
        operationId: "listSessions",
        summary: "The caller's sessions",
        middleware: requireUser(),
        responses: {
          200: jsonAnswer(z.array(sessionSchema), "The caller's sessions"),
          ...refusals("not_logged_in"),
        },
      }),
      async (c) => c.json(await listSessions(ctx, c.get("user")), 200),
    )
    .openapi(
      createRoute({
        method: "delete",
        path: "/api/auth/sessions",
        operationId: "endOtherSessions",
        summary: "Ends the caller's other sessions",
        middleware: requireUser(),
        request: { body: jsonBody(endSessionsRequestSchema) },
        responses: {
          204: done,
          ...refusals("invalid_input", "not_logged_in", "wrong_credentials", "too_many_attempts"),
        },
      }),
      async (c) => {
        const proof = { ...c.req.valid("json"), address: clientAddress(c) };
        cookie.set(c, await endOtherSessions(ctx, door, c.get("user"), proof));
        return c.body(null, 204);
      },
    );
}
