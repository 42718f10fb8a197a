/** A row of a table, whatever the kind of its file. */
export interface TableRow {
  /** Counted as spreadsheets do, from 1. */
  rowNumber: number;
  /** Without the empty cells at its end. */
  cells: string[];
}
