import type { Trends } from "shared/trends.ts";
import { formatDate } from "../../text/format.ts";
import { Chart } from "../../ui/chart.tsx";
import { TRENDS } from "./text.ts";

/** Messages on each day of the period, and on the days before it when all of them were measured. */
export function TrendChart({ trends: { points, before, total, days } }: { trends: Trends }) {
  const most = points.reduce((best, point) => (point.sent ?? 0) > (best.sent ?? 0) ? point : best);
  return (
    <Chart
      data={{
        series: [
          { name: TRENDS.sent, values: points.map(({ sent }) => sent) },
          ...(before ? [{ name: TRENDS.before, values: points.map(({ sentBefore }) => sentBefore) }] : []),
        ],
        labels: points.map(({ at }) => shortDay(at)),
        spans: points.map(({ at }) => formatDate(at)),
        unit: TRENDS.unit,
      }}
      sentence={TRENDS.sentence(total.sent, days, most.sent ?? 0, formatDate(most.at))}
      caption={TRENDS.chartTable}
      timeHead={TRENDS.day}
    />
  );
}

/** "23.9" */
function shortDay(at: number): string {
  return formatDate(at).split(".").slice(0, 2).join(".");
}
