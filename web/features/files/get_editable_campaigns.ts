import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AdminCampaignPage } from "shared/admin_api.ts";
import { readPage } from "../../data/read_page.ts";

/** Campaigns that contacts may still be added to, whose name or client holds `q`; the newest fifty. */
export function editableCampaignsQuery(q: string) {
  return queryOptions({
    queryKey: ["/api/admin/campaigns", "editable", q],
    queryFn: ({ signal }) =>
      readPage<AdminCampaignPage>("/api/admin/campaigns", { status: "editable", q }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
