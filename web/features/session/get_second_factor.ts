import { queryOptions } from "@tanstack/react-query";
import type { SecondFactor } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** State of the user's second factor; fetched again whenever the screen opens. */
export const secondFactorQuery = queryOptions({
  queryKey: ["/api/auth/second-factor"],
  queryFn: readByKey<SecondFactor>(),
  staleTime: 0,
});
