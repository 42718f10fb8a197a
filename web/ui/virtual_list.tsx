import { Fragment, type ReactNode } from "react";
import { useVirtualRows, type VirtualRows } from "./use_virtual_rows.ts";

interface VirtualListProps<Item> {
  /** Accessible name of the scrolling region. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Assumed height of an item before its measurement. */
  itemPx: number;
  /** Renders one `li` with the given `data-index`, `aria-posinset`, `aria-setsize` and `ref`. */
  renderItem: (item: Item, place: ItemPlace) => ReactNode;
  onNearEnd?: () => void;
  isBusy?: boolean;
  className?: string;
}

/** Attributes of an item in a virtual list; spread them onto its `li`. */
export interface ItemPlace {
  ref: VirtualRows["measure"];
  "data-index": number;
  "aria-posinset": number;
  "aria-setsize": number;
}

/** A list of any length: only the visible items are rendered. */
export function VirtualList<Item>(
  { label, items, keyOf, itemPx, renderItem, onNearEnd, isBusy, className = "max-h-[40rem]" }:
    VirtualListProps<Item>,
) {
  const { region, shown, beforePx, afterPx, measure } = useVirtualRows({
    count: items.length,
    rowPx: itemPx,
    keyOf: (index) => keyOf(items[index]),
    onNearEnd,
    isBusy,
  });
  return (
    <div
      ref={region}
      className={`relative overflow-auto ${className}`}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <ul className="divide-y divide-base-300" style={{ paddingTop: beforePx, paddingBottom: afterPx }}>
        {shown.map(({ index, key }) => (
          <Fragment key={key}>
            {renderItem(items[index], {
              ref: measure,
              "data-index": index,
              "aria-posinset": index + 1,
              "aria-setsize": items.length,
            })}
          </Fragment>
        ))}
      </ul>
    </div>
  );
}
