import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { MAX_MESSAGE_CHARS, SEND_DELAY_SECONDS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import type { PersonalPreview as PersonalPreviewData } from "shared/personal_api.ts";
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
import { Segments } from "../../ui/segments.tsx";
import { useNotAdded } from "../../ui/not_added.ts";
import { useNow } from "../../ui/use_now.ts";
import { AdvertPreview } from "./advert_preview.tsx";
import { campaignQuery } from "./get_campaign.ts";
import { isPersonalMessage, useRowInView } from "./get_personal.ts";
import { MessageBubble } from "./message_bubble.tsx";
import { PersonalPreview } from "./personal_preview.tsx";
import { ReachedDialog } from "./reached_dialog.tsx";
import { isReachedBefore, type SEND_FAILURES, useSendCampaign } from "./send_campaign.ts";
import { useAskApproval } from "./ask_approval.ts";
import { usePlanCampaign } from "./change_plan.ts";
import { beginChoice, momentOf, type PlanChoice } from "./plan_choice.ts";
import { PlanFields } from "./plan_fields.tsx";
import { APPROVAL, approvalSentence } from "./text/approval.ts";
import { CAMPAIGN, costSentence } from "./text/campaign.ts";
import { dayLimitSentence } from "./text/day_limit.ts";
import { readyEnd } from "./text/estimate.ts";
import { noticeText } from "./text/notices.ts";
import { PERSONAL } from "./text/personal.ts";
import { faultText, lackingText, unknownText } from "./text/personal_help.ts";
import { PLAN } from "./text/plan.ts";
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
  const done = () => {
    onClose();
    onSent?.();
  };
  const send = useSendCampaign(screen, done);
  const plan = usePlanCampaign(done);
  const ask = useAskApproval(id, onClose);
  if (isReachedBefore(send.error)) {
    return (
      <ReachedDialog
        refusal={send.error}
        onChoose={(reached) => send.mutate({ ...send.variables, id, reached })}
        onClose={onClose}
      />
    );
  }
  if (isReachedBefore(plan.error)) {
    return (
      <ReachedDialog
        refusal={plan.error}
        onChoose={(reached) => plan.mutate({ ...plan.variables!, reached })}
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
            isSending={send.isPending || plan.isPending}
            isAsking={ask.isPending}
            onAsk={() => ask.mutate()}
            onSend={(leaveOutEmpty, at) =>
              at === null ? send.mutate({ id, leaveOutEmpty }) : plan.mutate({ id, leaveOutEmpty, at })}
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
  /** The approval of a large send is being asked for. */
  isAsking: boolean;
  onAsk: () => void;
  /**
   * Called with true when recipients who lack a value are left out, undefined = nobody lacks one; and with the time of a
   * plan, ms, null = now.
   */
  onSend: (leaveOutEmpty: true | undefined, at: number | null) => void;
  onClose: () => void;
}

function Review(props: ReviewProps) {
  return isPersonalMessage(props.campaign.message)
    ? <PersonalReview {...props} />
    : <SendReview {...props} />;
}

/** The review of a message that differs from one recipient to another. */
function PersonalReview(props: ReviewProps) {
  const { preview, choose } = useRowInView(props.campaign);
  useEffect(() => choose("first"), []);
  return <SendReview {...props} personal={preview} />;
}

interface SendReviewProps extends ReviewProps {
  /** What a personal message makes of its recipients. */
  personal?: ReturnType<typeof useRowInView>["preview"];
}

function SendReview(
  { campaign, quota, isSending, isAsking, onAsk, onSend, onClose, personal }: SendReviewProps,
) {
  const now = useNow(CLOCK_STEP_MS);
  const [hasTried, setTried] = useState(false);
  /** Null = it is sent now. */
  const [choice, setChoice] = useState<PlanChoice | null>(null);
  const moment = choice && momentOf(choice, now);
  const top = useRef<HTMLDivElement>(null);
  const missing = useRef<HTMLElement>(null);
  const { counts, kind, message, composed, imageUrl, pilot, estimate, sendingHours } = campaign;
  const cost = counts.queued + counts.sent + counts.unknown;
  const people = personal?.data;
  const { approval } = campaign;
  // A plan is also the question, and waits for the answer.
  const isBarred = choice === null && (approval?.state === "asked" || approval?.state === "refused");
  const asks = choice === null && approval?.state === "needed";
  const problems = [
    ...missingOf(campaign, cost, quota),
    ...wrongWith(campaign, people, onClose),
    ...(isBarred ? [{ text: approvalSentence(approval!), link: undefined }] : []),
  ];
  const lacking = people && people.missing < people.count ? people.missing : 0;
  // The choice is about this number; another number is asked about again.
  const [agreed, setAgreed] = useState(0);
  const leavesOut = lacking > 0 && agreed === lacking;
  const leftOut = leavesOut ? lacking : 0;
  const leaving = useRef<HTMLInputElement>(null);
  const isChecking = personal?.isFetching ?? false;
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
    if (problems.length === 0 && asks) return onAsk();
    const isWhenKnown = moment === null || moment.at !== undefined;
    if (problems.length === 0 && lacking === leftOut && isWhenKnown) {
      return onSend(lacking > 0 || undefined, moment === null ? null : moment.at ?? null);
    }
    setTried(true);
    if (problems.length > 0) goToMissing();
    else if (lacking !== leftOut) leaving.current?.focus();
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
        {personal
          ? <PersonalPreview campaign={campaign} image={image} areCountsSaid />
          : (
            <div className="max-h-64 overflow-y-auto rounded-field bg-base-200 p-3" tabIndex={0}>
              {kind === "marketing" && composed === null
                ? <AdvertPreview message={message} image={image} isMissingSaid />
                : <MessageBubble message={composed ?? message} image={image} />}
            </div>
          )}
        {lacking > 0 && (
          <div className="notice tone-warn mt-4 items-start">
            <TriangleAlert />
            <div className="grid min-w-0 gap-1.5">
              <p id="lacking">
                <b>{lackingText(lacking)}</b> {PERSONAL.leaveOutWhy(lacking)}
              </p>
              <label className="flex items-center gap-2 py-1 font-semibold">
                <input
                  ref={leaving}
                  type="checkbox"
                  className="checkbox checkbox-sm"
                  aria-describedby="lacking"
                  checked={leavesOut}
                  onChange={(event) => setAgreed(event.currentTarget.checked ? lacking : 0)}
                />
                {PERSONAL.leaveOut(lacking)}
              </label>
              {hasTried && !leavesOut && (
                <p role="alert" className="font-semibold">{PERSONAL.chooseFirst(lacking)}</p>
              )}
            </div>
          </div>
        )}
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <Fact label={REVIEW.people}>
            <b className="text-lg font-extrabold">
              <Num>{formatNumber(counts.queued - leftOut)}</Num>
            </b>
          </Fact>
          <Fact label={REVIEW.cost}>
            <span>{countOf(cost - leftOut, "message")}</span>
            {leftOut > 0 && (
              <span className="block font-normal text-ink-2">{PERSONAL.cost(cost, leftOut)}</span>
            )}
          </Fact>
          {cost <= quota && <Fact label={REVIEW.left}>{countOf(quota - cost + leftOut, "message")}</Fact>}
          {choice === null && (
            <Fact label={REVIEW.starts}>
              {opensAt === undefined ? REVIEW.now : REVIEW.opens(formatMoment(opensAt, now))}
            </Fact>
          )}
          {sendingHours && <Fact label={REVIEW.hours}>{REVIEW.hoursText(sendingHours)}</Fact>}
          {cost > 0 && choice === null && (
            <Fact label={REVIEW.ends}>{estimate ? readyEnd(estimate, now) : REVIEW.noEnd}</Fact>
          )}
        </dl>
        <div className="mt-4 grid justify-items-start gap-3">
          <span className="eyebrow">{PLAN.when}</span>
          <Segments
            label={PLAN.when}
            options={[{ value: "now", label: PLAN.now }, { value: "later", label: PLAN.later }]}
            chosen={choice === null ? "now" : "later"}
            onChoose={(chosen) => setChoice(chosen === "now" ? null : choice ?? beginChoice(now, null))}
          />
          {choice && (
            <div className="w-full">
              <PlanFields
                campaignId={campaign.id}
                choice={choice}
                onChange={setChoice}
                now={now}
                problem={hasTried ? moment?.problem : undefined}
              />
            </div>
          )}
        </div>
        {approval !== null && !isBarred && (
          <p className="notice tone-warn mt-4">
            <TriangleAlert />
            <span>
              {choice === null || approval.state === "approved"
                ? approvalSentence(approval)
                : APPROVAL.planWaits}
            </span>
          </p>
        )}
        {campaign.dayLimit !== null && (
          <p className="mt-3 text-sm text-ink-2">{dayLimitSentence(campaign.dayLimit)}</p>
        )}
        {pilot && <p className="mt-3 text-sm text-ink-2">{pilotSentence(pilot)}</p>}
        <p className="mt-3 text-sm text-ink-2">
          {choice === null ? REVIEW.tenSeconds(SEND_DELAY_SECONDS) : PLAN.frozen} {REVIEW.testFirst}{" "}
          <Link to={PATHS.test(campaign.id)} className="link" onClick={onClose}>{REVIEW.toTest}</Link>
        </p>
      </div>
      <DialogFoot leave={REVIEW.back} onLeave={onClose}>
        <BusyButton
          className="btn-primary grow"
          busy={isSending || isAsking || isChecking}
          busyText={isAsking
            ? APPROVAL.asking
            : isSending
            ? choice ? PLAN.planning : CAMPAIGN.sending
            : PERSONAL.checking}
          onClick={press}
        >
          {asks
            ? APPROVAL.ask(counts.queued)
            : leftOut > 0
            ? PERSONAL.confirmLeaving(counts.queued - leftOut, leftOut)
            : choice
            ? PLAN.confirm(counts.queued)
            : REVIEW.confirm(counts.queued)}
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

/** Returns what keeps a personal message from some recipients, and cannot be left out. */
function wrongWith(
  { id, message }: Campaign,
  preview: PersonalPreviewData | undefined,
  onClose: () => void,
): { text: string; link?: ReactNode }[] {
  if (preview === undefined || preview.count === 0) return [];
  const { faults, unknown, missing, count, tooLong, longestChars } = preview;
  const wrong = [
    ...faults.map((fault) => faultText(fault, message)),
    ...unknown.map(({ field }) => unknownText(field)),
  ];
  if (wrong.length === 0 && missing === count) wrong.push(PERSONAL.allLack);
  if (wrong.length === 0 && tooLong > 0) {
    wrong.push(PERSONAL.tooLong(tooLong, longestChars, MAX_MESSAGE_CHARS));
  }
  const link = (
    <Link to={PATHS.campaign(id)} className="btn btn-sm btn-secondary" data-focus-first onClick={onClose}>
      {PERSONAL.toEdit}
    </Link>
  );
  return wrong.map((text, place) => place === wrong.length - 1 ? { text, link } : { text });
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
