import { queryOptions } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";
import { hasSessionHint } from "./session_hint.ts";

/**
 * The session's user with quota, or null. Without the hint cookie no request is sent: a 401 would appear in the
 * log.
 */
export const currentUserQuery = queryOptions({
  queryKey: ["/api/auth/me"],
  queryFn: async (context): Promise<User | null> => {
    // For a logged-in user a 401 means the end of the session; the cache accepts it after a second one.
    if (context.client.getQueryData(context.queryKey)) return await readByKey<User>()(context);
    return hasSessionHint() ? await readByKey<User>({ on401: "null" })(context) : null;
  },
});
