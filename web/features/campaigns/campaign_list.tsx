import { useQuery } from "@tanstack/react-query";
import { RefreshCw, Search, Send, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { CLIENT_HOME } from "../../text/client_home.ts";
import { errorText } from "../../text/error_text.ts";
import { CAMPAIGN } from "../../text/campaign.ts";
import { formatAge } from "../../text/format.ts";
import { SHELL } from "../../text/shell.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { useNow } from "../../ui/use_now.ts";
import { CampaignCard } from "./campaign_card.tsx";
import { campaignsQuery } from "./get_campaigns.ts";

const FIRST_SHOWN = 20;
const SEARCH_FROM = 10;
const AGE_STEP_MS = 1000;

interface CampaignListProps {
  quota: number;
  onAddContacts: (campaignId: number) => void;
  /** Leads to the form that creates the first campaign. */
  onCreateFirst: () => void;
}

/** 'הקמפיינים שלי': newest first, searched here, refreshed by events and every five seconds. */
export function CampaignList(props: CampaignListProps) {
  const campaigns = useQuery(campaignsQuery);
  const now = useNow(AGE_STEP_MS);
  return (
    <section aria-labelledby="mine-h">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 id="mine-h" tabIndex={-1} className="text-xl font-extrabold">{CLIENT_HOME.listTitle}</h2>
        {campaigns.data && (
          <span className="text-xs text-ink-3">
            {CLIENT_HOME.updated(formatAge(now - campaigns.dataUpdatedAt))}
          </span>
        )}
      </div>
      {campaigns.data
        ? <LoadedList {...props} campaigns={campaigns.data} now={now} />
        : campaigns.isError
        ? (
          <EmptyBox
            icon={TriangleAlert}
            title={CLIENT_HOME.failed}
            body={errorText(campaigns.error, CAMPAIGN.fetchListFailed)}
            action={
              <button
                type="button"
                className="btn btn-secondary btn-sm"
                onClick={() => void campaigns.refetch()}
              >
                <RefreshCw className="size-4" />
                {SHELL.retry}
              </button>
            }
          />
        )
        : <ListSkeleton />}
    </section>
  );
}

function LoadedList(
  { campaigns, quota, now, onAddContacts, onCreateFirst }: CampaignListProps & {
    campaigns: Campaign[];
    now: number;
  },
) {
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState(FIRST_SHOWN);
  if (campaigns.length === 0) {
    return (
      <EmptyBox
        icon={Send}
        title={CLIENT_HOME.empty}
        body={CLIENT_HOME.emptyTeaching}
        action={
          <button type="button" className="btn btn-secondary btn-sm" onClick={onCreateFirst}>
            {CLIENT_HOME.toFirst}
          </button>
        }
      />
    );
  }
  const wanted = query.trim();
  const found = campaigns.filter(({ name, message }) => name.includes(wanted) || message.includes(wanted));
  return (
    <>
      {campaigns.length >= SEARCH_FROM && (
        <label className="input mb-3 w-full">
          <Search className="size-4 text-ink-3" />
          <input
            type="search"
            aria-label={CLIENT_HOME.search}
            placeholder={CLIENT_HOME.search}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      )}
      {found.length === 0 && <p className="text-sm text-ink-2" role="status">{CLIENT_HOME.noMatch(wanted)}
      </p>}
      <ul className="flex flex-col gap-3">
        {found.slice(0, shown).map((campaign) => (
          <CampaignCard
            key={campaign.id}
            campaign={campaign}
            quota={quota}
            now={now}
            onAddContacts={onAddContacts}
          />
        ))}
      </ul>
      {found.length > shown && (
        <button
          type="button"
          className="btn btn-ghost mt-3 w-full border-base-300"
          onClick={() => setShown(shown + FIRST_SHOWN)}
        >
          {CLIENT_HOME.more}
        </button>
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-3" role="status" aria-label={CLIENT_HOME.loading}>
      {[1, 2, 3].map((card) => (
        <div key={card} className="sheet flex flex-col gap-3 p-5">
          <div className="flex items-center justify-between">
            <span className="skeleton h-5 w-40" />
            <span className="skeleton h-6 w-16" />
          </div>
          <span className="skeleton h-3 w-full" />
          <span className="skeleton h-2 w-full rounded-full" />
        </div>
      ))}
    </div>
  );
}
