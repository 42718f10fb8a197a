import { useInfiniteQuery } from "@tanstack/react-query";
import { FlaskConical, MessageSquareText, PauseCircle } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { DELIVERY_WORDS } from "shared/delivery_words.ts";
import { MESSAGE_MODES, type MessageMode, type MessageState } from "shared/message.ts";
import { KIND_WORDS, MESSAGE_STATE_LABELS } from "shared/message_words.ts";
import type { Message, PausedMessages } from "shared/messages_api.ts";
import { formatPhone } from "shared/phone.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { formatMoment } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { DownloadButton } from "../../ui/download_button.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Mark } from "../../ui/mark.tsx";
import { useMayDo } from "../../ui/may_do.ts";
import { moreRows } from "../../ui/more_rows.ts";
import { Notice } from "../../ui/notice.tsx";
import { Phone } from "../../ui/phone.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type ItemPlace, VirtualList } from "../../ui/virtual_list.tsx";
import { useResumeMessages } from "./change_message.ts";
import { messagesQuery } from "./get_messages.ts";
import { MessageDialog } from "./message_dialog.tsx";
import { MessageMark } from "./message_mark.tsx";
import { MESSAGES, STATE_CHOICES } from "./text.ts";

const ROW_PX = 93;

/** A client's messages by call, with search, states, export, and what stands still. */
export function MessageList({ now }: { now: number }) {
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search).trim();
  const [state, setState] = useState<MessageState | "">("");
  const [mode, setMode] = useState<MessageMode>("live");
  const [opened, setOpened] = useState<number>();
  const pages = useInfiniteQuery(messagesQuery({ q, state, mode }));
  const items = pages.data?.pages.flatMap((page) => page.items);
  const paused = pages.data?.pages[0]?.paused ?? [];
  const message = items?.find(({ id }) => id === opened);
  const filter = new URLSearchParams({ mode, ...(state !== "" && { state }) });

  return (
    <div className="grid gap-6">
      {paused.map((one) => <PausedNotice key={one.carrier} paused={one} />)}
      <section className="sheet min-w-0 overflow-hidden" aria-labelledby="messages-h">
        <div className="flex flex-wrap items-center gap-3 border-b border-base-300 px-5 py-4">
          <h2 id="messages-h" className="me-auto text-lg font-bold">{MESSAGES.list}</h2>
          <Segments
            label={MESSAGES.mode}
            options={MESSAGE_MODES.map((value) => ({ value, label: MESSAGES.modes[value] }))}
            chosen={mode}
            onChoose={setMode}
          />
          <select
            className="select select-sm w-auto max-sm:grow"
            aria-label={MESSAGES.state}
            value={state}
            onChange={(event) => setState(event.currentTarget.value as MessageState | "")}
          >
            <option value="">{MESSAGES.everyState}</option>
            {STATE_CHOICES.map((one) => <option key={one} value={one}>{MESSAGE_STATE_LABELS[one]}</option>)}
          </select>
          <SearchField
            label={MESSAGES.search}
            className="input-sm w-72 max-sm:w-full"
            value={search}
            onChange={setSearch}
          />
          <DownloadButton
            path={`/api/messages.csv?${filter}`}
            fileName="messages.csv"
            className="btn-secondary btn-sm"
          >
            {MESSAGES.export}
          </DownloadButton>
        </div>
        {mode === "test" && (
          <Notice
            tone="idle"
            icon={FlaskConical}
            lead={MESSAGES.testNotice}
            body={MESSAGES.testNoticeBody}
            className="m-5"
          />
        )}
        {items && items.length > 0
          ? (
            <VirtualList
              label={MESSAGES.region}
              className="max-h-[70dvh]"
              items={items}
              keyOf={({ id }) => id}
              itemPx={ROW_PX}
              renderItem={(item, place) => (
                <Row
                  message={item}
                  now={now}
                  place={place}
                  onOpen={() => setOpened(item.id)}
                />
              )}
              {...moreRows(pages)}
            />
          )
          : <div className="p-5">{standIn()}</div>}
      </section>
      {message && <MessageDialog message={message} now={now} onClose={() => setOpened(undefined)} />}
    </div>
  );

  function standIn() {
    if (items) {
      if (q) return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(q)}</p>;
      if (state !== "") return <p className="text-sm text-ink-2" role="status">{MESSAGES.noneInState}</p>;
      return mode === "test"
        ? <EmptyBox icon={FlaskConical} title={MESSAGES.emptyTest} body={MESSAGES.emptyTestBody} />
        : <EmptyBox icon={MessageSquareText} title={MESSAGES.empty} body={MESSAGES.emptyBody} />;
    }
    if (pages.isError) {
      return <FailedBox title={MESSAGES.failed} error={pages.error} onRetry={pages.refetch} />;
    }
    return <Skeleton text={MESSAGES.loading} rows={6} />;
  }
}

interface RowProps {
  message: Message;
  now: number;
  place: ItemPlace;
  onOpen: () => void;
}

function Row({ message, now, place, onOpen }: RowProps) {
  const { to, text, reference, state, reason, createdAt, mode } = message;
  return (
    <li className="px-5 py-3" {...place}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          className="link font-semibold"
          aria-label={to === "" ? MESSAGES.openGone : MESSAGES.open(formatPhone(to))}
          onClick={onOpen}
        >
          <Phone e164={to} />
        </button>
        <MessageMark state={state} />
        {mode === "test" && <Mark tone="idle" icon={FlaskConical} label={MESSAGES.testMark} />}
        <span className="ms-auto text-xs text-ink-3">{formatMoment(createdAt, now)}</span>
      </div>
      <p className="truncate text-sm text-ink-2">
        {text === null ? MESSAGES.gone : <bdi>{text}</bdi>}
      </p>
      {(reason !== null || reference !== null) && (
        <p className="truncate text-xs text-ink-3">
          {reason !== null && DELIVERY_WORDS.client.reasons[reason]}
          {reason !== null && reference !== null && " · "}
          {reference !== null && <bdi>{reference}</bdi>}
        </p>
      )}
    </li>
  );
}

function PausedNotice({ paused }: { paused: PausedMessages }) {
  const resume = useResumeMessages();
  const mayResume = useMayDo("sender") && paused.by !== "admin";
  const why = paused.why ?? (paused.by === "admin" ? MESSAGES.pausedByAdmin : "");
  return (
    <Notice
      tone="warn"
      icon={PauseCircle}
      lead={MESSAGES.pausedLead(KIND_WORDS[paused.kind])}
      body={`${why} ${MESSAGES.pausedBody(paused.waiting)}`}
      action={mayResume && (
        <BusyButton
          className="btn-secondary btn-sm"
          busy={resume.isPending}
          busyText={MESSAGES.resuming}
          onClick={() => resume.mutate(paused)}
        >
          {MESSAGES.resume}
        </BusyButton>
      )}
    />
  );
}
