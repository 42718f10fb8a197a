import {
  CircleQuestionMark,
  CircleSlash,
  Clock,
  Contact,
  Hourglass,
  ImageOff,
  ListOrdered,
  LoaderCircle,
  type LucideIcon,
  Megaphone,
  Pause,
  Split,
  TriangleAlert,
  Unplug,
  UserX,
} from "lucide-react";
import type { ReactNode } from "react";
import type { CampaignNotice } from "shared/http_api.ts";
import { noticeText } from "./text/notices.ts";
import type { Tone } from "../../ui/mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useNow } from "../../ui/use_now.ts";

/** In this chunk, because a list shows both: a chunk of its own would split what visitors load. */
export { EstimateLine } from "./estimate_line.tsx";

const LOOKS: Record<CampaignNotice["code"], { tone: Tone; icon: LucideIcon }> = {
  // Worst first: the order of this table is the order on the screen.
  paused_by_rule: { tone: "warn", icon: Pause },
  // High in the table: a list has room for one sentence, and this one gives the time at which sending continues.
  outside_hours: { tone: "idle", icon: Hourglass },
  // Such a campaign goes to no recipient, so this comes before other notices.
  words_missing: { tone: "warn", icon: Megaphone },
  reached_in_lost_time: { tone: "warn", icon: UserX },
  unknown_deliveries: { tone: "unsure", icon: CircleQuestionMark },
  no_device: { tone: "warn", icon: Unplug },
  no_picture_account: { tone: "warn", icon: ImageOff },
  waiting_for_rehearsal: { tone: "warn", icon: Hourglass },
  agents_too_old: { tone: "warn", icon: Hourglass },
  some_agents_too_old: { tone: "idle", icon: Hourglass },
  stalled: { tone: "warn", icon: TriangleAlert },
  older_database: { tone: "warn", icon: Hourglass },
  waiting_for_sites: { tone: "idle", icon: Hourglass },
  waiting_for_outcomes: { tone: "warn", icon: Hourglass },
  waiting_for_erasures: { tone: "warn", icon: Hourglass },
  backup_copy: { tone: "warn", icon: Hourglass },
  newer_release: { tone: "warn", icon: Hourglass },
  waiting_for_site: { tone: "warn", icon: Hourglass },
  cap_reached: { tone: "warn", icon: Hourglass },
  waiting_for_confirmation: { tone: "warn", icon: Hourglass },
  gave_back_too_much: { tone: "warn", icon: Hourglass },
  waiting_for_account: { tone: "warn", icon: Hourglass },
  hour_reached: { tone: "idle", icon: Hourglass },
  choose_text: { tone: "warn", icon: Split },
  pilot_wait: { tone: "idle", icon: Hourglass },
  pilot_wave: { tone: "idle", icon: Hourglass },
  paused_by_admin: { tone: "warn", icon: Pause },
  paused_by_client: { tone: "warn", icon: Pause },
  waiting_turn: { tone: "idle", icon: ListOrdered },
  phones_busy: { tone: "idle", icon: ListOrdered },
  retry_wait: { tone: "idle", icon: Hourglass },
  number_wait: { tone: "idle", icon: Hourglass },
  sender_wait: { tone: "idle", icon: Hourglass },
  told_before_sending: { tone: "warn", icon: CircleQuestionMark },
  opens_later: { tone: "idle", icon: Hourglass },
  hours_waived: { tone: "idle", icon: Clock },
  advertiser_missing: { tone: "warn", icon: Megaphone },
  no_online_refusal: { tone: "warn", icon: Megaphone },
  import_running: { tone: "idle", icon: LoaderCircle },
  no_contacts: { tone: "idle", icon: Contact },
  without_consent: { tone: "warn", icon: UserX },
  frequency_capped: { tone: "idle", icon: CircleSlash },
  left_out_empty: { tone: "idle", icon: CircleSlash },
};
const RANKS = Object.keys(LOOKS);
const AGE_STEP_MS = 10_000;

interface CampaignNoticesProps {
  notices: CampaignNotice[];
  most: number;
  /** Returns the action for a notice, shown beside it. */
  actionFor?: (notice: CampaignNotice) => ReactNode;
  /** True in lists, where the explanation would repeat under many campaigns; the campaign's own screen shows it. */
  isBrief?: boolean;
  /** Words a notice; by default for the client. */
  wordsOf?: typeof noticeText;
}

/** Shows the reasons for the campaign's present state: at most `most` sentences, worst first. */
export function CampaignNotices(
  { notices, most, actionFor, isBrief = false, wordsOf = noticeText }: CampaignNoticesProps,
) {
  const now = useNow(AGE_STEP_MS);
  const shown = notices.filter(({ code }) => code in LOOKS)
    .sort((a, b) => RANKS.indexOf(a.code) - RANKS.indexOf(b.code)).slice(0, most);
  return shown.map((notice) => (
    <Notice
      key={notice.code}
      {...LOOKS[notice.code]}
      {...wordsOf(notice, now)}
      {...(isBrief && notice.code === "unknown_deliveries" ? { body: undefined } : {})}
      action={actionFor?.(notice)}
      className="mt-3"
    />
  ));
}
