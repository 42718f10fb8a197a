import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { CauseRow } from "../../features/alerts/cause_row.tsx";
import { type AlertCause, alertsQuery, isOpen, type ShownAlerts } from "../../features/alerts/get_alerts.ts";
import { ALERT_PAGE } from "../../features/alerts/text.ts";
import { useCauseInFocus } from "../../features/alerts/use_cause_in_focus.ts";
import { ALERTS } from "../../text/admin_activity.ts";
import { ADMIN_SHELL } from "../../text/admin_shell.ts";
import { formatAge } from "../../text/format.ts";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page_head.tsx";
import { usePageTitle } from "../../ui/page_title.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";

const AGE_STEP_MS = 10_000;

/** All alerts by cause: those that wait for a person, then those that one has seen. */
export function Screen() {
  usePageTitle(ADMIN_SHELL.title(ALERT_PAGE.heading));
  const alerts = useQuery(alertsQuery);
  const now = useNow(AGE_STEP_MS);
  const open = alerts.data?.causes.filter(isOpen);
  const quiet = alerts.data?.causes.filter((cause) => !isOpen(cause));
  const { container, changing } = useCauseInFocus<HTMLDivElement>(open);
  return (
    <div ref={container} tabIndex={-1} className="max-w-[1080px]">
      <PageHead heading={ALERT_PAGE.heading}>{ALERT_PAGE.subtitle}</PageHead>
      {alerts.isPending && <Skeleton text={ALERTS.loading} rows={4} />}
      {alerts.isError && !alerts.data && (
        <FailedBox title={ALERTS.failed} error={alerts.error} onRetry={alerts.refetch} />
      )}
      {alerts.isError && alerts.data && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={ALERTS.stale}
          body={ALERTS.staleBody(formatAge(now - alerts.dataUpdatedAt))}
          className="mb-4"
        />
      )}
      {open?.length === 0 && <EmptyBox icon={CircleCheck} title={ALERTS.none} />}
      {open && open.length > 0 && (
        <CauseList
          heading={ALERT_PAGE.open}
          causes={open}
          alerts={alerts.data!}
          now={now}
          onChange={changing}
        />
      )}
      {quiet && quiet.length > 0 && (
        <CauseList
          heading={ALERT_PAGE.quiet}
          causes={quiet}
          alerts={alerts.data!}
          now={now}
          onChange={changing}
        />
      )}
    </div>
  );
}

interface CauseListProps {
  heading: string;
  causes: readonly AlertCause[];
  alerts: ShownAlerts;
  now: number;
  onChange: (cause: string) => void;
}

function CauseList({ heading, causes, alerts, now, onChange }: CauseListProps) {
  return (
    <section className="mt-6 first-of-type:mt-0" aria-label={heading}>
      <h2 className="mb-3 text-lg font-bold">{heading}</h2>
      <ul className="grid gap-2">
        {causes.map((cause, index) => (
          <CauseRow
            key={cause.cause || index}
            cause={cause}
            items={alerts.items}
            now={now}
            onChange={onChange}
            isFull
          />
        ))}
      </ul>
    </section>
  );
}
