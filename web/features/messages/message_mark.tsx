import {
  Check,
  CircleMinus,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  Smartphone,
  TimerOff,
} from "lucide-react";
import type { MessageState } from "shared/message.ts";
import { MESSAGE_STATE_LABELS } from "shared/message_words.ts";
import { Mark, type MarkLook, type Tone } from "../../ui/mark.tsx";

/** As the states of a campaign's recipients look, and one more. */
const LOOKS: Record<MessageState, { tone: Tone; icon: MarkLook["icon"] }> = {
  queued: { tone: "idle", icon: Clock },
  leased: { tone: "live", icon: Smartphone },
  sent: { tone: "ok", icon: Check },
  failed: { tone: "bad", icon: CircleX },
  unknown: { tone: "unsure", icon: CircleQuestionMark },
  skipped: { tone: "idle", icon: CircleSlash },
  expired: { tone: "warn", icon: TimerOff },
  cancelled: { tone: "idle", icon: CircleMinus },
};

/** The state of one message. */
export function MessageMark({ state }: { state: MessageState }) {
  return <Mark {...LOOKS[state]} label={MESSAGE_STATE_LABELS[state]} />;
}
