import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AdminCampaignDetail, AdminCampaignPage } from "shared/admin_api.ts";
import { pathOfKey, readByKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";
import { isMissing } from "./get_campaign.ts";
import { pollCampaigns } from "./get_campaigns.ts";

export interface AdminCampaignFilter {
  /** A status or a group of statuses; empty for all. */
  status: string;
  /** Part of the campaign's or of the client's name. */
  q: string;
}

/** Default for an older server without `hours`: no exception is offered. */
const AS_BEFORE: Pick<AdminCampaignDetail, "hours"> = { hours: { kept: false, waived: null } };
const readCampaign = readByKey<AdminCampaignDetail>();
const KEY = ["/api/admin/campaigns"];
const PAGE_SIZE = 200;
/** With more pages than this only live events update the list, because a poll fetches every page. */
const MOST_POLLED_PAGES = 4;

/** All clients' campaigns, newest first, page by page. */
export function adminCampaignsQuery({ status, q }: AdminCampaignFilter) {
  return infiniteQueryOptions({
    queryKey: [...KEY, { status, q }],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<AdminCampaignPage>(pathOfKey(KEY), { limit: PAGE_SIZE, status, q, cursor }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: (query) =>
      (query.state.data?.pages.length ?? 0) > MOST_POLLED_PAGES ? false : pollCampaigns(query),
  });
}

/**
 * One client's campaign for administrators, polled while it is on the screen unless it does not exist. During an
 * update the server may be older than this screen.
 */
export function adminCampaignQuery(id: number) {
  return queryOptions({
    queryKey: [...KEY, id],
    queryFn: async (context): Promise<AdminCampaignDetail> => ({
      ...AS_BEFORE,
      ...await readCampaign(context),
    }),
    refetchInterval: (query) => isMissing(query.state.error) ? false : pollCampaigns(query),
  });
}
