import { useQuery } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import { useState } from "react";
import { CreateSiteForm } from "../../features/sites/create_site_form.tsx";
import { DeskLink } from "../../features/sites/desk_link.tsx";
import { sitesQuery } from "../../features/sites/get_sites.ts";
import type { ShownToken } from "../../features/sites/join_site.ts";
import { SiteTable } from "../../features/sites/site_table.tsx";
import { TokenDialog } from "../../features/sites/token_dialog.tsx";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { SITES } from "../../text/admin_sites.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const SECOND_MS = 1000;

/** Sites with phones: create and connect them. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(SITES.heading));
  const sites = useQuery(sitesQuery);
  const now = useNow(SECOND_MS);
  const [token, setToken] = useState<ShownToken>();
  const items = sites.data?.items;
  return (
    <>
      <PageHead heading={SITES.heading} acts={<DeskLink />}>{SITES.subtitle}</PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[22rem_1fr]">
        <CreateSiteForm onToken={setToken} />
        {items && items.length > 0 && <SiteTable sites={items} now={now} onToken={setToken} />}
        {items?.length === 0 && <EmptyBox icon={Building2} title={SITES.empty} body={SITES.emptyTeaching} />}
        {sites.isPending && <Skeleton text={SITES.loading} rows={4} />}
        {sites.isError && !items && (
          <FailedBox title={SITES.failed} error={sites.error} onRetry={sites.refetch} />
        )}
      </div>
      {token && <TokenDialog token={token} onClose={() => setToken(undefined)} />}
    </>
  );
}
