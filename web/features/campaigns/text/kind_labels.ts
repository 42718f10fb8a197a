import type { CampaignKind } from "shared/campaign.ts";

/** Names of the campaign kinds. */
export const KIND_LABELS: Record<CampaignKind, string> = {
  marketing: "שיווקי",
  service: "שירות",
  undeclared: "סוג לא הוצהר",
};
