import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Delivery } from "shared/http_api.ts";
import { type DeliveryFilter, type DeliveryPage, deliveryPageQuery } from "./get_deliveries.ts";

export interface DeliveryPages {
  /** Undefined before the first page came. */
  rows: Delivery[] | undefined;
  /** Why the first page did not come, or null. */
  error: Error | null;
  retry: () => Promise<unknown>;
  /** Tells which rows are in sight: only their pages are asked for again. */
  onShown: (first: number, last: number) => void;
  /** Asks for one page more, if there is one. */
  onNearEnd: () => void;
}

/**
 * The recipients as one list of which only the pages in sight are kept fresh, however many were scrolled through.
 * Each page begins after a fixed row, so when rows leave a page it reaches into the next one; what comes twice is
 * shown once.
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
  // A page is longer than a window, so what is in sight lies on two pages at most.
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
  /** The first row of each page. */
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
