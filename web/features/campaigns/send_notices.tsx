import { CircleQuestionMark } from "lucide-react";
import type { Campaign } from "shared/http_api.ts";
import { ADVERT } from "./text/advert.ts";
import { Notice } from "../../ui/notice.tsx";
import { ProfileLink } from "./advert_preview.tsx";
import { CampaignNotices } from "./campaign_notices.tsx";

/** Notices that matter before a ready campaign is sent. */
export function SendNotices({ campaign }: { campaign: Campaign }) {
  return (
    <>
      {campaign.kind === "undeclared" && (
        <Notice
          tone="warn"
          icon={CircleQuestionMark}
          lead={ADVERT.undeclared}
          body={ADVERT.undeclaredBody}
          className="mt-3"
        />
      )}
      <CampaignNotices
        notices={campaign.notices}
        most={2}
        actionFor={({ code }) =>
          (code === "advertiser_missing" || code === "no_online_refusal") && <ProfileLink />}
      />
    </>
  );
}
