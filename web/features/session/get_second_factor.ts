import { queryOptions } from "@tanstack/react-query";
import type { SecondFactor } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** How the caller's second factor stands; read anew whenever the screen is opened. */
export const secondFactorQuery = queryOptions({
  queryKey: ["/api/auth/second-factor"],
  queryFn: readByKey<SecondFactor>(),
  staleTime: 0,
});
