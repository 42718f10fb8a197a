import { queryOptions } from "@tanstack/react-query";
import type { Profile } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The user's advertiser profile; fetched whenever a part that shows it opens. */
export const profileQuery = queryOptions({
  queryKey: ["/api/profile"],
  queryFn: readByKey<Profile>(),
  staleTime: 0,
});
