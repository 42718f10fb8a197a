import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";

const OVERSCAN = 12;
/** Distance, in rows, from the end of the loaded rows at which more are requested. */
const LOAD_AHEAD_ROWS = 30;

export interface VirtualRowsOptions {
  count: number;
  /** Assumed height of a row before its measurement. */
  rowPx: number;
  keyOf: (index: number) => string | number;
  onNearEnd?: () => void;
  /** While true, `onNearEnd` is not called; when it turns false near the end, it is called again. */
  isBusy?: boolean;
  /** Called with the first and last rendered row whenever they change. */
  onShown?: (first: number, last: number) => void;
}

export interface VirtualRows {
  /** The scrolling element. */
  region: RefObject<HTMLDivElement | null>;
  /** The visible rows and a few around them. */
  shown: readonly { index: number; key: string | number }[];
  /** Total height of the rows above and below, in px. */
  beforePx: number;
  afterPx: number;
  /** Ref that measures a row; the row has a `data-index`. */
  measure: (element: Element | null) => void;
}

/** Returns the visible rows of a long list: only these are rendered. */
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
