import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { formatAge } from "../../text/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { iconOf, wayOfCause } from "./alert_look.ts";
import { alertsQuery, isOpen } from "./get_alerts.ts";

/** Shows the worst open cause with its step and link; nothing when there is none. */
export function WorstAlert({ now }: { now: number }) {
  const alerts = useQuery(alertsQuery).data;
  const cause = alerts?.causes.find(isOpen);
  if (!alerts || !cause) return null;
  const way = wayOfCause(cause, alerts.items);
  const age = cause.since === null ? undefined : formatAge(now - cause.since);
  return (
    <Notice
      tone={cause.type === "error" ? "bad" : "warn"}
      icon={iconOf(cause)}
      lead={cause.step ? `${cause.title}.` : cause.title}
      body={[cause.step, age].filter(Boolean).join(" ") || undefined}
      className="mb-4"
      action={<Link to={way.to} className="btn btn-sm btn-secondary">{way.label}</Link>}
    />
  );
}
