import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ACTIVITY } from "../../text/admin_activity.ts";
import { formatAge } from "../../text/format.ts";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ActivityLine } from "./activity_line.tsx";
import { activityFeedQuery } from "./get_activity.ts";

interface ActivityFeedProps {
  now: number;
  /** Whether the live channel is open; the feed shows "live" only then. */
  isLive: boolean;
}

/** 'פעילות אחרונה': shows the newest lines as they arrive. */
export function ActivityFeed({ now, isLive }: ActivityFeedProps) {
  const feed = useQuery(activityFeedQuery);
  return (
    <section className="sheet flex min-w-0 flex-col p-5" aria-labelledby="feed-h">
      <div className="mb-1 flex items-center justify-between">
        <h2 id="feed-h" className="text-lg font-bold">{ACTIVITY.recent}</h2>
        {isLive && (
          <span className="mark mark-working">
            <span className="live-dot" />
            {ACTIVITY.live}
          </span>
        )}
      </div>
      {feed.data && feed.data.items.length > 0 && (
        <ul
          className="max-h-[400px] divide-y divide-base-300 overflow-y-auto"
          tabIndex={0}
          aria-label={ACTIVITY.recent}
        >
          {feed.data.items.map((line) => (
            <li key={line.id} className="flex gap-3 py-2.5">
              <ActivityLine line={line} when={formatAge(now - line.timestamp)} />
            </li>
          ))}
        </ul>
      )}
      {feed.data?.items.length === 0 && <p className="py-3 text-sm text-ink-2">{ACTIVITY.empty}</p>}
      {feed.isPending && <Skeleton text={ACTIVITY.loading} />}
      {feed.isError && !feed.data && (
        <FailedBox title={ACTIVITY.failed} error={feed.error} onRetry={feed.refetch} />
      )}
      <Link
        to={ADMIN_PATHS.activity}
        className="mt-auto inline-flex items-center gap-1 self-start pt-3 text-sm font-semibold text-primary"
      >
        {ACTIVITY.all}
        <ChevronLeft className="size-4" />
      </Link>
    </section>
  );
}
