import type { CampaignKind } from "shared/campaign.ts";

/** What a campaign's kind is called wherever it is shown. */
export const KIND_LABELS: Record<CampaignKind, string> = {
  marketing: "שיווקי",
  service: "שירות",
  undeclared: "סוג לא הוצהר",
};
