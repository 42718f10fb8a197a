import { useQuery } from "@tanstack/react-query";
import { ArrowRight, ChartNoAxesColumn, CircleCheck } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { AdminCampaignDetail } from "shared/admin_api.ts";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { CampaignActs } from "../../features/campaigns/campaign_acts.tsx";
import { CampaignMark } from "../../features/campaigns/campaign_mark.tsx";
import { CampaignNotices } from "../../features/campaigns/campaign_notices.tsx";
import { HoursWaiver } from "../../features/campaigns/hours_waiver.tsx";
import { KindMark } from "../../features/campaigns/kind_mark.tsx";
import { adminCampaignQuery } from "../../features/campaigns/get_admin_campaigns.ts";
import { isPersonalMessage } from "../../features/campaigns/get_personal.ts";
import { isMissing } from "../../features/campaigns/get_campaign.ts";
import { isRunning } from "../../features/campaigns/is_running.ts";
import { MessageBubble } from "../../features/campaigns/message_bubble.tsx";
import { ProgressSheet } from "../../features/campaigns/progress_sheet.tsx";
import { DeliveryTable } from "../../features/deliveries/delivery_table.tsx";
import { NumbersView } from "../../features/deliveries/numbers_view.tsx";
import { StateFilter } from "../../features/deliveries/state_filter.tsx";
import { ADMIN_CAMPAIGNS, adminNoticeText } from "../../features/campaigns/text/admin_campaigns.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { CAMPAIGN } from "../../features/campaigns/text/campaign.ts";
import { DETAIL } from "../../text/campaign_detail.ts";
import { formatMoment } from "../../text/format.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { Loading } from "../../ui/loading.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const PersonalPreview = lazyPart(
  async () => (await import("../../features/campaigns/personal_preview.tsx")).PersonalPreview,
);
const TextsResults = lazyPart(
  async () => (await import("../../features/campaigns/texts_results.tsx")).TextsResults,
);
const MINUTE_MS = 60_000;

/** A client's campaign for an administrator: view, pause, resume and cancel. Only the client can send it. */
export function Screen() {
  const id = Number(useParams().id);
  return (
    <>
      <Link to={ADMIN_PATHS.campaigns} className="btn btn-ghost btn-sm -ms-3 mb-3">
        <ArrowRight className="size-4" />
        {ADMIN_CAMPAIGNS.back}
      </Link>
      {Number.isSafeInteger(id) ? <LoadedById key={id} id={id} /> : <Missing />}
    </>
  );
}

function LoadedById({ id }: { id: number }) {
  const campaign = useQuery(adminCampaignQuery(id));
  if (isMissing(campaign.error)) return <Missing />;
  if (campaign.data) return <Loaded campaign={campaign.data} />;
  if (!campaign.isError) return <Loading text={DETAIL.loading} />;
  return (
    <FailedBox
      title={DETAIL.failed}
      error={campaign.error}
      fallback={CAMPAIGN.fetchFailed}
      onRetry={campaign.refetch}
    />
  );
}

function Missing() {
  usePageTitle(ADMIN_CAMPAIGNS.missing);
  return <PageHead heading={ADMIN_CAMPAIGNS.missing}>{ADMIN_CAMPAIGNS.missingHint}</PageHead>;
}

function Loaded({ campaign }: { campaign: AdminCampaignDetail }) {
  usePageTitle(ADMIN_SHELL.title(campaign.name));
  const now = useNow(MINUTE_MS);
  const [state, setState] = useState<DeliveryState>();
  const { counts, totalContacts, startedAt, createdAt } = campaign;
  // HoursWaiver shows it here, with author and reason.
  const notices = campaign.notices.filter(({ code }) => code !== "hours_waived");
  const image = campaign.imageUrl === null ? undefined : { url: campaign.imageUrl, label: DETAIL.image };
  const facts = [
    totalContacts > 0 && ADMIN_CAMPAIGNS.contacts(totalContacts),
    startedAt === null
      ? DETAIL.createdAt(formatMoment(createdAt, now))
      : DETAIL.startedAt(formatMoment(startedAt, now)),
  ];
  return (
    <>
      <PageHead
        heading={campaign.name}
        mark={
          <>
            <CampaignMark {...campaign} />
            <KindMark kind={campaign.kind} />
          </>
        }
        acts={
          <CampaignActs campaign={campaign} client={campaign.client.username}>
            {startedAt !== null && (
              <Link to={ADMIN_PATHS.report(campaign.id)} className="btn btn-ghost border-base-300">
                <ChartNoAxesColumn className="size-4" />
                {DETAIL.report}
              </Link>
            )}
          </CampaignActs>
        }
      >
        {ADMIN_CAMPAIGNS.client} <bdi>{campaign.client.username}</bdi> · {facts.filter(Boolean).join(" · ")}
      </PageHead>
      {campaign.status === "completed" && (
        <div className="notice tone-ok mb-4" role="status">
          <CircleCheck />
          <b>{DETAIL.completed}</b>
        </div>
      )}
      <ProgressSheet campaign={campaign} quota={undefined}>
        <StateFilter counts={counts} chosen={state} onChoose={setState} />
      </ProgressSheet>
      <CampaignNotices notices={notices} most={2} wordsOf={adminNoticeText} />
      <HoursWaiver campaign={campaign} now={now} />
      {(campaign.texts ?? 1) > 1 && <TextsResults campaign={campaign} isOwner={false} />}
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[22rem_1fr]">
        <section className="sheet p-5" aria-labelledby="msg-h">
          <h2 id="msg-h" className="mb-3 font-bold">{DETAIL.message}</h2>
          {isPersonalMessage(campaign.message)
            ? <PersonalPreview campaign={campaign} image={image} />
            : (
              <div className="rounded-field bg-base-200 p-3">
                <MessageBubble message={campaign.composed ?? campaign.message} image={image} />
              </div>
            )}
        </section>
        <div className="grid min-w-0 gap-3">
          {totalContacts > 0 && (
            <NumbersView campaignId={campaign.id} shownUntil={campaign.numbersShownUntil} />
          )}
          <DeliveryTable
            campaignId={campaign.id}
            total={totalContacts}
            state={state}
            audience="admin"
            isUnsent={EDITABLE_STATUSES.includes(campaign.status)}
            isMoving={isRunning(campaign.status) || campaign.status === "paused"}
          />
        </div>
      </div>
    </>
  );
}
