import { AdminCampaignTable } from "../../features/campaigns/admin_campaign_table.tsx";
import { ADMIN_CAMPAIGNS } from "../../features/campaigns/text/admin_campaigns.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;

/** Shows the campaigns of all clients. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(ADMIN_CAMPAIGNS.heading));
  return (
    <>
      <PageHead heading={ADMIN_CAMPAIGNS.heading}>{ADMIN_CAMPAIGNS.subtitle}</PageHead>
      <AdminCampaignTable now={useNow(MINUTE_MS)} />
    </>
  );
}
