import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import {
  DELIVERY_REASON_TEXT,
  DELIVERY_STEP_TEXT,
  MOVED_BY_TEXT,
  REPORT_RESULT_TEXT,
} from "shared/delivery_words.ts";
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
  onClose: () => void;
}

/** Shows the history of one recipient's message, attempt by attempt. */
export function DeliveryStoryDialog({ campaignId, delivery, onClose }: DeliveryStoryDialogProps) {
  const story = useQuery(deliveryStoryQuery(campaignId, delivery.id));
  const shown = story.data ?? delivery;
  return (
    <Dialog title={STORY.title} onClose={onClose}>
      <p className="mb-4 flex flex-wrap items-center gap-3 font-semibold">
        <Phone e164={shown.phone} />
        <DeliveryMark delivery={shown} />
      </p>
      {story.data
        ? <Steps steps={story.data.history} />
        : story.isError
        ? <FailedBox title={STORY.failed} error={story.error} onRetry={story.refetch} />
        : <Skeleton text={STORY.loading} />}
      <button type="button" className="btn btn-ghost mt-5 border-base-300" onClick={onClose}>
        {STORY.close}
      </button>
    </Dialog>
  );
}

function Steps({ steps }: { steps: DeliveryStep[] }) {
  if (steps.length === 0) return <p className="text-sm text-ink-2">{STORY.empty}</p>;
  return (
    <ol className="flex flex-col gap-2.5 text-sm">
      {steps.map((step, index) => (
        <Fragment key={index}>
          {step.attempt > 0 && step.attempt !== steps[index - 1]?.attempt && <Attempt step={step} />}
          <li className="flex items-baseline gap-3">
            <span className="shrink-0 text-ink-2">
              <ExactTime at={step.at} />
            </span>
            <span className="min-w-0">
              {DELIVERY_STEP_TEXT[step.what]}
              <span className="block text-xs text-ink-3">{detailOf(step)}</span>
            </span>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

/** Shows the site and account of an attempt, above its steps. */
function Attempt({ step: { attempt, site, account } }: { step: DeliveryStep }) {
  return (
    <li className="border-t border-base-300 pt-2.5 font-semibold first:border-0 first:pt-0">
      {STORY.attempt(attempt)}
      {site !== null && (
        <>
          {" · "}
          <bdi>{STORY.site(site)}</bdi>
        </>
      )}
      {account !== null && (
        <>
          {" · "}
          <bdi>{accountName(account)}</bdi>
        </>
      )}
    </li>
  );
}

function detailOf({ reason, by, result, tappedAt }: DeliveryStep): string {
  return [
    reason !== null && DELIVERY_REASON_TEXT[reason],
    MOVED_BY_TEXT[by],
    tappedAt !== null && STORY.tapped(formatTimeWithSeconds(tappedAt)),
    result !== null && result !== "applied" && REPORT_RESULT_TEXT[result],
  ].filter(Boolean).join(" · ");
}
