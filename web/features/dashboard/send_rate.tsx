import type { Dashboard } from "shared/admin_api.ts";
import { formatTime } from "../../text/format.ts";
import { Chart } from "../../ui/chart.tsx";
import { DASHBOARD } from "./text.ts";

type RatePoint = Dashboard["sendRate"][number];

const TWO_HOURS_MS = 2 * 60 * 60_000;

/** Messages in each two hours of a day; the last two hours are still running. */
export function SendRate({ points }: { points: readonly RatePoint[] }) {
  return (
    <Chart
      data={{
        series: [{ name: DASHBOARD.rateColumns.sent, values: points.map(({ sent }) => sent) }],
        labels: points.map(({ at }) => formatTime(at)),
        spans: points.map(spanOf),
        isRunning: true,
        unit: DASHBOARD.rateSent,
      }}
      sentence={sentenceOf(points)}
      caption={DASHBOARD.rateTable}
      timeHead={DASHBOARD.rateColumns.from}
      note={DASHBOARD.ratePeriod}
    />
  );
}

function spanOf({ at }: RatePoint): string {
  return DASHBOARD.rateSpan(formatTime(at), formatTime(at + TWO_HOURS_MS));
}

function sentenceOf(points: readonly RatePoint[]): string {
  const total = points.reduce((sum, { sent }) => sum + sent, 0);
  const most = points.reduce((best, point) => point.sent > best.sent ? point : best);
  return DASHBOARD.rateSentence(total, most.sent, formatTime(most.at));
}
