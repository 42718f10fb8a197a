import {
  CircleQuestionMark,
  Contact,
  Hourglass,
  ListOrdered,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Unplug,
} from "lucide-react";
import type { ReactNode } from "react";
import type { CampaignNotice } from "shared/http_api.ts";
import { noticeText } from "../../text/notices.ts";
import type { Tone } from "../../ui/mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useNow } from "../../ui/use_now.ts";

const LOOKS: Record<CampaignNotice["code"], { tone: Tone; icon: LucideIcon }> = {
  // Worst first: the order of this table is the order on the screen.
  paused_by_rule: { tone: "warn", icon: Pause },
  unknown_deliveries: { tone: "unsure", icon: CircleQuestionMark },
  no_device: { tone: "warn", icon: Unplug },
  waiting_for_site: { tone: "warn", icon: Hourglass },
  cap_reached: { tone: "warn", icon: Hourglass },
  paused_by_admin: { tone: "warn", icon: Pause },
  paused_by_client: { tone: "warn", icon: Pause },
  waiting_turn: { tone: "idle", icon: ListOrdered },
  import_running: { tone: "idle", icon: LoaderCircle },
  no_contacts: { tone: "idle", icon: Contact },
};
const RANKS = Object.keys(LOOKS);
const AGE_STEP_MS = 10_000;

interface CampaignNoticesProps {
  notices: CampaignNotice[];
  most: number;
  /** What can be done about a notice, right beside it. */
  actionFor?: (notice: CampaignNotice) => ReactNode;
}

/** Why the campaign stands where it does: at most `most` sentences, worst first. */
export function CampaignNotices({ notices, most, actionFor }: CampaignNoticesProps) {
  const now = useNow(AGE_STEP_MS);
  const shown = notices.filter(({ code }) => code in LOOKS)
    .sort((a, b) => RANKS.indexOf(a.code) - RANKS.indexOf(b.code)).slice(0, most);
  return shown.map((notice) => (
    <Notice
      key={notice.code}
      {...LOOKS[notice.code]}
      {...noticeText(notice, now)}
      action={actionFor?.(notice)}
      className="mt-3"
    />
  ));
}
