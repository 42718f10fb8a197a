/** The router of every resource: the same environment, and the same response to a body that fails its schema. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Duty } from "shared/duty.ts";
import type { Role } from "shared/http_api.ts";
import { HttpError } from "./http_error.ts";

/**
 * The caller, as the session or the API key shows at this request. Rows and money go by `client`; the audit log, sessions and bounds go
 * by `person`.
 */
export interface Caller {
  /** The account that the person works for; an administrator's is their own. */
  client: number;
  /** The person's own id in `users`. */
  person: number;
  username: string;
  role: Role;
  /** What the person may do in the account; an administrator is the owner of their own. */
  duty: Duty;
  /** What must be done on their own account before anything else. */
  owes?: "new_password_required" | "second_factor_required";
  /** SHA-256 of the session cookie, or of the key with a mark; names it without revealing it. */
  sessionHash: string;
  /** Set when an API key calls, and no session. */
  key?: {
    id: number;
    /** Whether it is a test key, which reaches no phone. */
    isTest: boolean;
  };
}

export interface AppEnv {
  Variables: {
    /** The caller. Set after requireUser() and requireAdmin(). */
    user: Caller;
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
