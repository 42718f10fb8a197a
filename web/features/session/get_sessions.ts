import { queryOptions } from "@tanstack/react-query";
import type { Session } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The caller's open sessions, the newest first; read anew whenever the screen is opened. */
export const sessionsQuery = queryOptions({
  queryKey: ["/api/auth/sessions"],
  queryFn: readByKey<Session[]>(),
  staleTime: 0,
});
