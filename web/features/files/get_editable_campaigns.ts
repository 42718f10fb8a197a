import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AdminCampaignPage } from "shared/admin_api.ts";
import { readPage } from "../../data/read_page.ts";

/** The newest fifty editable campaigns with `q` in the name of campaign or client. */
export function editableCampaignsQuery(q: string) {
  return queryOptions({
    queryKey: ["/api/admin/campaigns", "editable", q],
    queryFn: ({ signal }) =>
      readPage<AdminCampaignPage>("/api/admin/campaigns", { status: "editable", q }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
