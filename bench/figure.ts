/** Results of a bench part: figures, each with its limit, or a baseline to compare with. */

export interface Figure {
  name: string;
  value: number;
  /** "ms", "MB", "% of a core", … */
  unit: string;
  /** Limit of the figure; missing for a baseline of this machine or a count of the work done. */
  bar?: { atMost: number } | { atLeast: number };
}

/** Related figures in rows; the first column names the row. */
export interface Table {
  columns: string[];
  rows: number[][];
  /** Ratio of the last row to the first, without the first column. */
  lastToFirst: number[];
}

export interface Part {
  name: string;
  /** Common name of several parts. */
  group?: string;
  /** Description of the measurement, its data and settings. */
  about: string;
  /** A line of text already contains its own limit. */
  measure(): AsyncIterable<Figure | Table | string>;
}

/** Returns whether a figure is within its limit; null without a limit. */
export function keepsBar({ value, bar }: Figure): boolean | null {
  if (bar === undefined) return null;
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** Returns a line of the page, or the lines of a table. */
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

/** Returns the value below which `share` of `values` are; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Returns the middle value, or the mean of the two middle ones; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
}

/** Rounds to three digits: one run on a shared machine is not more precise. */
function short(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
