import { useQuery } from "@tanstack/react-query";
import { ArrowRight, CircleCheck, RefreshCw, SearchX, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { DeliveryState } from "shared/delivery.ts";
import type { Campaign } from "shared/http_api.ts";
import { CampaignActs } from "../features/campaigns/campaign_acts.tsx";
import { CampaignMark } from "../features/campaigns/campaign_mark.tsx";
import { CampaignNotices } from "../features/campaigns/campaign_notices.tsx";
import { campaignQuery, isMissing } from "../features/campaigns/get_campaign.ts";
import { isRunning } from "../features/campaigns/is_running.ts";
import { MessageBubble } from "../features/campaigns/message_bubble.tsx";
import { ProgressSheet } from "../features/campaigns/progress_sheet.tsx";
import { DeliveryTable } from "../features/deliveries/delivery_table.tsx";
import { ResolveDialog } from "../features/deliveries/resolve_dialog.tsx";
import { StateFilter } from "../features/deliveries/state_filter.tsx";
import { PATHS } from "../paths.ts";
import { CAMPAIGN } from "../text/campaign.ts";
import { DETAIL } from "../text/campaign_detail.ts";
import { resolveButton } from "../text/deliveries.ts";
import { errorText } from "../text/error_text.ts";
import { formatMoment } from "../text/format.ts";
import { SHELL } from "../text/shell.ts";
import { EmptyBox } from "../ui/empty_box.tsx";
import { Loading } from "../ui/loading.tsx";
import { Num } from "../ui/num.tsx";
import { usePageTitle } from "../ui/page_title.ts";
import { useNow } from "../ui/use_now.ts";
import { LiveNotice } from "./live_notice.tsx";
import { useSignedIn } from "./signed_in_context.ts";
import { SignedInHeader } from "./signed_in_header.tsx";

const CLOCK_STEP_MS = 60_000;

/** One campaign: how far it is, why it stands where it does, and every recipient with state and reason. */
export function Screen() {
  const { user } = useSignedIn();
  const id = Number(useParams().id);
  return (
    <>
      <SignedInHeader
        middle={
          <span className="hidden text-sm text-ink-2 sm:inline">
            {DETAIL.quota}{" "}
            <b className="text-neutral-content">
              <Num>{user.messageQuota ?? 0}</Num>
            </b>
          </span>
        }
      />
      <main className="mx-auto max-w-[1200px] px-4 py-6 sm:px-6">
        <Link to={PATHS.client} className="btn btn-ghost btn-sm -ms-3 mb-3">
          <ArrowRight className="size-4" />
          {DETAIL.back}
        </Link>
        <LiveNotice />
        {Number.isSafeInteger(id) ? <LoadedById key={id} id={id} /> : <Missing />}
      </main>
    </>
  );
}

function LoadedById({ id }: { id: number }) {
  const campaign = useQuery(campaignQuery(id));
  if (isMissing(campaign.error)) return <Missing />;
  if (campaign.data) return <Loaded campaign={campaign.data} />;
  if (!campaign.isError) return <Loading text={DETAIL.loading} />;
  return (
    <EmptyBox
      icon={TriangleAlert}
      title={DETAIL.failed}
      body={errorText(campaign.error, CAMPAIGN.fetchFailed)}
      action={
        <button
          type="button"
          className="btn btn-secondary btn-sm"
          onClick={() => void campaign.refetch()}
        >
          <RefreshCw className="size-4" />
          {SHELL.retry}
        </button>
      }
    />
  );
}

function Missing() {
  usePageTitle(DETAIL.missing);
  return (
    <div className="grid justify-items-center gap-2 py-20 text-center">
      <SearchX className="size-8 text-ink-3" />
      <h1 className="text-2xl font-extrabold">{DETAIL.missing}</h1>
      <p className="text-ink-2">{DETAIL.missingHint}</p>
    </div>
  );
}

function Loaded({ campaign }: { campaign: Campaign }) {
  usePageTitle(DETAIL.title(campaign.name));
  const { user } = useSignedIn();
  const [state, setState] = useState<DeliveryState>();
  const [resolving, setResolving] = useState<{ ids: number[] | "all"; count: number }>();
  const { counts, totalContacts } = campaign;

  function actionFor(code: string): ReactNode {
    if (code !== "unknown_deliveries" || counts.unknown === 0) return undefined;
    return (
      <button
        type="button"
        className="btn btn-sm btn-secondary"
        onClick={() => setResolving({ ids: "all", count: counts.unknown })}
      >
        {resolveButton(counts.unknown)}
      </button>
    );
  }

  return (
    <>
      <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="text-2xl font-extrabold tracking-tight wrap-anywhere sm:text-3xl">
              {campaign.name}
            </h1>
            <CampaignMark status={campaign.status} />
          </div>
          <Facts campaign={campaign} />
        </div>
        <CampaignActs campaign={campaign} />
      </div>
      {campaign.status === "completed" && (
        <div className="notice tone-ok mb-4" role="status">
          <CircleCheck />
          <b>{DETAIL.completed}</b>
        </div>
      )}
      <ProgressSheet campaign={campaign} quota={user.messageQuota ?? 0}>
        <StateFilter counts={counts} chosen={state} onChoose={setState} />
      </ProgressSheet>
      <CampaignNotices notices={campaign.notices} most={2} actionFor={({ code }) => actionFor(code)} />
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
        <section className="sheet p-5" aria-labelledby="msg-h">
          <h2 id="msg-h" className="mb-3 font-bold">{DETAIL.message}</h2>
          <div className="rounded-field bg-base-200 p-3">
            <MessageBubble
              message={campaign.message}
              image={campaign.imageUrl === null ? undefined : { url: campaign.imageUrl, label: DETAIL.image }}
            />
          </div>
        </section>
        <DeliveryTable
          campaignId={campaign.id}
          total={totalContacts}
          state={state}
          isMoving={isRunning(campaign.status)}
          onResolve={({ id }) => setResolving({ ids: [id], count: 1 })}
        />
      </div>
      {resolving && (
        <ResolveDialog
          campaignId={campaign.id}
          {...resolving}
          onClose={() => setResolving(undefined)}
        />
      )}
    </>
  );
}

function Facts({ campaign }: { campaign: Campaign }) {
  const now = useNow(CLOCK_STEP_MS);
  const facts = [
    campaign.totalContacts > 0 && DETAIL.contacts(campaign.totalContacts),
    campaign.startedAt === null
      ? DETAIL.createdAt(formatMoment(campaign.createdAt, now))
      : DETAIL.startedAt(formatMoment(campaign.startedAt, now)),
  ];
  return <p className="mt-1.5 text-sm text-ink-2">{facts.filter(Boolean).join(" · ")}</p>;
}
