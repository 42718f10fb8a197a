import { Fragment, type ReactNode } from "react";
import { useVirtualRows, type VirtualRows } from "./use_virtual_rows.ts";

interface VirtualListProps<Item> {
  /** Name of the region that scrolls. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** The height of an item before it was measured. */
  itemPx: number;
  /** One `li` with `data-index`, `aria-posinset`, `aria-setsize` and `ref` as given. */
  renderItem: (item: Item, place: ItemPlace) => ReactNode;
  onNearEnd?: () => void;
  isBusy?: boolean;
  className?: string;
}

/** What makes an item part of a virtual list; goes onto its `li` as it is. */
export interface ItemPlace {
  ref: VirtualRows["measure"];
  "data-index": number;
  "aria-posinset": number;
  "aria-setsize": number;
}

/** A list of any length: only the items in sight are in the page. */
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
