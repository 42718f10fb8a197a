import {
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDot,
  CircleMinus,
  CircleX,
  LoaderCircle,
  Pause,
  PencilLine,
} from "lucide-react";
import type { CampaignStatus } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { CAMPAIGN } from "./text/campaign.ts";
import { Mark, type MarkLook } from "../../ui/mark.tsx";

const LOOKS: Record<CampaignStatus, Omit<MarkLook, "label">> = {
  draft: { tone: "idle", icon: PencilLine },
  ready: { tone: "live", icon: CircleDot },
  processing: { tone: "working", icon: LoaderCircle },
  active: { tone: "working", icon: LoaderCircle },
  paused: { tone: "warn", icon: Pause },
  completed: { tone: "ok", icon: CircleCheck },
  completed_with_errors: { tone: "bad", icon: CircleAlert },
  failed: { tone: "bad", icon: CircleX },
  cancelled: { tone: "idle", icon: CircleMinus },
};

/** The status badge; shows the raw text of a status unknown to this version. */
export function CampaignMark({ status, counts }: Pick<Campaign, "status" | "counts">) {
  const { failed, unknown, cancelled } = counts;
  // People who asked for removal or were left out are no failure.
  const isCalm = status === "completed_with_errors" && failed + unknown + cancelled === 0;
  const look = LOOKS[isCalm ? "completed" : status] ?? { tone: "idle", icon: Circle };
  return <Mark {...look} label={CAMPAIGN.statuses[status] ?? status} />;
}
