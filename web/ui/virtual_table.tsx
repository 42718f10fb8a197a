import { Fragment, type ReactNode } from "react";
import { useVirtualRows, type VirtualRows } from "./use_virtual_rows.ts";

const ROW_PX = 45;

interface VirtualTableProps<Row> {
  /** Name of the region that scrolls. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The cells of the head row. */
  head: ReactNode;
  columns: number;
  /** One `tr` with `data-index`, `aria-rowindex` and `ref` as given. */
  renderRow: (row: Row, place: RowPlace) => ReactNode;
  onNearEnd?: () => void;
  isBusy?: boolean;
  /** Told the first and the last row in the page whenever they change. */
  onShown?: (first: number, last: number) => void;
  className?: string;
}

/** What makes a row part of a virtual table; goes onto its `tr` as it is. */
export interface RowPlace {
  ref: VirtualRows["measure"];
  "data-index": number;
  "aria-rowindex": number;
}

/** A table of any length: only the rows in sight are in the page. */
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

/** Stands for the rows that are out of sight, so that the scroll bar tells the truth. */
function SpacerRow({ heightPx, columns }: { heightPx: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0 }} />
    </tr>
  );
}
