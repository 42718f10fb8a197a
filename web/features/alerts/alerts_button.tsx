import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ALERTS } from "../../text/admin_activity.ts";
import { Num } from "../../ui/num.tsx";
import { AlertsPanel } from "./alerts_panel.tsx";
import { alertsQuery, isOpen } from "./get_alerts.ts";

/** The bell in the bar: shows the number of open alerts and opens their panel. `children` follow the list. */
export function AlertsButton({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  const { data: alerts, isError } = useQuery(alertsQuery);
  const count = alerts?.causes.filter(isOpen).length ?? 0;
  const hasMore = alerts?.hasMore ?? false;
  const none = alerts && !isError ? ALERTS.bellNone : ALERTS.bellUnknown;
  const label = count === 0 ? none : ALERTS.bell(count, hasMore);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-square btn-sm relative"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setShown(true)}
      >
        <Bell className="size-[1.125rem]" />
        {count > 0 && (
          <span
            className="tone-bad absolute end-0 top-0 min-w-4 rounded-full bg-error px-1 text-center text-[0.6875rem] leading-4 font-bold text-error-content"
            aria-hidden="true"
          >
            <Num>{hasMore ? `${count}+` : count}</Num>
          </span>
        )}
      </button>
      {isShown && <AlertsPanel onClose={() => setShown(false)}>{children}</AlertsPanel>}
    </>
  );
}
