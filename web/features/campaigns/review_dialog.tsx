import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { SEND_DELAY_SECONDS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { PATHS } from "../../paths.ts";
import { countOf } from "../../text/count.ts";
import { formatMoment, formatNumber } from "../../text/format.ts";
import { notAddedSentence } from "../../text/not_added.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Num } from "../../ui/num.tsx";
import { useNotAdded } from "../../ui/not_added.ts";
import { useNow } from "../../ui/use_now.ts";
import { AdvertPreview } from "./advert_preview.tsx";
import { campaignQuery } from "./get_campaign.ts";
import { MessageBubble } from "./message_bubble.tsx";
import { ReachedDialog } from "./reached_dialog.tsx";
import { isReachedBefore, type SEND_FAILURES, useSendCampaign } from "./send_campaign.ts";
import { CAMPAIGN, costSentence } from "./text/campaign.ts";
import { readyEnd } from "./text/estimate.ts";
import { noticeText } from "./text/notices.ts";
import { pilotSentence } from "./text/pilot.ts";
import { REVIEW } from "./text/review.ts";

const CLOCK_STEP_MS = 10_000;

interface ReviewDialogProps {
  campaignId: number;
  /** The client's balance before the send. */
  quota: number;
  screen: keyof typeof SEND_FAILURES;
  onSent?: (() => void) | undefined;
  onClose: () => void;
}

/** Shows what would go out, to how many, at what cost and until when, before anything is sent. */
export function ReviewDialog({ campaignId: id, quota, screen, onSent, onClose }: ReviewDialogProps) {
  const campaign = useQuery(campaignQuery(id));
  const send = useSendCampaign(screen, () => {
    onClose();
    onSent?.();
  });
  if (isReachedBefore(send.error)) {
    return (
      <ReachedDialog
        refusal={send.error}
        onChoose={(reached) => send.mutate({ id, reached })}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={campaign.data ? REVIEW.title(campaign.data.name) : REVIEW.loading} onClose={onClose}>
      {campaign.data
        ? (
          <Review
            campaign={campaign.data}
            quota={quota}
            isSending={send.isPending}
            onSend={() => send.mutate({ id })}
            onClose={onClose}
          />
        )
        : campaign.isError
        ? <FailedBox title={REVIEW.failed} error={campaign.error} onRetry={campaign.refetch} />
        : <Loading text={REVIEW.loading} />}
    </Dialog>
  );
}

interface ReviewProps {
  campaign: Campaign;
  quota: number;
  isSending: boolean;
  onSend: () => void;
  onClose: () => void;
}

function Review({ campaign, quota, isSending, onSend, onClose }: ReviewProps) {
  const now = useNow(CLOCK_STEP_MS);
  const [hasTried, setTried] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  const missing = useRef<HTMLElement>(null);
  const { counts, kind, message, composed, imageUrl, pilot, estimate, sendingHours } = campaign;
  const cost = counts.queued + counts.sent + counts.unknown;
  const problems = missingOf(campaign, cost, quota);
  const image = imageUrl === null ? undefined : { url: imageUrl, label: REVIEW.image };
  const opensAt = campaign.notices.find(({ code }) => code === "opens_later")?.until;

  const hasLink = problems.some(({ link }) => link !== undefined);
  const notAdded = notAddedSentence(useNotAdded(campaign.id));

  function goToMissing() {
    const place = missing.current?.querySelector("a") ?? missing.current;
    place?.focus();
  }

  useEffect(() => {
    // Not the button that sends: the second of two presses of Enter must not confirm what the first has opened. In a
    // dialog that is not open yet nothing can be focused; there it is the element that is marked.
    if (problems.length > 0) goToMissing();
    else top.current?.focus();
  }, []);

  function press() {
    if (problems.length === 0) return onSend();
    setTried(true);
    goToMissing();
  }

  return (
    <>
      <div
        ref={top}
        tabIndex={-1}
        className="outline-none"
        data-focus-first={problems.length === 0 || undefined}
      >
        {problems.length > 0 && (
          <section
            ref={missing}
            tabIndex={-1}
            data-focus-first={!hasLink || undefined}
            role={hasTried ? "alert" : undefined}
            className="notice tone-warn mb-4 items-start"
            aria-label={REVIEW.missing}
          >
            <TriangleAlert />
            <div className="grid min-w-0 gap-2">
              <b>{hasTried ? REVIEW.stillMissing : `${REVIEW.missing}:`}</b>
              {problems.map(({ text, link }) => (
                <div key={text} className="grid justify-items-start gap-2">
                  <p>{text}</p>
                  {link}
                </div>
              ))}
            </div>
          </section>
        )}
        {campaign.notices.filter(({ code }) => code === "no_online_refusal").map((notice) => {
          const { lead, body } = noticeText(notice, now);
          return (
            <p key={notice.code} className="notice tone-warn mb-4">
              <TriangleAlert />
              <span>{lead} {body}</span>
            </p>
          );
        })}
        {notAdded && (
          <p className="notice tone-warn mb-4">
            <TriangleAlert />
            <span>{notAdded} {REVIEW.notAdded}</span>
          </p>
        )}
        <p className="eyebrow mb-2">{REVIEW.bubble}</p>
        <div className="max-h-64 overflow-y-auto rounded-field bg-base-200 p-3" tabIndex={0}>
          {kind === "marketing" && composed === null
            ? <AdvertPreview message={message} image={image} isMissingSaid />
            : <MessageBubble message={composed ?? message} image={image} />}
        </div>
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <Fact label={REVIEW.people}>
            <b className="text-lg font-extrabold">
              <Num>{formatNumber(counts.queued)}</Num>
            </b>
          </Fact>
          <Fact label={REVIEW.cost}>{countOf(cost, "message")}</Fact>
          {cost <= quota && <Fact label={REVIEW.left}>{countOf(quota - cost, "message")}</Fact>}
          <Fact label={REVIEW.starts}>
            {opensAt === undefined ? REVIEW.now : REVIEW.opens(formatMoment(opensAt, now))}
          </Fact>
          {sendingHours && <Fact label={REVIEW.hours}>{REVIEW.hoursText(sendingHours)}</Fact>}
          {cost > 0 && <Fact label={REVIEW.ends}>{estimate ? readyEnd(estimate, now) : REVIEW.noEnd}</Fact>}
        </dl>
        {pilot && <p className="mt-3 text-sm text-ink-2">{pilotSentence(pilot)}</p>}
        <p className="mt-3 text-sm text-ink-2">
          {REVIEW.tenSeconds(SEND_DELAY_SECONDS)} {REVIEW.testFirst}{" "}
          <Link to={PATHS.test(campaign.id)} className="link" onClick={onClose}>{REVIEW.toTest}</Link>
        </p>
      </div>
      <DialogFoot leave={REVIEW.back} onLeave={onClose}>
        <BusyButton
          className="btn-primary grow"
          busy={isSending}
          busyText={CAMPAIGN.sending}
          onClick={press}
        >
          {REVIEW.confirm(counts.queued)}
        </BusyButton>
      </DialogFoot>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </>
  );
}

/** Returns what has to be done before the send, each with its place. */
function missingOf(
  { notices }: Campaign,
  cost: number,
  quota: number,
): { text: string; link?: ReactNode }[] {
  const has = (wanted: string) => notices.some(({ code }) => code === wanted);
  const problems = [];
  if (has("import_running")) problems.push({ text: REVIEW.importing });
  else if (cost === 0) problems.push({ text: REVIEW.noContacts });
  if (has("advertiser_missing")) {
    const link = (
      <Link to={PATHS.advertiser} className="btn btn-sm btn-secondary" data-focus-first>
        {REVIEW.toAdvertiser}
      </Link>
    );
    problems.push({ text: REVIEW.advertiser, link });
  }
  if (cost > quota) {
    // Only an administrator can load messages: the sentence says so.
    problems.push({ text: costSentence(cost, quota) });
  }
  return problems;
}
