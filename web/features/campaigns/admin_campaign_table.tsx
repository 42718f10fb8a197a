import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Link } from "react-router-dom";
import type { AdminCampaign } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ADMIN_CAMPAIGNS } from "./text/admin_campaigns.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { CAMPAIGN } from "./text/campaign.ts";
import { formatMoment, formatNumber } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { moreRows } from "../../ui/more_rows.ts";
import { Num } from "../../ui/num.tsx";
import { SearchField } from "../../ui/search_field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Strip } from "../../ui/strip.tsx";
import { type RowPlace, VirtualTable } from "../../ui/virtual_table.tsx";
import { CampaignMark } from "./campaign_mark.tsx";
import { adminCampaignsQuery } from "./get_admin_campaigns.ts";
import { KindMark } from "./kind_mark.tsx";
import { isRunning } from "./is_running.ts";

/** Lists every client's campaigns, with filters by status and by the name of campaign or client. */
export function AdminCampaignTable({ now }: { now: number }) {
  const [status, setStatus] = useState("");
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search).trim();
  const campaigns = useInfiniteQuery(adminCampaignsQuery({ status, q }));
  const rows = campaigns.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <SearchField
          label={ADMIN_CAMPAIGNS.search}
          className="w-full sm:w-80"
          value={search}
          onChange={setSearch}
        />
        <select
          className="select w-full sm:w-52"
          aria-label={ADMIN_CAMPAIGNS.status}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        >
          {Object.entries(ADMIN_CAMPAIGNS.filters).map(([value, label]) => (
            <option key={value} value={value}>{label}</option>
          ))}
        </select>
      </div>
      {rows && rows.length > 0
        ? (
          <section className="sheet overflow-hidden">
            <VirtualTable
              label={ADMIN_CAMPAIGNS.region}
              className="max-h-[72dvh]"
              rows={rows}
              keyOf={({ id }) => id}
              columns={5}
              head={<Head />}
              renderRow={(campaign, place) => <CampaignRow campaign={campaign} place={place} now={now} />}
              {...moreRows(campaigns)}
            />
          </section>
        )
        : standIn()}
    </>
  );

  function standIn() {
    if (rows) {
      if (q) return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(q)}</p>;
      return status
        ? <EmptyBox icon={Send} title={ADMIN_CAMPAIGNS.noneOfKind} />
        : <EmptyBox icon={Send} title={ADMIN_CAMPAIGNS.empty} body={ADMIN_CAMPAIGNS.emptyTeaching} />;
    }
    if (campaigns.isError) {
      return (
        <FailedBox
          title={ADMIN_CAMPAIGNS.failed}
          error={campaigns.error}
          fallback={CAMPAIGN.fetchListFailed}
          onRetry={campaigns.refetch}
        />
      );
    }
    return <Skeleton text={ADMIN_CAMPAIGNS.loading} rows={6} />;
  }
}

function Head() {
  const { name, client, status, progress, when } = ADMIN_CAMPAIGNS.columns;
  return (
    <>
      <th>{name}</th>
      <th className="hidden md:table-cell">{client}</th>
      <th>{status}</th>
      <th className="hidden md:table-cell">{progress}</th>
      <th className="hidden md:table-cell">{when}</th>
    </>
  );
}

interface CampaignRowProps {
  campaign: AdminCampaign;
  place: RowPlace;
  now: number;
}

function CampaignRow({ campaign, place, now }: CampaignRowProps) {
  const { id, name, client, status, counts, sentCount, totalContacts } = campaign;
  const closed = campaign.notices.find(({ code }) => code === "outside_hours");
  const figures = <Num>{`${formatNumber(sentCount)} / ${formatNumber(totalContacts)}`}</Num>;
  return (
    <tr {...place}>
      <td className="max-w-72 min-w-40 wrap-anywhere">
        <Link to={ADMIN_PATHS.campaign(id)} className="line-clamp-2 font-semibold hover:underline">
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-xs text-ink-3 md:hidden">
          <bdi>{client.username}</bdi>
        </span>
      </td>
      <td className="hidden max-w-48 md:table-cell">
        <span className="flex" title={client.username}>
          <bdi className="truncate">{client.username}</bdi>
        </span>
      </td>
      <td>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CampaignMark {...campaign} />
          <KindMark kind={campaign.kind} />
        </span>
        {closed && (
          <span className="mt-1 block text-xs text-ink-2">{ADMIN_CAMPAIGNS.goesOn(closed.until)}</span>
        )}
        {totalContacts > 0 && <span className="mt-1 block text-xs text-ink-3 md:hidden">{figures}</span>}
      </td>
      <td className="hidden min-w-40 md:table-cell">
        {totalContacts === 0
          ? <span className="text-xs text-ink-3">{ADMIN_CAMPAIGNS.noContacts}</span>
          : (
            <span className="flex items-center gap-3 text-xs">
              <span className="grow">
                <Strip counts={counts} running={isRunning(status)} height="0.375rem" />
              </span>
              <span className="w-28 shrink-0 text-end">{figures}</span>
            </span>
          )}
      </td>
      <td className="hidden text-xs whitespace-nowrap text-ink-2 md:table-cell">
        {formatMoment(campaign.completedAt ?? campaign.startedAt ?? campaign.createdAt, now)}
      </td>
    </tr>
  );
}
