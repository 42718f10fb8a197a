import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ADMIN_PATHS } from "../../admin_paths.ts";
import { ALERTS } from "../../text/admin_activity.ts";
import { formatAge } from "../../text/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { CauseRow } from "./cause_row.tsx";
import { alertsQuery, isOpen } from "./get_alerts.ts";
import { ALERT_PAGE } from "./text.ts";
import { useCauseInFocus } from "./use_cause_in_focus.ts";

const AGE_STEP_MS = 10_000;

/** Lists the causes that wait for a person, worst first, each with its step and a link to its screen. */
export function AlertsPanel({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const alerts = useQuery(alertsQuery);
  const now = useNow(AGE_STEP_MS);
  const open = alerts.data?.causes.filter(isOpen);
  const { container, changing } = useCauseInFocus<HTMLUListElement>(open);
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
      {open?.length === 0 && !alerts.isError && (
        <p className="tone-ok flex items-center gap-2 py-2">
          <CircleCheck className="size-5 text-tone" />
          {ALERTS.none}
        </p>
      )}
      <ul ref={container} tabIndex={-1} aria-label={ALERTS.title} className="grid gap-2">
        {open?.map((cause, index) => (
          <CauseRow
            key={cause.cause || index}
            cause={cause}
            items={alerts.data!.items}
            now={now}
            onGo={onClose}
            onChange={changing}
          />
        ))}
      </ul>
      {alerts.data?.hasMore && <p className="mt-2 text-sm text-ink-2">{ALERTS.hasMore}</p>}
      <Link to={ADMIN_PATHS.alerts} className="link mt-3 inline-block text-sm" onClick={onClose}>
        {ALERT_PAGE.toPage}
      </Link>
      <div className="mt-5 border-t border-base-300 pt-4">{children}</div>
      <button type="button" className="btn btn-ghost btn-sm mt-4 border-base-300" onClick={onClose}>
        {ALERTS.close}
      </button>
    </Dialog>
  );
}
