import type { CampaignCounts } from "shared/campaign.ts";
import type { Campaign, Delivery } from "shared/http_api.ts";

const NO_COUNTS: CampaignCounts = {
  queued: 0,
  leased: 0,
  sent: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  cancelled: 0,
};

/** Returns a campaign in the server's shape; totals follow from `counts`. */
export function makeCampaign(
  given: Partial<Omit<Campaign, "counts">> & { counts?: Partial<CampaignCounts> } = {},
): Campaign {
  const counts = { ...NO_COUNTS, ...given.counts };
  return {
    id: 1,
    name: "קמפיין לדוגמה",
    kind: "service",
    composed: null,
    message: "שלום, זו הודעה לדוגמה.",
    imageUrl: null,
    status: "draft",
    totalContacts: Object.values(counts).reduce((sum, count) => sum + count, 0),
    sentCount: counts.sent,
    optedOutCount: 0,
    createdAt: 0,
    startedAt: null,
    takeBack: null,
    plan: null,
    approval: null,
    dayLimit: null,
    completedAt: null,
    lastSentAt: null,
    pace: null,
    estimate: null,
    sendingHours: null,
    notices: [],
    ...given,
    counts,
  };
}

/** Returns one delivery in the server's shape. */
export function makeDelivery(given: Partial<Delivery> = {}): Delivery {
  return {
    id: 1,
    phone: "+972543710968",
    state: "queued",
    reason: null,
    waitingForSite: null,
    account: null,
    sender: null,
    attempts: 0,
    at: 0,
    ...given,
  };
}
