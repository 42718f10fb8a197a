import type { Report } from "shared/report_api.ts";
import { formatDate, formatTime } from "../../text/format.ts";
import { Chart } from "../../ui/chart.tsx";
import { Section } from "./section.tsx";
import { REPORT } from "./text.ts";

interface TimeSectionProps {
  report: Report;
  isPaper: boolean;
}

/** Messages by hour or by day, from the first to the last. */
export function TimeSection({ report: { times: { step, points }, counts }, isPaper }: TimeSectionProps) {
  const spanOf = (at: number) => step === "day" ? formatDate(at) : `${formatDate(at)}, ${formatTime(at)}`;
  return (
    <Section id="times-h" heading={REPORT.times}>
      {points.length === 0 ? <p className="text-sm text-ink-2">{REPORT.noTimes}</p> : (
        <Chart
          data={{
            // A line needs two points; fewer are bars.
            shape: points.length < 3 ? "bars" : "lines",
            series: [
              { name: REPORT.sent, values: points.map(({ sent }) => sent) },
              { name: REPORT.failedCount, values: points.map(({ failed }) => failed) },
            ],
            more: [
              { name: REPORT.unknown, values: points.map(({ unknown }) => unknown) },
              { name: REPORT.removals, values: points.map(({ removals }) => removals) },
            ],
            labels: points.map(({ at }) => step === "day" ? shortDay(at) : formatTime(at)),
            spans: points.map(({ at }) => spanOf(at)),
            unit: REPORT.unit,
          }}
          sentence={REPORT.timesSentence(counts.sent, points.length, step)}
          caption={REPORT.timesTable}
          timeHead={REPORT.time[step]}
          isPaper={isPaper}
        />
      )}
    </Section>
  );
}

/** Messages by the hour of the day. */
export function HourSection({ report: { byHour, counts }, isPaper }: TimeSectionProps) {
  if (counts.sent === 0) return null;
  const best = byHour.reduce((most, hour, index) => hour.sent > byHour[most]!.sent ? index : most, 0);
  return (
    <Section id="by-hour-h" heading={REPORT.byHour}>
      <Chart
        data={{
          shape: "bars",
          showsAllLabels: true,
          series: [{ name: REPORT.sent, values: byHour.map(({ sent }) => sent) }],
          more: [
            { name: REPORT.failedCount, values: byHour.map(({ failed }) => failed) },
            { name: REPORT.unknown, values: byHour.map(({ unknown }) => unknown) },
            { name: REPORT.removals, values: byHour.map(({ removals }) => removals) },
          ],
          labels: byHour.map((_, hour) => String(hour)),
          spans: byHour.map((_, hour) => REPORT.hourSpan(hour)),
          unit: REPORT.unit,
        }}
        note={REPORT.byHourNote}
        sentence={REPORT.byHourSentence(`ב־${REPORT.hourSpan(best)}`)}
        caption={REPORT.byHourTable}
        timeHead={REPORT.time.hour}
        isPaper={isPaper}
      />
    </Section>
  );
}

/** "23.9" */
function shortDay(at: number): string {
  return formatDate(at).split(".").slice(0, 2).join(".");
}
