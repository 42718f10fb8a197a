import { queryOptions } from "@tanstack/react-query";
import type { UserEffect } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The effect of disabling a user or of a new password; fetched again for every dialog. */
export function userEffectQuery(userId: number) {
  return queryOptions({
    queryKey: ["/api/admin/users", userId],
    queryFn: readByKey<UserEffect>(),
    staleTime: 0,
    gcTime: 0,
  });
}
