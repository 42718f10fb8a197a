/** The router every resource builds on: same environment, same answer to a body that fails its schema. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Role } from "shared/http_api.ts";
import { HttpError } from "./http_error.ts";

/** Who asks, as the session says at this request. */
export interface SessionUser {
  id: number;
  username: string;
  role: Role;
  /** What they have to do to their own account before anything else. */
  owes?: "new_password_required" | "second_factor_required";
  /** SHA-256 of the session cookie; names the session without being it. */
  sessionHash: string;
}

export interface AppEnv {
  Variables: {
    /** Present behind requireUser() and requireAdmin(). */
    user: SessionUser;
  };
}

/** Makes a router whose schema failures are `invalid_input` with the first field at fault. */
export function createRouter(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const issue = result.error.issues[0];
      throw new HttpError("invalid_input", {
        detail: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
      });
    },
  });
}
