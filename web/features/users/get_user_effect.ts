import { queryOptions } from "@tanstack/react-query";
import type { UserEffect } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** What disabling a user, or giving it a new password, would touch; asked anew for every question. */
export function userEffectQuery(userId: number) {
  return queryOptions({
    queryKey: ["/api/admin/users", userId],
    queryFn: readByKey<UserEffect>(),
    staleTime: 0,
    gcTime: 0,
  });
}
