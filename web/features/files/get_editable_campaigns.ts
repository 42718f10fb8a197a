import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AdminCampaignPage } from "shared/admin_api.ts";
import { apiJson } from "../../api_client.ts";

/** Campaigns that contacts may still be added to, whose name or client holds `q`; the newest fifty. */
export function editableCampaignsQuery(q: string) {
  const search = new URLSearchParams({ status: "editable" });
  if (q) search.set("q", q);
  return queryOptions({
    queryKey: ["/api/admin/campaigns", "editable", q],
    queryFn: ({ signal }) => apiJson<AdminCampaignPage>("GET", `/api/admin/campaigns?${search}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
