import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AdminCampaignDetail, AdminCampaignPage } from "shared/admin_api.ts";
import { pathOfKey, readByKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";
import { isMissing } from "./get_campaign.ts";
import { pollCampaigns } from "./get_campaigns.ts";

export interface AdminCampaignFilter {
  /** A status or a group of them; empty for all. */
  status: string;
  /** Part of the campaign's or of the client's name. */
  q: string;
}

/** What a server that knows of no exception from the hours leaves out: none is offered. */
const AS_BEFORE: Pick<AdminCampaignDetail, "hours"> = { hours: { kept: false, waived: null } };
const readCampaign = readByKey<AdminCampaignDetail>();
const KEY = ["/api/admin/campaigns"];
const PAGE_SIZE = 200;
/** With more pages than this the poll, which asks for each of them, is left to the live events. */
const MOST_POLLED_PAGES = 4;

/** The campaigns of all clients, newest first, page by page. */
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
 * One client's campaign as administrators see it, asked again while it is on the screen, unless there is none. While an
 * update is under way the server may be older than this screen.
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
