import { queryOptions } from "@tanstack/react-query";
import type { ApiKeys } from "shared/keys_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The API keys of the viewer's account. */
export const keysQuery = queryOptions({
  queryKey: ["/api/keys"],
  queryFn: readByKey<ApiKeys>(),
  staleTime: 0,
});
