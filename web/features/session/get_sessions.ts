import { queryOptions } from "@tanstack/react-query";
import type { Session } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The user's open sessions, newest first; fetched again whenever the screen opens. */
export const sessionsQuery = queryOptions({
  queryKey: ["/api/auth/sessions"],
  queryFn: readByKey<Session[]>(),
  staleTime: 0,
});
