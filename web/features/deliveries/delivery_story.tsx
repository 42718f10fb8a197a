import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { type Audience, DELIVERY_WORDS, type DeliveryWords } from "shared/delivery_words.ts";
import type { Delivery, DeliveryStep } from "shared/http_api.ts";
import { accountName, STORY } from "./text/deliveries.ts";
import { formatTimeWithSeconds } from "../../text/format_exact.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactTime } from "../../ui/exact_time.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Phone } from "../../ui/phone.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DeliveryMark } from "./delivery_mark.tsx";
import { deliveryStoryQuery } from "./get_delivery_story.ts";

interface DeliveryStoryDialogProps {
  campaignId: number;
  delivery: Delivery;
  audience: Audience;
  isUnsent: boolean;
  onClose: () => void;
}

/** Shows the history of one recipient's message, attempt by attempt. */
export function DeliveryStoryDialog(
  { campaignId, delivery, audience, isUnsent, onClose }: DeliveryStoryDialogProps,
) {
  const story = useQuery(deliveryStoryQuery(campaignId, delivery.id));
  const shown = story.data ?? delivery;
  return (
    <Dialog title={STORY.title} onClose={onClose}>
      <p className="mb-4 flex flex-wrap items-center gap-3 font-semibold">
        <Phone e164={shown.phone} />
        <DeliveryMark delivery={shown} audience={audience} isUnsent={isUnsent} />
      </p>
      {story.data
        ? <Steps steps={story.data.history} words={DELIVERY_WORDS[audience]} />
        : story.isError
        ? <FailedBox title={STORY.failed} error={story.error} onRetry={story.refetch} />
        : <Skeleton text={STORY.loading} />}
      <button type="button" className="btn btn-ghost mt-5 border-base-300" onClick={onClose}>
        {STORY.close}
      </button>
    </Dialog>
  );
}

function Steps({ steps, words }: { steps: DeliveryStep[]; words: DeliveryWords }) {
  if (steps.length === 0) return <p className="text-sm text-ink-2">{STORY.empty}</p>;
  return (
    <ol className="flex flex-col gap-2.5 text-sm">
      {steps.map((step, index) => (
        <Fragment key={index}>
          {step.attempt > 0 && step.attempt !== steps[index - 1]?.attempt && (
            <Attempt step={step} words={words} />
          )}
          <li className="flex items-baseline gap-3">
            <span className="shrink-0 text-ink-2">
              <ExactTime at={step.at} />
            </span>
            <span className="min-w-0">
              {words.steps[step.what]}
              <span className="block text-xs text-ink-3">{detailOf(step, words)}</span>
            </span>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

/** Shows the site and account of an attempt, above its steps. */
function Attempt(
  { step: { attempt, site, account, sender }, words }: { step: DeliveryStep; words: DeliveryWords },
) {
  return (
    <li className="border-t border-base-300 pt-2.5 font-semibold first:border-0 first:pt-0">
      {STORY.attempt(attempt)}
      {site !== null && (
        <>
          {" · "}
          <bdi>{words.siteCalled(site)}</bdi>
        </>
      )}
      {(sender ?? account) !== null && (
        <>
          {" · "}
          {sender === null ? <bdi>{accountName(account!)}</bdi> : <Phone e164={sender} />}
        </>
      )}
    </li>
  );
}

function detailOf({ reason, by, result, tappedAt }: DeliveryStep, words: DeliveryWords): string {
  return [
    reason !== null && words.reasons[reason],
    words.movedBy[by],
    tappedAt !== null && STORY.tapped(formatTimeWithSeconds(tappedAt)),
    result !== null && result !== "applied" && words.results[result],
  ].filter(Boolean).join(" · ");
}
