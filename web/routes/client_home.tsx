import { useQuery } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import type { Campaign } from "shared/http_api.ts";
import { CampaignList } from "../features/campaigns/campaign_list.tsx";
import { campaignsQuery } from "../features/campaigns/get_campaigns.ts";
import { draftKey, readDraft } from "../features/campaigns/draft_store.ts";
import { isRunning } from "../features/campaigns/is_running.ts";
import { CLIENT_HOME, jumpSummary } from "../features/campaigns/text/client_home.ts";
import { WaitingSends } from "../features/campaigns/waiting_sends.tsx";
import { BEYOND_DUTY, DUTY_NAMES } from "../text/duties.ts";
import { useMayDo } from "../ui/may_do.ts";
import { Num } from "../ui/num.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { lazyPart } from "../ui/lazy_part.tsx";
import { useStoredDraft } from "../ui/use_stored_draft.ts";
import { NewCampaignCard } from "./new_campaign_card.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

// Early: it is needed when nothing loads any more.
const LiveNotice = lazyPart(async () => (await import("./live_notice.tsx")).LiveNotice, {
  isQuiet: true,
  isEarly: true,
});
const LedgerList = lazyPart(async () => (await import("../features/quota/ledger_list.tsx")).LedgerList);
const NoQuota = lazyPart(async () => (await import("../features/quota/no_quota.tsx")).NoQuota, {
  isQuiet: true,
});

const PausedWebhooks = lazyPart(
  async () => (await import("../features/webhooks/paused_webhooks.tsx")).PausedWebhooks,
  { isQuiet: true },
);

/** The client's home: create, load contacts, send, and follow campaigns. */
export function Screen() {
  usePageTitle(CLIENT_HOME.title);
  const { user } = useSignedIn();
  const quota = user.messageQuota ?? 0;
  const mayWrite = useMayDo("writer");
  const client = user.colleague?.client ?? user.id;
  const campaigns = useQuery(campaignsQuery);
  const [draft, changeDraft, elsewhere] = useStoredDraft(draftKey(user.id), readDraft);

  function openCard(campaignId?: number) {
    if (campaignId !== undefined) changeDraft({ campaignId });
    const heading = document.getElementById("new-h");
    heading?.scrollIntoView({ block: "start" });
    heading?.focus();
  }

  return (
    <>
      <SignedInHeader>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-5 pb-7">
          <div className="min-w-0">
            <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">
              {CLIENT_HOME.greeting(user.username)}
            </h1>
            <p className="mt-1.5 text-ink-2 wrap-anywhere">
              {user.colleague
                ? BEYOND_DUTY.inAccount(user.colleague.clientName, DUTY_NAMES[user.colleague.duty])
                : CLIENT_HOME.subtitle}
            </p>
          </div>
          <div className="flex flex-wrap items-end gap-5">
            <div className="text-5xl font-extrabold tracking-tight">
              <Num>{quota}</Num>
            </div>
            <div className="pb-1 leading-snug">
              <div className="font-bold">{CLIENT_HOME.available}</div>
              <a href="#led-h" className="text-sm text-ink-2 underline decoration-1 underline-offset-4">
                {CLIENT_HOME.quotaHistory}
              </a>
            </div>
          </div>
          <JumpBar campaigns={campaigns.data} />
        </div>
      </SignedInHeader>
      <main className="mx-auto max-w-[1200px] px-4 py-8 sm:px-6">
        <LiveNotice query={campaigns} />
        {!user.colleague && user.role === "client" && <PausedWebhooks />}
        <WaitingSends campaigns={campaigns.data} />
        <div
          className={`grid items-start gap-8 ${
            mayWrite ? "lg:grid-cols-[27.5rem_1fr] lg:grid-rows-[auto_1fr]" : ""
          }`}
        >
          <div className="min-w-0 empty:hidden">
            {quota === 0 && <NoQuota userId={client} />}
            {mayWrite && (
              <NewCampaignCard
                userId={user.id}
                quota={quota}
                draft={draft}
                changeDraft={changeDraft}
                elsewhere={elsewhere}
              />
            )}
          </div>
          <div className="min-w-0 lg:row-span-2">
            <CampaignList quota={quota} onAddContacts={openCard} onCreateFirst={() => openCard()} />
          </div>
          {/* Beside the list on a wide screen: under it, a long list would put it out of reach. */}
          <LedgerList userId={client} />
        </div>
      </main>
    </>
  );
}

/** A link to the list with a one-line summary; on a phone the list is below the card. */
function JumpBar({ campaigns }: { campaigns: Campaign[] | undefined }) {
  if (!campaigns || campaigns.length === 0) return null;
  const running = campaigns.filter(({ status }) => isRunning(status)).length;
  const paused = campaigns.filter(({ status }) => status === "paused").length;
  return (
    <a href="#mine-h" className="btn deck-line w-full justify-between sm:hidden">
      <span>{CLIENT_HOME.jump(jumpSummary(running, paused, campaigns.length))}</span>
      <ArrowDown className="size-4" />
    </a>
  );
}
