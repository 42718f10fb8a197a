import { Fragment, type ReactNode } from "react";
import { useVirtualRows, type VirtualRows } from "./use_virtual_rows.ts";

const ROW_PX = 45;

interface VirtualTableProps<Row> {
  /** Accessible name of the scrolling region. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Cells of the head row. */
  head: ReactNode;
  columns: number;
  /** Renders one `tr` with the given `data-index`, `aria-rowindex` and `ref`. */
  renderRow: (row: Row, place: RowPlace) => ReactNode;
  onNearEnd?: () => void;
  isBusy?: boolean;
  /** Called with the first and last rendered row whenever they change. */
  onShown?: (first: number, last: number) => void;
  className?: string;
}

/** Attributes of a row in a virtual table; spread them onto its `tr`. */
export interface RowPlace {
  ref: VirtualRows["measure"];
  "data-index": number;
  "aria-rowindex": number;
}

/** A table of any length: only the visible rows are rendered. */
export function VirtualTable<Row>(
  { label, rows, keyOf, head, columns, renderRow, onNearEnd, isBusy, onShown, className = "max-h-[36rem]" }:
    VirtualTableProps<
      Row
    >,
) {
  const { region, shown, beforePx, afterPx, measure } = useVirtualRows({
    count: rows.length,
    rowPx: ROW_PX,
    keyOf: (index) => keyOf(rows[index]),
    onNearEnd,
    isBusy,
    onShown,
  });
  return (
    <div
      ref={region}
      className={`relative overflow-auto ${className}`}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="grid-table" aria-rowcount={rows.length + 1}>
        <thead className="sticky top-0 z-10">
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          {beforePx > 0 && <SpacerRow heightPx={beforePx} columns={columns} />}
          {shown.map(({ index, key }) => (
            <Fragment key={key}>
              {renderRow(rows[index], { ref: measure, "data-index": index, "aria-rowindex": index + 2 })}
            </Fragment>
          ))}
          {afterPx > 0 && <SpacerRow heightPx={afterPx} columns={columns} />}
        </tbody>
      </table>
    </div>
  );
}

/** Fills the height of the rows that are not rendered, so the scroll bar is correct. */
function SpacerRow({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}
