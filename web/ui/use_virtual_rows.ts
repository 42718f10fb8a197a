import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";

const OVERSCAN = 12;
/** How far from the end of what is loaded more is asked for. */
const LOAD_AHEAD_ROWS = 30;

export interface VirtualRowsOptions {
  count: number;
  /** The height of a row before it was measured. */
  rowPx: number;
  keyOf: (index: number) => string | number;
  onNearEnd?: () => void;
  /** While it is true `onNearEnd` does nothing; once it is not, who stands near the end is told again. */
  isBusy?: boolean;
  /** Told the first and the last row in the page whenever they change. */
  onShown?: (first: number, last: number) => void;
}

export interface VirtualRows {
  /** The element that scrolls. */
  region: RefObject<HTMLDivElement | null>;
  /** The rows in sight and a few around them. */
  shown: readonly { index: number; key: string | number }[];
  /** The height of what is above and below them, in px. */
  beforePx: number;
  afterPx: number;
  /** Tells how high a row came out; the row has its `data-index`. */
  measure: (element: Element | null) => void;
}

/** The rows of a long list that are in sight: only these are in the page. */
export function useVirtualRows(
  { count, rowPx, keyOf, onNearEnd, isBusy, onShown }: VirtualRowsOptions,
): VirtualRows {
  const region = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    getItemKey: keyOf,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const firstShown = items[0]?.index ?? 0;
  useEffect(() => onShown?.(firstShown, lastShown), [firstShown, lastShown, count]);
  useEffect(() => {
    if (lastShown >= count - LOAD_AHEAD_ROWS) onNearEnd?.();
  }, [lastShown, count, isBusy]);
  return {
    region,
    shown: items.map(({ index, key }) => ({ index, key: key as string | number })),
    beforePx: items[0]?.start ?? 0,
    afterPx: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
  };
}
