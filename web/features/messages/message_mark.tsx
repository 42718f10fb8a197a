import { TimerOff } from "lucide-react";
import type { MessageState } from "shared/message.ts";
import { MESSAGE_STATE_LABELS } from "shared/message_words.ts";
import { Mark } from "../../ui/mark.tsx";
import { DELIVERY_LOOKS } from "../deliveries/delivery_mark.tsx";

/** The state of one message. */
export function MessageMark({ state }: { state: MessageState }) {
  const look = state === "expired" ? { tone: "warn" as const, icon: TimerOff } : DELIVERY_LOOKS[state];
  return <Mark {...look} label={MESSAGE_STATE_LABELS[state]} />;
}
