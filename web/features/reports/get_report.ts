import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Report } from "shared/report_api.ts";
import { ApiError, apiJson } from "../../data/api_client.ts";

/** Returns the path of a report, or of its file with `ending`. */
export function reportPath(id: number, field: string | undefined, ending = ""): string {
  const search = field === undefined ? "" : `?${new URLSearchParams({ field })}`;
  return `/api/campaigns/${id}/report${ending}${search}`;
}

/** The report of a campaign; the earlier answer stays while another field loads. */
export function reportQuery(id: number, field?: string) {
  return queryOptions({
    queryKey: ["/api/campaigns", id, "report", { field }],
    queryFn: ({ signal }) => apiJson<Report>("GET", reportPath(id, field), { signal }),
    placeholderData: keepPreviousData,
    // Its reading costs more than a screen's; the screen says how old it is and has a button.
    staleTime: Infinity,
    refetchOnMount: "always",
  });
}

export function isMissingReport(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
