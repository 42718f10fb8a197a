import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { Campaign } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { CAMPAIGN } from "./text/campaign.ts";
import { CLIENT_HOME } from "./text/client_home.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CampaignCard, type CampaignCardProps } from "./campaign_card.tsx";
import { findCampaigns, type Wanted } from "./find_campaigns.ts";
import { campaignsQuery, LIST_LENGTH } from "./get_campaigns.ts";

interface OlderCampaignsProps extends Omit<CampaignCardProps, "campaign"> {
  /** Id of the oldest campaign in the list above. */
  before: number;
  wanted: Wanted;
}

/** Campaigns older than the list above, page by page, fetched only when a person asks for them. */
export function OlderCampaigns({ before, wanted, ...card }: OlderCampaignsProps) {
  const older = useInfiniteQuery(olderQuery(before));
  if (older.isPending) return <Skeleton text={CLIENT_HOME.loading} />;
  if (!older.data) {
    return (
      <FailedBox
        title={CLIENT_HOME.failed}
        error={older.error}
        fallback={CAMPAIGN.fetchListFailed}
        onRetry={older.refetch}
      />
    );
  }
  return (
    <>
      <ul className="sheet mt-3 divide-y divide-base-300 overflow-hidden empty:hidden">
        {findCampaigns(older.data.pages.flat(), wanted).map((campaign) => (
          <CampaignCard key={campaign.id} campaign={campaign} {...card} />
        ))}
      </ul>
      {older.hasNextPage && (
        <BusyButton
          className="btn-ghost mt-3 w-full border-base-300"
          busy={older.isFetchingNextPage}
          busyText={CLIENT_HOME.loading}
          onClick={() => void older.fetchNextPage()}
        >
          {CLIENT_HOME.older}
        </BusyButton>
      )}
    </>
  );
}

function olderQuery(before: number) {
  return infiniteQueryOptions({
    queryKey: [...campaignsQuery.queryKey, { before }],
    queryFn: ({ pageParam, signal }) =>
      apiJson<Campaign[]>("GET", `/api/campaigns?before=${pageParam}`, { signal }),
    initialPageParam: before,
    getNextPageParam: (page) => page.length < LIST_LENGTH ? null : page.at(-1)!.id,
  });
}
