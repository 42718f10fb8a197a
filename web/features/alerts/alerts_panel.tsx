import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ALERTS } from "../../text/admin_activity.ts";
import { formatAge } from "../../text/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { iconOf, wayOf } from "./alert_look.ts";
import { alertKey } from "./fresh_alerts.ts";
import { alertsQuery } from "./get_alerts.ts";

const AGE_STEP_MS = 10_000;

/** Lists all alerts, worst first, each with a link to its screen. */
export function AlertsPanel({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const alerts = useQuery(alertsQuery);
  const now = useNow(AGE_STEP_MS);
  return (
    <Dialog title={ALERTS.title} onClose={onClose}>
      {alerts.isError && !alerts.data && (
        <FailedBox title={ALERTS.failed} error={alerts.error} onRetry={alerts.refetch} />
      )}
      {alerts.isPending && <Skeleton text={ALERTS.loading} rows={2} />}
      {alerts.isError && alerts.data && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={ALERTS.stale}
          body={ALERTS.staleBody(formatAge(now - alerts.dataUpdatedAt))}
          className="mb-2"
        />
      )}
      {alerts.data?.items.length === 0 && !alerts.isError && (
        <p className="tone-ok flex items-center gap-2 py-2">
          <CircleCheck className="size-5 text-tone" />
          {ALERTS.none}
        </p>
      )}
      <ul className="grid gap-2">
        {alerts.data?.items.map((alert) => {
          const way = wayOf(alert);
          return (
            <li key={alertKey(alert)}>
              <Notice
                tone={alert.type === "error" ? "bad" : "warn"}
                icon={iconOf(alert)}
                lead={alert.message}
                body={alert.since === null ? undefined : formatAge(now - alert.since)}
                action={
                  <Link to={way.to} className="btn btn-sm btn-secondary" onClick={onClose}>{way.label}</Link>
                }
              />
            </li>
          );
        })}
      </ul>
      {alerts.data && alerts.data.cut.length > 0 && (
        <p className="mt-2 text-sm text-ink-2">{ALERTS.hasMore}</p>
      )}
      <div className="mt-5 border-t border-base-300 pt-4">{children}</div>
      <button type="button" className="btn btn-ghost btn-sm mt-4 border-base-300" onClick={onClose}>
        {ALERTS.close}
      </button>
    </Dialog>
  );
}
