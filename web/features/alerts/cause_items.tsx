import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { formatAge } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { wayOf } from "./alert_look.ts";
import { alertKey } from "./fresh_alerts.ts";
import { alertItemsQuery } from "./get_alerts.ts";
import { ALERT_PAGE } from "./text.ts";

/** Every single alert of a cause, page by page. */
export function CauseItems({ cause, now }: { cause: string; now: number }) {
  const pages = useInfiniteQuery(alertItemsQuery(cause));
  if (pages.isPending) return <Skeleton text={ALERT_PAGE.loadingItems} rows={2} />;
  if (!pages.data) {
    return <FailedBox title={ALERT_PAGE.itemsFailed} error={pages.error} onRetry={pages.refetch} />;
  }
  // The list changes between two pages: an alert may move from one to the next.
  const items = new Map(pages.data.pages.flatMap((page) => page.items).map((item) => [alertKey(item), item]));
  return (
    <div className="mt-3 ps-8">
      {items.size === 0 && <p className="text-sm text-ink-2">{ALERT_PAGE.noItems}</p>}
      <ul className="divide-y divide-base-300 text-sm">
        {[...items].map(([key, item]) => {
          const way = wayOf(item);
          return (
            <li key={key} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 grow basis-64">
                {item.message}{" "}
                {item.since !== null && <span className="text-ink-3">{formatAge(now - item.since)}</span>}
              </span>
              <Link to={way.to} className="link whitespace-nowrap">{way.label}</Link>
            </li>
          );
        })}
      </ul>
      {pages.hasNextPage && (
        <BusyButton
          className="btn-ghost btn-sm mt-2 border-base-300"
          busy={pages.isFetchingNextPage}
          busyText={ALERT_PAGE.loadingItems}
          onClick={() => void pages.fetchNextPage()}
        >
          {ALERT_PAGE.showMore}
        </BusyButton>
      )}
    </div>
  );
}
