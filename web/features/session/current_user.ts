import { queryOptions } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";
import { hasSessionHint } from "./session_hint.ts";

/** The user of this session with quota, or null. Without the hint cookie nobody is asked: a 401 would be logged. */
export const currentUserQuery = queryOptions({
  queryKey: ["/api/auth/me"],
  queryFn: async (context): Promise<User | null> => {
    // Of whoever was logged in a 401 is no answer but an end, which the cache believes when told twice.
    if (context.client.getQueryData(context.queryKey)) return await readByKey<User>()(context);
    return hasSessionHint() ? await readByKey<User>({ on401: "null" })(context) : null;
  },
});
