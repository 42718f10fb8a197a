import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { ActivityItem, ActivityType } from "shared/activity.ts";
import { ACTIVITY } from "../../text/admin_activity.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { formatMoment } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { moreRows } from "../../ui/more_rows.ts";
import { SearchField } from "../../ui/search_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual_list.tsx";
import { ActivityLine } from "./activity_line.tsx";
import { activityFeedQuery, type ActivityFilter, activityPagesQuery } from "./get_activity.ts";

const LINE_PX = 65;
const KINDS = (["all", "error", "warning", "success", "info"] as const)
  .map((value) => ({ value, label: ACTIVITY.kinds[value] }));

/** Shows the whole log with a filter and a search. New lines do not move it; a notice above counts them. */
export function ActivityList({ now }: { now: number }) {
  const cache = useQueryClient();
  const [kind, setKind] = useState<ActivityType | "all">("all");
  const [search, setSearch] = useState("");
  const filter: ActivityFilter = {
    kind: kind === "all" ? undefined : kind,
    q: useDeferredValue(search).trim(),
  };
  const pages = useInfiniteQuery(activityPagesQuery(filter));
  const lines = pages.data?.pages.flatMap((page) => page.items);
  const fresh = useFreshCount(lines, filter);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <SearchField label={ACTIVITY.search} className="w-full sm:w-72" value={search} onChange={setSearch} />
        <Segments label={ADMIN_COMMON.filter} options={KINDS} chosen={kind} onChoose={setKind} />
      </div>
      <div role="status">
        {fresh > 0 && (
          <button
            type="button"
            className="btn btn-secondary btn-sm mb-4"
            onClick={() => void cache.resetQueries({ queryKey: activityPagesQuery(filter).queryKey })}
          >
            {ACTIVITY.fresh(fresh)}
          </button>
        )}
      </div>
      {lines && lines.length > 0
        ? (
          <div className="sheet overflow-hidden">
            <VirtualList
              label={ACTIVITY.region}
              className="max-h-[70dvh]"
              items={lines}
              keyOf={({ id }) => id}
              itemPx={LINE_PX}
              renderItem={(line, place) => (
                <li {...place} className="flex gap-3 px-5 py-3">
                  <ActivityLine line={line} when={formatMoment(line.timestamp, now)} />
                </li>
              )}
              {...moreRows(pages)}
            />
          </div>
        )
        : standIn()}
    </>
  );

  function standIn() {
    if (lines) {
      if (filter.q) {
        return <p className="text-sm text-ink-2" role="status">{ADMIN_COMMON.noMatch(search.trim())}</p>;
      }
      return <EmptyBox icon={History} title={filter.kind ? ACTIVITY.noneOfKind : ACTIVITY.empty} />;
    }
    if (pages.isError) {
      return <FailedBox title={ACTIVITY.failed} error={pages.error} onRetry={pages.refetch} />;
    }
    return <Skeleton text={ACTIVITY.loading} rows={6} />;
  }
}

/** Returns the number of live lines that are newer than the newest one shown and match the filter. */
function useFreshCount(shown: readonly ActivityItem[] | undefined, { kind, q }: ActivityFilter): number {
  const feed = useQuery(activityFeedQuery);
  if (!shown || !feed.data) return 0;
  const newestId = shown[0]?.id ?? 0;
  return feed.data.items.filter((line) =>
    line.id > newestId && (!kind || line.type === kind) && line.message.includes(q)
  ).length;
}
