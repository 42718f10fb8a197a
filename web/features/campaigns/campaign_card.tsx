import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { Campaign } from "shared/http_api.ts";
import { PATHS } from "../../paths.ts";
import { CAMPAIGN, costSentence } from "./text/campaign.ts";
import { CLIENT_HOME } from "./text/client_home.ts";
import { formatAge } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { Strip } from "../../ui/strip.tsx";
import { CampaignMark } from "./campaign_mark.tsx";
import { isRunning } from "./is_running.ts";
import { SendButton } from "./send_button.tsx";

const WriteAgain = lazyPart(async () => (await import("./write_again.tsx")).WriteAgain, {
  isQuiet: true,
});
const CampaignNotices = lazyPart(async () => (await import("./campaign_notices.tsx")).CampaignNotices, {
  isQuiet: true,
});

const EstimateLine = lazyPart(async () => (await import("./campaign_notices.tsx")).EstimateLine, {
  isQuiet: true,
  isEarly: true,
});

export interface CampaignCardProps {
  campaign: Campaign;
  /** Remaining messages in the client's quota. */
  quota: number;
  /** The present time in ms, from the list's timer. */
  now: number;
  onAddContacts: (campaignId: number) => void;
}

/** One campaign in the list: the card is a link, with at most one action above it. */
export function CampaignCard({ campaign, quota, now, onAddContacts }: CampaignCardProps) {
  return (
    <li className="item px-4 py-3 sm:px-5">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 leading-snug font-bold wrap-anywhere">
          <Link to={PATHS.campaign(campaign.id)} className="item-link">{campaign.name}</Link>
        </h3>
        <CampaignMark {...campaign} />
      </div>
      <p className="mt-0.5 line-clamp-2 text-sm text-ink-2 wrap-anywhere">{campaign.message}</p>
      <CardFoot campaign={campaign} quota={quota} now={now} onAddContacts={onAddContacts} />
      {campaign.status !== "draft" && campaign.notices.length > 0 && (
        <CampaignNotices notices={campaign.notices} most={1} isBrief />
      )}
    </li>
  );
}

function CardFoot({ campaign, quota, now, onAddContacts }: CampaignCardProps): ReactNode {
  if (campaign.status === "draft") {
    return (
      <button
        type="button"
        className="btn btn-secondary btn-sm relative z-10 mt-2"
        onClick={() => onAddContacts(campaign.id)}
      >
        {CLIENT_HOME.addContacts}
      </button>
    );
  }
  if (campaign.status === "ready") return <ReadyFoot campaign={campaign} quota={quota} now={now} />;
  if (isRunning(campaign.status) || campaign.status === "paused") {
    return <ProgressFoot campaign={campaign} now={now} />;
  }
  return <EndedFoot campaign={campaign} now={now} />;
}

function ReadyFoot({ campaign, quota, now }: { campaign: Campaign; quota: number; now: number }) {
  const { totalContacts } = campaign;
  return (
    <div className="mt-2 flex flex-wrap items-end justify-between gap-3">
      <div className="min-w-0 text-sm text-ink-2">
        {totalContacts === 1 ? CAMPAIGN.waitingToSendOne : (
          <span>
            <b className="text-lg font-extrabold text-base-content">
              <Num>{totalContacts}</Num>
            </b>{" "}
            {CAMPAIGN.waitingToSend}
          </span>
        )}
        <p>{costSentence(totalContacts, quota)}</p>
        <EstimateLine campaign={campaign} now={now} />
      </div>
      <SendButton
        campaignId={campaign.id}
        quota={quota}
        screen="list"
        className="btn-sm relative z-10 px-5"
      />
    </div>
  );
}

function ProgressFoot({ campaign, now }: { campaign: Campaign; now: number }) {
  const running = isRunning(campaign.status);
  return (
    <>
      <div className="mt-2">
        <Strip counts={campaign.counts} running={running} height={running ? ".75rem" : ".5rem"} />
      </div>
      <div className="mt-1.5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span>
          <b className="text-lg font-extrabold">
            <Num>{campaign.sentCount}</Num>
          </b>{" "}
          <span className="text-sm text-ink-2">
            {CAMPAIGN.sentOf(campaign.sentCount)} {CAMPAIGN.ofTotal(campaign.totalContacts)}
          </span>
        </span>
        <EstimateLine campaign={campaign} now={now} />
      </div>
    </>
  );
}

function EndedFoot({ campaign, now }: { campaign: Campaign; now: number }) {
  const navigate = useNavigate();
  const { counts, completedAt, sentCount, status } = campaign;
  const age = completedAt === null ? undefined : formatAge(now - completedAt);
  const ago = status === "completed" ? CAMPAIGN.completedAgo : CAMPAIGN.endedAgo;
  const failures = CAMPAIGN.withFailures(counts.failed, counts.unknown);
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
      {age && <span>{ago(age)}</span>}
      <span>
        <b className="text-base-content">
          <Num>{sentCount}</Num>
        </b>{" "}
        {CAMPAIGN.sentOf(sentCount)}
        {failures ? `, ${failures}` : status === "completed" ? `, ${CAMPAIGN.noFailures}` : ""}
      </span>
      {(status === "completed_with_errors" || status === "failed") && counts.failed > 0 && (
        <span className="relative z-10 ms-auto">
          <WriteAgain
            campaign={campaign}
            className="btn-secondary btn-xs"
            onMade={({ id }) => navigate(PATHS.campaign(id))}
          />
        </span>
      )}
    </div>
  );
}
