import { CircleQuestionMark } from "lucide-react";
import type { CampaignKind } from "shared/campaign.ts";
import { KIND_LABELS } from "./text/kind_labels.ts";
import { Mark } from "../../ui/mark.tsx";

/** Shows a campaign's declared kind; prominent only when it is missing. */
export function KindMark({ kind }: { kind: CampaignKind }) {
  if (kind === "undeclared") {
    return <Mark tone="warn" icon={CircleQuestionMark} label={KIND_LABELS.undeclared} />;
  }
  return <span className="text-sm text-ink-2">{KIND_LABELS[kind]}</span>;
}
