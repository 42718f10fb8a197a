import { DELIVERY_REASON_TEXT, DELIVERY_WORDS } from "shared/delivery_words.ts";
import type { Message } from "shared/messages_api.ts";
import { KIND_WORDS, MESSAGE_STATE_LABELS } from "shared/message_words.ts";
import type { EdgeContext } from "../context.ts";
import { csvPhone, csvStream, csvTime } from "../http/csv.ts";
import type { Caller } from "../http/router.ts";
import { type MessageFilter, readMessages } from "./read_messages.ts";

/** Reads take some milliseconds. Other requests wait that long in each turn. */
const PAGE = 250;
const HEADER = ["התקבלה", "מספר", "אסמכתה", "סוג", "נוסח", "מצב", "סיבה", "מספר שולח", "עודכנה"];

/** Streams a client's messages, newest first. It reads the next page only when the reader asks for more. */
export function messagesCsv(
  ctx: EdgeContext,
  caller: Caller,
  filter: Omit<MessageFilter, "cursor" | "limit">,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let cursor: string | undefined;
  return csvStream(HEADER, async () => {
    const { items, nextCursor } = await readMessages(ctx, caller, { ...filter, cursor, limit: PAGE });
    cursor = nextCursor ?? undefined;
    return { rows: items.map(cellsOf), isLast: nextCursor === null };
  });
}

function cellsOf(
  { createdAt, to, reference, kind, text, state, reason, sender, updatedAt }: Message,
): string[] {
  return [
    csvTime(createdAt),
    csvPhone(to),
    reference ?? "",
    KIND_WORDS[kind],
    text ?? "",
    MESSAGE_STATE_LABELS[state],
    reason === null ? "" : DELIVERY_WORDS.client.reasons[reason] ?? DELIVERY_REASON_TEXT[reason],
    sender === null ? "" : csvPhone(sender),
    csvTime(updatedAt),
  ];
}
