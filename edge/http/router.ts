/** The router of every resource: the same environment, and the same response to a body that fails its schema. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Role } from "shared/http_api.ts";
import { HttpError } from "./http_error.ts";

/** The caller, as the session shows at this request. */
export interface SessionUser {
  id: number;
  username: string;
  role: Role;
  /** The duty on their own account that comes before anything else. */
  owes?: "new_password_required" | "second_factor_required";
  /** SHA-256 of the session cookie; names the session without revealing it. */
  sessionHash: string;
}

export interface AppEnv {
  Variables: {
    /** Set after requireUser() and requireAdmin(). */
    user: SessionUser;
  };
}

/** Returns a router whose schema failures are `invalid_input` with the first wrong field. */
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
