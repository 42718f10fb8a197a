import { useInfiniteQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Clock, ListTree, RotateCw } from "lucide-react";
import { useState } from "react";
import type { WebhookCallState } from "shared/webhook_event.ts";
import type { Webhook, WebhookCall } from "shared/webhooks_api.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Mark, type MarkLook } from "../../ui/mark.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSendAgain } from "./change_webhooks.ts";
import { callsQuery } from "./get_webhooks.ts";
import { CALLS, FAILURES, GROUPS, WEBHOOKS } from "./text.ts";
import { groupOf } from "./webhook_form.tsx";

const FILTERS = ["all", "waiting", "given_up", "arrived"] as const;
const LOOKS: Record<WebhookCallState, MarkLook> = {
  waiting: { tone: "idle", icon: Clock, label: CALLS.states.waiting },
  arrived: { tone: "ok", icon: CircleCheck, label: CALLS.states.arrived },
  given_up: { tone: "bad", icon: Ban, label: CALLS.states.given_up },
};

/** The calls of a webhook with what came of them, and sending some again. */
export function WebhookCalls(
  { webhook, now, onClose }: { webhook: Webhook; now: number; onClose: () => void },
) {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>("all");
  const pages = useInfiniteQuery(callsQuery(webhook.id, filter));
  const again = useSendAgain(webhook.id);
  const calls = pages.data?.pages.flatMap(({ items }) => items);
  const isPaused = webhook.paused !== null;
  return (
    <Dialog title={WEBHOOKS.callsOf(webhook.name)} onClose={onClose}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div role="group" aria-label={CALLS.filter} className="flex flex-wrap gap-1">
          {FILTERS.map((one) => (
            <button
              key={one}
              type="button"
              className={`btn btn-sm ${one === filter ? "btn-secondary" : "btn-ghost"}`}
              aria-pressed={one === filter}
              onClick={() => setFilter(one)}
            >
              {one === "all" ? CALLS.all : CALLS.states[one]}
            </button>
          ))}
        </div>
        {webhook.givenUp > 0 && !isPaused && (
          <BusyButton
            className="btn-secondary btn-sm"
            busy={again.isPending && again.variables === "given_up"}
            busyText={CALLS.againAll}
            onClick={() => again.mutate("given_up")}
          >
            {CALLS.againAll}
          </BusyButton>
        )}
      </div>
      {calls === undefined || calls.length === 0
        ? calls
          ? <EmptyBox icon={ListTree} title={CALLS.none} body={CALLS.noneBody} />
          : pages.isError
          ? <FailedBox title={CALLS.failed} error={pages.error} onRetry={pages.refetch} />
          : <Skeleton text={CALLS.loading} rows={3} />
        : (
          <ul
            aria-label={CALLS.region}
            tabIndex={0}
            className="max-h-96 divide-y divide-base-300 overflow-y-auto"
          >
            {calls.map((call) => (
              <CallRow
                key={call.id}
                call={call}
                now={now}
                isBusy={again.isPending && again.variables === call.id}
                onAgain={isPaused ? undefined : () => again.mutate(call.id)}
              />
            ))}
          </ul>
        )}
      {pages.hasNextPage && (
        <BusyButton
          className="btn-ghost btn-sm mt-3"
          busy={pages.isFetchingNextPage}
          busyText={CALLS.loading}
          onClick={() => pages.fetchNextPage()}
        >
          {CALLS.showMore}
        </BusyButton>
      )}
    </Dialog>
  );
}

interface CallRowProps {
  call: WebhookCall;
  now: number;
  isBusy: boolean;
  onAgain: (() => void) | undefined;
}

function CallRow({ call, now, isBusy, onAgain }: CallRowProps) {
  const { webhookId, type, events, state, madeAt, tries, nextAt, lastStatus, lastReason } = call;
  const group = groupOf(type);
  const facts = [
    formatMoment(madeAt, now),
    CALLS.events(events),
    ...(tries > 0 ? [CALLS.tries(tries)] : []),
    ...(nextAt !== null && nextAt > now ? [CALLS.next(formatMoment(nextAt, now))] : []),
  ];
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
          {group === "webhook" ? CALLS.test : GROUPS[group]?.name ?? group}
          <bdi dir="ltr" className="font-mono text-xs font-normal text-ink-2">{type}</bdi>
          <Mark {...LOOKS[state]} />
        </p>
        <p className="text-xs text-ink-3">{facts.join(" · ")}</p>
        {lastReason !== null && (
          <p className="tone-bad text-xs text-tone">
            {FAILURES[lastReason]}
            {lastStatus !== null && ` · ${CALLS.answered(lastStatus)}`}
          </p>
        )}
        <p className="text-xs text-ink-3">
          <bdi dir="ltr" className="font-mono wrap-anywhere">{webhookId}</bdi>
        </p>
      </div>
      {onAgain && (
        <BusyButton
          className="btn-ghost btn-sm border-base-300"
          busy={isBusy}
          busyText={CALLS.again}
          aria-label={CALLS.againOf(webhookId)}
          onClick={onAgain}
        >
          <RotateCw className="size-4" />
          {CALLS.again}
        </BusyButton>
      )}
    </li>
  );
}
