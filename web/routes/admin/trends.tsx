import { useQuery } from "@tanstack/react-query";
import { ChartLine, X } from "lucide-react";
import { useLocation, useNavigate } from "react-router-dom";
import { TREND_DAYS, TREND_KEYS, type TrendKey } from "shared/trend_keys.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { trendsQuery } from "../../features/trends/get_trends.ts";
import { TRENDS } from "../../features/trends/text.ts";
import { TrendChart } from "../../features/trends/trend_chart.tsx";
import { TrendFigures } from "../../features/trends/trend_figures.tsx";
import { TrendList } from "../../features/trends/trend_list.tsx";
import { appName } from "../../text/admin_devices.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatDate, formatTimeSince } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { RefreshButton } from "../../ui/refresh_button.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const MINUTE_MS = 60_000;
const USUAL_DAYS = "30";

/** Sending over weeks, by site, account or client; the choice is in the address. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(TRENDS.heading));
  const now = useNow(MINUTE_MS);
  const navigate = useNavigate();
  // The router's own useSearchParams() would weigh on every visitor.
  const search = new URLSearchParams(useLocation().search);
  const days = TREND_DAYS.find((one) => one === search.get("days")) ?? USUAL_DAYS;
  const by = TREND_KEYS.find((one) => one === search.get("by")) ?? "site";
  const asked = Number(search.get("id"));
  const id = Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
  const query = useQuery(trendsQuery({ days, by, id }));
  const trends = query.data;
  const choose = (next: { days?: string; by?: TrendKey; id?: number | undefined }) => {
    const all = { days, by, id, ...next };
    const chosenId = all.id === undefined ? "" : `&id=${all.id}`;
    void navigate(`${ADMIN_PATHS.trends}?days=${all.days}&by=${all.by}${chosenId}`);
  };
  const chosen = trends?.items.find((item) => item.id === id);
  return (
    <>
      <PageHead heading={TRENDS.heading} acts={<RefreshButton onRefresh={() => query.refetch()} />}>
        {headLine()}
      </PageHead>
      <div className="mb-4 flex flex-wrap gap-3">
        <Segments
          label={TRENDS.days}
          options={TREND_DAYS.map((value) => ({ value, label: TRENDS.daysOf(value) }))}
          chosen={days}
          onChoose={(next) => choose({ days: next })}
        />
        <Segments
          label={TRENDS.by}
          options={TREND_KEYS.map((value) => ({ value, label: TRENDS.lists[value] }))}
          chosen={by}
          onChoose={(next) => choose({ by: next, id: undefined })}
        />
      </div>
      {query.isPending && <Skeleton text={TRENDS.loading} rows={5} />}
      {query.isError && !trends && (
        <FailedBox title={TRENDS.failed} error={query.error} onRetry={query.refetch} />
      )}
      {trends && trends.measuredSince === null && (
        <EmptyBox icon={ChartLine} title={TRENDS.empty} body={TRENDS.emptyTeaching(trends.sentSince)} />
      )}
      {trends && trends.measuredSince !== null && (
        <div aria-busy={query.isPlaceholderData || undefined}>
          <TrendFigures trends={trends} />
          <section className="sheet mt-4 min-w-0 p-5" aria-labelledby="per-day-h">
            <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <h2 id="per-day-h" className="flex min-w-0 text-lg font-bold">
                <span className="shrink-0">{TRENDS.perDay}</span>
                {chosen && (
                  <>
                    <span aria-hidden="true" className="mx-1.5">·</span>
                    <span className="flex min-w-0 gap-2">
                      <bdi className="truncate">{chosen.name}</bdi>
                      {chosen.account && <bdi className="shrink-0">{appName(chosen.account)}</bdi>}
                    </span>
                  </>
                )}
              </h2>
              {id === undefined
                ? (
                  <p className="text-xs text-ink-3">
                    {TRENDS.today(trends.sentSince)} ·{" "}
                    {TRENDS.measuredSince(formatDate(trends.measuredSince))}
                  </p>
                )
                : (
                  <button
                    type="button"
                    className="btn btn-ghost btn-sm"
                    onClick={() => choose({ id: undefined })}
                  >
                    <X className="size-4" />
                    {TRENDS.everyone}
                  </button>
                )}
            </div>
            <TrendChart trends={trends} />
          </section>
          <div className="sheet mt-4 min-w-0 p-5">
            <h2 className="mb-2 text-lg font-bold">{TRENDS.lists[trends.by]}</h2>
            <TrendList trends={trends} chosen={id} onChoose={(next) => choose({ id: next })} />
          </div>
        </div>
      )}
    </>
  );

  function headLine(): string {
    if (!trends) return TRENDS.subtitle;
    if (query.isError) return TRENDS.stale(formatTimeSince(query.dataUpdatedAt, now));
    return TRENDS.period(formatDate(trends.from), formatDate(trends.until - MINUTE_MS));
  }
}
