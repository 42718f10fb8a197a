import type { ReactNode } from "react";
import type { Campaign } from "shared/http_api.ts";
import { CAMPAIGN, costSentence } from "./text/campaign.ts";
import { DETAIL } from "../../text/campaign_detail.ts";
import { estimateWords, readyEstimate } from "./text/estimate.ts";
import { formatMoment } from "../../text/format.ts";
import { Num } from "../../ui/num.tsx";
import { BEYOND_DUTY } from "../../text/duties.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { Strip } from "../../ui/strip.tsx";
import { useNow } from "../../ui/use_now.ts";
import { isRunning } from "./is_running.ts";
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

/** The measured pace and the estimated end; nothing while nothing can go. */
function Forecast({ campaign }: { campaign: ProgressSheetProps["campaign"] }) {
  const now = useNow(CLOCK_STEP_MS);
  const { estimate, pace, counts } = campaign;
  const words = estimate && estimateWords(estimate, counts.queued + counts.leased, now);
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {words && <Figure label={words.label}>{words.value}</Figure>}
      {estimate !== null && pace !== null && (
        <Figure label={DETAIL.pace}>
          <Num>{Math.round(pace)}</Num> {DETAIL.perMinute}
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
  const now = useNow(CLOCK_STEP_MS);
  const { estimate } = campaign;
  const [maySend, mayWrite] = [useMayDo("sender"), useMayDo("writer")];
  const end = estimate && <span className="block text-ink-2">{readyEstimate(estimate, now)}</span>;
  if (quota === undefined) return <p className="mt-5 text-ink-2">{DETAIL.waitsForClient} {end}</p>;
  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-4">
        <p>{costSentence(campaign.totalContacts, quota)} {end}</p>
        {maySend && <SendButton campaignId={campaign.id} quota={quota} screen="detail" className="px-8" />}
      </div>
      {!maySend && <p className="mt-2 text-sm text-ink-2">{BEYOND_DUTY.send}</p>}
      {mayWrite && <PilotChoice campaign={campaign} />}
    </>
  );
}
