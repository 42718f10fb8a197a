import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiRequest } from "../../data/api_client.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { type AlertCause, alertsQuery } from "./get_alerts.ts";
import { ALERT_PAGE } from "./text.ts";

/** Lengths of a snooze in hours, as the server allows them. */
export const SNOOZES = [1, 4, 24, 168] as const;

interface Change {
  cause: AlertCause;
  /** A number snoozes, null acknowledges, "end" returns the cause to the list. */
  to: number | null | "end";
}

/** Acknowledges or snoozes a cause, or ends that; every administrator sees it. */
export function useChangeQuiet() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ cause: { cause, count, newest }, to }: Change) =>
      to === "end"
        ? apiRequest("DELETE", "/api/admin/alerts/quiet", { body: { cause } })
        : apiRequest("PUT", "/api/admin/alerts/quiet", {
          body: { cause, hours: to, seen: { count, newest } },
        }),
    onError: (error) => showFailure(ALERT_PAGE.changed, error, ALERT_PAGE.changedHint),
    onSettled: () => cache.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true }),
  });
}
