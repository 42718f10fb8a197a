import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, Smartphone } from "lucide-react";
import { Link } from "react-router-dom";
import type { Dashboard } from "shared/admin_api.ts";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { activityFeedQuery } from "../../features/activity/get_activity.ts";
import { ActivityFeed } from "../../features/activity/activity_feed.tsx";
import { alertsQuery } from "../../features/alerts/get_alerts.ts";
import { WorstAlert } from "../../features/alerts/worst_alert.tsx";
import { ApprovalQueue } from "../../features/approvals/approval_queue.tsx";
import { approvalsQuery } from "../../features/approvals/get_approvals.ts";
import { APPROVALS } from "../../features/approvals/text.ts";
import { MessageBubble } from "../../features/campaigns/message_bubble.tsx";
import { ActiveDeviceCard } from "../../features/dashboard/active_device_card.tsx";
import { FleetLine } from "../../features/dashboard/fleet_line.tsx";
import { dashboardQuery } from "../../features/dashboard/get_dashboard.ts";
import { QuickActions } from "../../features/dashboard/quick_actions.tsx";
import { SendRate } from "../../features/dashboard/send_rate.tsx";
import { ResetQueues } from "../../features/dashboard/reset_dialog.tsx";
import { StatFigures } from "../../features/dashboard/stat_figures.tsx";
import { DeviceMenu } from "../../features/fleet/device_menu.tsx";
import { DASHBOARD } from "../../features/dashboard/text.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatTimeSince } from "../../text/format.ts";
import { formatWeekday } from "../../text/format_exact.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { RefreshButton } from "../../ui/refresh_button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { useSignedIn } from "../signed_in_context.ts";

const SECOND_MS = 1000;

/** The system at a glance: figures, trends, fleet, recent activity, and links to frequent tasks. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(DASHBOARD.heading));
  const cache = useQueryClient();
  const { live } = useSignedIn();
  const dashboard = useQuery(dashboardQuery);
  // Wait for all four: a later one would push down the text being read.
  const reads = [dashboard, useQuery(alertsQuery), useQuery(activityFeedQuery), useQuery(approvalsQuery)];
  const isFirst = reads.some((one) => one.isPending);
  const now = useNow(SECOND_MS);
  const refresh = () => cache.invalidateQueries();
  return (
    <>
      <PageHead
        heading={DASHBOARD.heading}
        acts={
          <>
            <RefreshButton onRefresh={refresh} />
            <ResetQueues effect={dashboard.data?.reset} />
          </>
        }
      >
        {dashboard.isError && dashboard.data
          ? DASHBOARD.stale(formatTimeSince(dashboard.dataUpdatedAt, now))
          : formatWeekday(now)}
      </PageHead>
      {isFirst ? <Skeleton text={DASHBOARD.loading} rows={4} /> : (
        <>
          <WorstAlert now={now} />
          <ApprovalQueue
            now={now}
            bubbleOf={({ text, imageUrl }) => (
              <MessageBubble
                message={text}
                image={imageUrl === null ? undefined : { url: imageUrl, label: APPROVALS.image }}
              />
            )}
          />
          {dashboard.data && <StatFigures stats={dashboard.data.stats} />}
          {dashboard.isError && !dashboard.data && (
            <FailedBox title={DASHBOARD.failed} error={dashboard.error} onRetry={dashboard.refetch} />
          )}
          <div className="mt-4 grid items-stretch gap-4 lg:grid-cols-[1fr_22rem]">
            {dashboard.data && <Rate points={dashboard.data.sendRate} />}
            <ActivityFeed now={now} isLive={live.state === "open"} />
          </div>
          <div className="mt-4 grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
            {dashboard.data && <ActiveDevices dashboard={dashboard.data} now={now} />}
            <QuickActions onRefresh={refresh} />
          </div>
        </>
      )}
    </>
  );
}

function Rate({ points }: { points: Dashboard["sendRate"] }) {
  return (
    <section className="sheet flex min-w-0 flex-col p-5" aria-labelledby="rate-h">
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="rate-h" className="text-lg font-bold">{DASHBOARD.rate}</h2>
        <Link
          to={ADMIN_PATHS.trends}
          className="inline-flex items-center gap-1 text-sm font-semibold text-primary"
        >
          {DASHBOARD.trends}
          <ChevronLeft className="size-4" />
        </Link>
      </div>
      {points.some(({ sent }) => sent > 0)
        ? <SendRate points={points} />
        : <p className="py-8 text-sm text-ink-2">{DASHBOARD.rateEmpty}</p>}
    </section>
  );
}

function ActiveDevices({ dashboard, now }: { dashboard: Dashboard; now: number }) {
  const isEmpty = dashboard.stats.totalDevices.value === 0;
  return (
    <section className="min-w-0" aria-labelledby="active-devices-h">
      <FleetLine fleet={dashboard.fleet} />
      {dashboard.devices.length === 0 && (
        <EmptyBox
          icon={Smartphone}
          title={DASHBOARD.noDevices}
          body={isEmpty ? DASHBOARD.noDevicesTeaching : DASHBOARD.allAway}
          action={
            <Link to={ADMIN_PATHS.sites} className="btn btn-primary btn-sm">
              {isEmpty ? DEVICES.add : DASHBOARD.toSites}
            </Link>
          }
        />
      )}
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {dashboard.devices.map((device) => (
          <ActiveDeviceCard
            key={device.deviceId}
            device={device}
            now={now}
            menu={<DeviceMenu device={{ ...device, id: device.deviceId }} />}
          />
        ))}
      </div>
    </section>
  );
}
