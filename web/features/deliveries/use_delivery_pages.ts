import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Delivery } from "shared/http_api.ts";
import { type DeliveryFilter, type DeliveryPage, deliveryPageQuery } from "./get_deliveries.ts";

export interface DeliveryPages {
  /** Undefined before the first page arrived. */
  rows: Delivery[] | undefined;
  /** Error of the first page, or null. */
  error: Error | null;
  retry: () => Promise<unknown>;
  /** Reports the visible rows: only their pages are fetched again. */
  onShown: (first: number, last: number) => void;
  /** Requests one more page, if there is one. */
  onNearEnd: () => void;
}

/**
 * Returns the recipients as one list; only the visible pages are kept fresh, however many were loaded. Each page
 * starts after a fixed row. When rows leave a page it overlaps the next one, and duplicate rows are removed.
 */
export function useDeliveryPages(
  campaignId: number,
  filter: DeliveryFilter,
  isMoving: boolean,
): DeliveryPages {
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const [held] = useState(() => new Map<string | null, DeliveryPage>());
  const newest = cursors.length - 1;

  function usePage(page: number, keepFresh: boolean) {
    const query = useQuery(deliveryPageQuery(campaignId, filter, cursors[page], isMoving && keepFresh));
    if (query.data) held.set(cursors[page], query.data);
    return query;
  }
  // A page is longer than a window, so the visible rows span two pages at most.
  const first = usePage(Math.min(sight.first, newest), true);
  const last = usePage(Math.min(sight.last, newest), true);
  const added = usePage(newest, false);

  const { rows, starts } = useMemo(
    () => joinPages(cursors.map((cursor) => held.get(cursor))),
    [cursors, first.data, last.data, added.data],
  );
  const pageOf = (row: number) => Math.max(0, starts.findLastIndex((start) => start <= row));
  return {
    rows: held.has(null) ? rows : undefined,
    error: first.error,
    retry: () => first.refetch(),
    onShown(firstRow, lastRow) {
      const seen = { first: pageOf(firstRow), last: pageOf(lastRow) };
      if (seen.first !== sight.first || seen.last !== sight.last) setSight(seen);
    },
    onNearEnd() {
      const next = added.data?.nextCursor ?? null;
      if (next !== null && !cursors.includes(next)) setCursors([...cursors, next]);
    },
  };
}

function joinPages(pages: (DeliveryPage | undefined)[]): { rows: Delivery[]; starts: number[] } {
  const rows: Delivery[] = [];
  /** Cursor before each page. */
  const starts: number[] = [];
  const known = new Set<number>();
  for (const page of pages) {
    starts.push(rows.length);
    for (const row of page?.items ?? []) {
      if (known.has(row.id)) continue;
      known.add(row.id);
      rows.push(row);
    }
  }
  return { rows, starts };
}
