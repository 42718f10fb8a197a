import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AdminAlert, AdminAlerts, AlertCause, AlertItems, OutsideAlerts } from "shared/admin_api.ts";
import { apiJson, readByKey } from "../../data/api_client.ts";
import { readPage } from "../../data/read_page.ts";

export type { AdminAlert, AlertCause };

const ALERTS_REFRESH_MS = 5000;

/** What the screens read: during an update the server may be older than this screen. */
export interface ShownAlerts extends AdminAlerts {
  /** Whether alerts exist that neither `items` nor `causes` has; only an older server leaves some out. */
  hasMore: boolean;
}

const readAlerts = readByKey<Omit<AdminAlerts, "cut" | "causes"> & Partial<AdminAlerts>>();

/** All alerts and their causes, worst first. */
export const alertsQuery = queryOptions({
  queryKey: ["/api/admin/alerts"],
  queryFn: async (context): Promise<ShownAlerts> => {
    const { items, cut = [], causes } = await readAlerts(context);
    return {
      items,
      cut,
      causes: causes ?? items.map(causeOfOne),
      hasMore: causes === undefined && cut.length > 0,
    };
  },
  refetchInterval: ALERTS_REFRESH_MS,
});

/** Whether a cause waits for a person. */
export const isOpen = ({ quiet }: AlertCause) => quiet === null;

/** Returns the alerts without those of quiet causes, which no notification shows. */
export function withoutQuiet({ items, cut, causes, hasMore }: ShownAlerts): ShownAlerts {
  const quiet = causes.filter((cause) => !isOpen(cause)).map(({ cause }) => cause);
  return { items: items.filter(({ cause }) => !quiet.includes(cause)), cut, causes, hasMore };
}

/** Returns an older server's alert as a cause of its own, which nobody can keep quiet. */
function causeOfOne({ code, type, message, since }: AdminAlert): AlertCause {
  const facts = { count: 1, alerts: 1, since, newest: since, quiet: null, messages: [] };
  return { cause: "", code, type, title: message, step: "", ...facts };
}

const PAGE_ALERTS = 20;

/** The single alerts of a cause, page by page. */
export function alertItemsQuery(cause: string) {
  return infiniteQueryOptions({
    queryKey: ["/api/admin/alerts", "items", cause],
    queryFn: ({ pageParam, signal }) =>
      readPage<AlertItems>(
        "/api/admin/alerts/items",
        { cause, cursor: pageParam, limit: PAGE_ALERTS },
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ALERTS_REFRESH_MS,
  });
}

/** What leaves the browser, and the state of each way out. */
export const outsideQuery = queryOptions({
  queryKey: ["/api/admin/alerts", "outside"],
  queryFn: ({ signal }) => apiJson<OutsideAlerts>("GET", "/api/admin/alerts/outside", { signal }),
});
