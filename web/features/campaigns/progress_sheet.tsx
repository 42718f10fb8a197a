import { type ReactNode, useEffect, useRef } from "react";
import type { Campaign } from "shared/http_api.ts";
import { CAMPAIGN, costSentence } from "./text/campaign.ts";
import { DETAIL } from "../../text/campaign_detail.ts";
import { estimateText } from "./text/estimate.ts";
import { formatDay, formatMoment, formatTime } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { Strip } from "../../ui/strip.tsx";
import { useNow } from "../../ui/use_now.ts";
import { isRunning } from "./is_running.ts";
import { endByPace, measuredPace, type PaceSample, withSample } from "./pace.ts";
import { PilotChoice } from "./pilot_choice.tsx";
import { SendButton } from "./send_button.tsx";

const CLOCK_STEP_MS = 10_000;

interface ProgressSheetProps {
  campaign: Omit<Campaign, "message">;
  /** The client's balance; undefined for a viewer who cannot send. */
  quota: number | undefined;
  /** The legend under the strip. */
  children: ReactNode;
}

/** Shows a campaign's progress; for a ready campaign the cost of sending instead. */
export function ProgressSheet({ campaign, quota, children }: ProgressSheetProps) {
  const { status, counts, sentCount, totalContacts } = campaign;
  if (status === "draft") return null;
  return (
    <section className="sheet p-4 sm:p-6" aria-label={DETAIL.progress}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="flex items-end gap-3">
          <span className="text-5xl font-extrabold tracking-tight">
            <Num>{sentCount}</Num>
          </span>
          <span className="pb-1 leading-snug">
            <b>{CAMPAIGN.sentOf(sentCount)}</b>
            <br />
            <span className="text-ink-2">{CAMPAIGN.ofTotal(totalContacts)}</span>
          </span>
        </div>
        {isRunning(status) && <Forecast campaign={campaign} />}
        {status === "paused" && <LastSent at={campaign.lastSentAt} />}
      </div>
      {status === "ready" ? <ReadyRow campaign={campaign} quota={quota} /> : (
        <>
          <div className="mt-5">
            <Strip counts={counts} running={isRunning(status)} height="1.125rem" />
          </div>
          {children}
        </>
      )}
    </section>
  );
}

function Forecast({ campaign }: { campaign: ProgressSheetProps["campaign"] }) {
  const now = useNow(CLOCK_STEP_MS);
  const samples = useRef<PaceSample[]>([]);
  useEffect(() => {
    samples.current = withSample(samples.current, { at: Date.now(), sent: campaign.sentCount });
  }, [now, campaign.sentCount]);
  const pace = measuredPace(campaign, samples.current, now);
  const end = endByPace(campaign, pace, now);
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Figure label={CAMPAIGN.estimate}>{estimateText(campaign.totalContacts, campaign.sentCount)}</Figure>
      {pace !== undefined && (
        <Figure label={DETAIL.pace}>
          <Num>{Math.round(pace)}</Num> {DETAIL.perMinute}
        </Figure>
      )}
      {end !== undefined && (
        <Figure label={DETAIL.endByPace}>
          {formatDay(end, now) === formatDay(now, now)
            ? <Num>{formatTime(end)}</Num>
            : formatMoment(end, now)}
        </Figure>
      )}
    </dl>
  );
}

/** When the last message left, in the place of the forecast: the sheet of a paused campaign keeps its shape. */
function LastSent({ at }: { at: number | null }) {
  const now = useNow(CLOCK_STEP_MS);
  if (at === null) return null;
  return (
    <dl>
      <Figure label={DETAIL.lastSent}>{formatMoment(at, now)}</Figure>
    </dl>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="eyebrow">{label}</dt>
      <dd className="text-xl font-extrabold">{children}</dd>
    </div>
  );
}

function ReadyRow({ campaign, quota }: Pick<ProgressSheetProps, "campaign" | "quota">) {
  if (quota === undefined) return <p className="mt-5 text-ink-2">{DETAIL.waitsForClient}</p>;
  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-4">
        <p>{costSentence(campaign.totalContacts, quota)}</p>
        <SendButton campaignId={campaign.id} screen="detail" className="px-8" />
      </div>
      <PilotChoice campaign={campaign} />
    </>
  );
}
