import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { formatAge } from "../../text/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { iconOf, wayOf } from "./alert_look.ts";
import { alertsQuery } from "./get_alerts.ts";

/** Shows the worst alert with its link; nothing when there is no alert. */
export function WorstAlert({ now }: { now: number }) {
  const alert = useQuery(alertsQuery).data?.items[0];
  if (!alert) return null;
  const way = wayOf(alert);
  return (
    <Notice
      tone={alert.type === "error" ? "bad" : "warn"}
      icon={iconOf(alert)}
      lead={alert.message}
      body={alert.since === null ? undefined : formatAge(now - alert.since)}
      className="mb-4"
      action={<Link to={way.to} className="btn btn-sm btn-secondary">{way.label}</Link>}
    />
  );
}
