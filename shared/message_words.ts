/** Hebrew words for messages by call, used by the screen and the exported file. */
import type { CampaignKind } from "./campaign.ts";
import { DELIVERY_STATE_LABELS } from "./delivery_words.ts";
import type { MessageState } from "./message.ts";

export const MESSAGE_STATE_LABELS: Record<MessageState, string> = {
  ...DELIVERY_STATE_LABELS,
  skipped: "לא נשלח",
  expired: "פג תוקף",
};

export const KIND_WORDS: Record<CampaignKind, string> = {
  marketing: "שיווק",
  service: "שירות",
  undeclared: "שירות",
};
