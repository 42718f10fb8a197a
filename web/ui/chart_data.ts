/** What a chart draws; the table behind it holds the same. */
export interface ChartData {
  /** Bars for parts of a whole, such as the hours of a day; otherwise lines over time. */
  shape?: "lines" | "bars";
  /** The first line is filled, a second one dashed; null is a gap. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  /** More columns of the table, which the picture leaves out. */
  more?: readonly { name: string; values: readonly (number | null)[] }[];
  /** Short labels under the points, oldest first. */
  labels: readonly string[];
  /** Each point's time in full, for the tooltip and the table. */
  spans: readonly string[];
  /** Whether the last point is not complete yet; it has the bright dot. */
  isRunning?: boolean;
  /** Every label is shown, if the picture is wide enough. */
  showsAllLabels?: boolean;
  /** Words a value: "1,690 הודעות". */
  unit: (value: number) => string;
}
