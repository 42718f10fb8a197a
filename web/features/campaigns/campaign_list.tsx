import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import type { Campaign } from "shared/http_api.ts";
import { CLIENT_HOME } from "./text/client_home.ts";
import { CAMPAIGN } from "./text/campaign.ts";
import { formatAge } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { useNow } from "../../ui/use_now.ts";
import { CampaignCard } from "./campaign_card.tsx";
import { findCampaigns, movingFirst, type Wanted } from "./find_campaigns.ts";
import { campaignsQuery, LIST_LENGTH } from "./get_campaigns.ts";

const ListTools = lazyPart(async () => (await import("./list_tools.tsx")).ListTools, { isQuiet: true });
const OlderCampaigns = lazyPart(async () => (await import("./older_campaigns.tsx")).OlderCampaigns);

const FIRST_SHOWN = 20;
/** With fewer campaigns everything is in sight. */
const TOOLS_FROM = 5;
const AGE_STEP_MS = 1000;

interface CampaignListProps {
  quota: number;
  onAddContacts: (campaignId: number) => void;
  /** Opens the form for the first campaign. */
  onCreateFirst: () => void;
}

/**
 * 'הקמפיינים שלי': what moves first, then the newest, with a local search and filter; updated by events and every five
 * seconds.
 */
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
          <FailedBox
            title={CLIENT_HOME.failed}
            error={campaigns.error}
            fallback={CAMPAIGN.fetchListFailed}
            onRetry={campaigns.refetch}
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
  const [group, setGroup] = useState<Wanted["group"]>("");
  const [shown, setShown] = useState(FIRST_SHOWN);
  const [isOlder, setOlder] = useState(false);
  const mayWrite = useMayDo("writer");
  if (campaigns.length === 0) {
    return (
      <EmptyBox
        icon={Send}
        title={CLIENT_HOME.empty}
        body={CLIENT_HOME.emptyTeaching}
        action={mayWrite && (
          <button type="button" className="btn btn-secondary btn-sm" onClick={onCreateFirst}>
            {CLIENT_HOME.toFirst}
          </button>
        )}
      />
    );
  }
  const wanted = { text: query.trim(), group };
  const found = movingFirst(findCampaigns(campaigns, wanted));
  const hasOlder = campaigns.length === LIST_LENGTH;
  const card = { quota, now, onAddContacts };
  return (
    <>
      {campaigns.length >= TOOLS_FROM && (
        <ListTools campaigns={campaigns} query={query} onQuery={setQuery} group={group} onGroup={setGroup} />
      )}
      {found.length === 0 && (
        <p className="text-sm text-ink-2" role="status">
          {hasOlder && wanted.text
            ? CLIENT_HOME.noMatchInNewest(wanted.text, LIST_LENGTH)
            : CLIENT_HOME.noMatch(wanted.text)}
        </p>
      )}
      <ul className="sheet divide-y divide-base-300 overflow-hidden empty:hidden">
        {found.slice(0, shown).map((campaign) => (
          <CampaignCard key={campaign.id} campaign={campaign} {...card} />
        ))}
      </ul>
      {found.length > shown
        ? <MoreButton text={CLIENT_HOME.more} onClick={() => setShown(shown + FIRST_SHOWN)} />
        : hasOlder && !isOlder
        ? <MoreButton text={CLIENT_HOME.older} onClick={() => setOlder(true)} />
        : isOlder && (
          <OlderCampaigns
            key={campaigns.at(-1)!.id}
            before={campaigns.at(-1)!.id}
            wanted={wanted}
            {...card}
          />
        )}
    </>
  );
}

function MoreButton({ text, onClick }: { text: string; onClick: () => void }) {
  return (
    <button type="button" className="btn btn-ghost mt-3 w-full border-base-300" onClick={onClick}>
      {text}
    </button>
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
