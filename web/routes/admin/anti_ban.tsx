import { useQuery } from "@tanstack/react-query";
import { Settings, ShieldAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { RiskTier } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { riskQuery } from "../../features/risk/get_risk.ts";
import { RiskList } from "../../features/risk/risk_list.tsx";
import { RiskTiers } from "../../features/risk/risk_tiers.tsx";
import { ANTI_BAN } from "../../features/risk/text.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatAge } from "../../text/format.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;
const FEW = 5;
/** The server's limit. */
const ALL = 1000;

/** Shows the accounts at risk, with reasons. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(ANTI_BAN.heading));
  const now = useNow(MINUTE_MS);
  const [open, setOpen] = useState<RiskTier>();
  const risk = useQuery(riskQuery(open ? ALL : FEW));
  const lastBan = risk.data?.lastBan;
  return (
    <>
      <PageHead
        heading={ANTI_BAN.heading}
        acts={
          <Link to={ADMIN_PATHS.antiBanSettings} className="btn btn-ghost border-base-300">
            <Settings className="size-4" />
            {ANTI_BAN.settings}
          </Link>
        }
      >
        {ANTI_BAN.subtitle}
      </PageHead>
      {risk.data && <RiskTiers tiers={risk.data.tiers} />}
      {lastBan && (
        <Notice
          tone="bad"
          icon={ShieldAlert}
          lead={ANTI_BAN.lastBan(lastBan.name, formatAge(now - lastBan.at))}
          body={ANTI_BAN.lastBanMeaning}
          className="mt-4"
          action={
            <Link to={ADMIN_PATHS.device(lastBan.deviceId)} className="btn btn-sm btn-secondary">
              {ANTI_BAN.toDevice}
            </Link>
          }
        />
      )}
      {risk.data && (
        <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
          {risk.data.tiers.map((tier) => (
            <RiskList
              key={tier.tier}
              tier={tier}
              isOpen={open === tier.tier}
              onToggle={() => setOpen(open === tier.tier ? undefined : tier.tier)}
            />
          ))}
        </div>
      )}
      {risk.isPending && <Skeleton text={ANTI_BAN.loading} rows={6} />}
      {risk.isError && !risk.data && (
        <FailedBox title={ANTI_BAN.failed} error={risk.error} onRetry={risk.refetch} />
      )}
    </>
  );
}
