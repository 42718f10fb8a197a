import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Reply } from "shared/replies_api.ts";
import { errorText } from "../../text/error_text.ts";
import { REPLIES } from "./text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { isFocusLost } from "../../ui/lost_focus.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { waitingRepliesQuery } from "./get_replies.ts";
import { RemoveReplyDialog } from "./remove_reply_dialog.tsx";
import { WaitingReply } from "./waiting_reply.tsx";

interface WaitingRepliesProps {
  now: number;
  /** Shows the recipient's client, for administrators. */
  showsClient?: boolean;
}

/** Lists replies that may ask for removal, each with the two decisions. */
export function WaitingReplies({ now, showsClient = false }: WaitingRepliesProps) {
  const pages = useInfiniteQuery(waitingRepliesQuery);
  const replies = pages.data?.pages.flatMap(({ items }) => items);
  const [asking, setAsking] = useState<Reply>();
  const { section, decidedOne } = useNextInFocus(replies, asking !== undefined);
  return (
    <section ref={section} className="sheet min-w-0" aria-labelledby="replies-h">
      <div className="border-b border-base-300 px-5 py-4">
        <h2 id="replies-h" tabIndex={-1} className="text-lg font-bold">{REPLIES.heading}</h2>
        <p className="mt-1 text-sm text-ink-2">{REPLIES.meaning}</p>
      </div>
      {replies && replies.length > 0
        ? (
          <ul aria-label={REPLIES.list} className="divide-y divide-base-300">
            {replies.map((reply) => (
              <WaitingReply
                key={reply.id}
                {...{ reply, now, showsClient }}
                onRemove={() => setAsking(reply)}
                onKeep={() => decidedOne(reply.id)}
              />
            ))}
          </ul>
        )
        : <div className="p-5">{standIn()}</div>}
      {pages.hasNextPage && (
        <div className="border-t border-base-300 p-4 text-center">
          {pages.isFetchNextPageError && (
            <p role="alert" className="tone-bad mb-2 text-sm text-tone">
              {errorText(pages.error, REPLIES.moreFailed)}
            </p>
          )}
          <BusyButton
            className="btn-secondary btn-sm"
            busy={pages.isFetchingNextPage}
            busyText={REPLIES.loadingMore}
            onClick={() => void pages.fetchNextPage()}
          >
            {REPLIES.more}
          </BusyButton>
        </div>
      )}
      {asking && (
        <RemoveReplyDialog
          reply={asking}
          isOwn={!showsClient}
          onDecide={() => decidedOne(asking.id)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  );

  function standIn() {
    if (replies) return <p className="text-sm text-ink-2">{REPLIES.none}</p>;
    if (pages.isError) {
      return <FailedBox title={REPLIES.failed} error={pages.error} onRetry={pages.refetch} />;
    }
    return <Skeleton text={REPLIES.loading} rows={2} />;
  }
}

/**
 * Moves the focus after a decided reply and its button leave the list: to the next reply's button, or to the
 * heading after the last. It does not move a focus that is elsewhere. An open dialog keeps the focus.
 */
function useNextInFocus(replies: Reply[] | undefined, isAsking: boolean) {
  const section = useRef<HTMLElement>(null);
  const left = useRef<{ id: number; next: number | undefined }>(undefined);
  useEffect(() => {
    const { current: decided } = left;
    if (!decided || !replies || isAsking || replies.some(({ id }) => id === decided.id)) return;
    left.current = undefined;
    if (!isFocusLost()) return;
    const next = section.current?.querySelector<HTMLElement>(`[data-reply="${decided.next}"] button`);
    (next ?? section.current?.querySelector("h2"))?.focus();
  });
  function decidedOne(id: number) {
    const index = replies?.findIndex((reply) => reply.id === id) ?? -1;
    left.current = { id, next: replies?.[index + 1]?.id };
  }
  return { section, decidedOne };
}
