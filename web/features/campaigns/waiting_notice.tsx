import { useQuery } from "@tanstack/react-query";
import { CampaignNotices } from "./campaign_notices.tsx";
import { campaignQuery } from "./get_campaign.ts";

/** Shows in one sentence why a campaign waits; nothing when it does not wait. */
export function WaitingNotice({ campaignId }: { campaignId: number }) {
  const notices = useQuery(campaignQuery(campaignId)).data?.notices ?? [];
  return <CampaignNotices notices={notices.filter(({ code }) => code !== "hours_waived")} most={1} />;
}
