import { queryOptions } from "@tanstack/react-query";
import type { WaitingApprovals } from "shared/approval_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** What waits for an administrator's decision. Events refresh it. */
export const approvalsQuery = queryOptions({
  queryKey: ["/api/admin/approvals"],
  queryFn: readByKey<WaitingApprovals>(),
});
