/** What every part of the bench gives: figures, each beside the bar it is held to, or a floor to compare with. */

export interface Figure {
  name: string;
  value: number;
  /** "ms", "MB", "% of a core", … */
  unit: string;
  /** Nothing to be held to where it is missing: a floor of this machine, or a count that says what was done. */
  bar?: { atMost: number } | { atLeast: number };
}

/** Figures that belong side by side; the first column says of what each row is. */
export interface Table {
  columns: string[];
  rows: number[][];
  /** Of the last row to the first, without the first column. */
  lastToFirst: number[];
}

export interface Part {
  name: string;
  /** A name for several parts together. */
  group?: string;
  /** What is measured, on what data, by what settings. */
  says: string;
  /** A line of text is a figure that has said its bar itself. */
  measure(): AsyncIterable<Figure | Table | string>;
}

/** Whether a figure keeps its bar, or null where it has none. */
export function keepsBar({ value, bar }: Figure): boolean | null {
  if (bar === undefined) return null;
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** A line of the page, or those of a table. */
export function toLine(figure: Figure | Table | string): string {
  if (typeof figure === "string") return `    ${figure}`;
  if ("columns" in figure) return toTable(figure);
  const { name, value, unit, bar } = figure;
  const kept = keepsBar(figure);
  const mark = kept === null ? " " : kept ? "✓" : "✗";
  const beside = bar === undefined
    ? ""
    : `  (bar: ${"atMost" in bar ? `≤ ${short(bar.atMost)}` : `≥ ${short(bar.atLeast)}`})`;
  return `  ${mark} ${name}: ${short(value)} ${unit}`.trimEnd() + beside;
}

function toTable({ columns, rows, lastToFirst }: Table): string {
  const cells = [
    columns,
    ...rows.map((row) => row.map(short)),
    ["last to first", ...lastToFirst.map((ratio) => `${short(ratio)} ×`)],
  ];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) => `    ${row.map((cell, column) => cell.padStart(widths[column])).join("   ")}`)
    .join("\n");
}

/** The value below which `share` of `values` lie; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The middle one, or the mean of the two there; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

/** Three digits are more than one run on a shared machine is good for. */
function short(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
