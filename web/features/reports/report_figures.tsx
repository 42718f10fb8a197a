import type { Report } from "shared/report_api.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";
import { REPORT } from "./text.ts";

/** The sums of the campaign, each beside the client's usual share. */
export function ReportFigures({ report: { total, counts, removals, earlier } }: { report: Report }) {
  const usual = {
    total: earlier.reduce((sum, one) => sum + one.total, 0),
    sent: earlier.reduce((sum, one) => sum + one.counts.sent, 0),
    failed: earlier.reduce((sum, one) => sum + one.counts.failed, 0),
    unknown: earlier.reduce((sum, one) => sum + one.counts.unknown, 0),
    removals: earlier.reduce((sum, one) => sum + one.removals, 0),
  };
  const notes = (share: string, part: number, whole: number) =>
    whole === 0 ? [share] : [share, REPORT.usual(percentOf(part, whole))];
  const figures = [
    {
      label: REPORT.sent,
      value: counts.sent,
      notes: notes(REPORT.of(total), usual.sent, usual.total),
    },
    {
      label: REPORT.failedCount,
      value: counts.failed,
      notes: notes(REPORT.ofAll(percentOf(counts.failed, total)), usual.failed, usual.total),
    },
    {
      label: REPORT.unknown,
      value: counts.unknown,
      notes: notes(REPORT.ofAll(percentOf(counts.unknown, total)), usual.unknown, usual.total),
    },
    {
      label: REPORT.removals,
      value: removals.total,
      notes: notes(REPORT.ofSent(percentOf(removals.total, counts.sent)), usual.removals, usual.sent),
    },
  ];
  return (
    <section className="sheet figs paper-sheet" aria-label={REPORT.figures}>
      {figures.map(({ label, value, notes }, index) => (
        <article key={label} className="fig">
          <h2 className="eyebrow">{label}</h2>
          <p
            className={`mt-1 font-extrabold tracking-tight ${
              index === 0 ? "text-4xl sm:text-5xl" : "text-3xl sm:text-4xl"
            }`}
          >
            <Num>{formatNumber(value)}</Num>
          </p>
          {notes.map((note) => <p key={note} className="mt-1 text-xs text-ink-2">{note}</p>)}
        </article>
      ))}
    </section>
  );
}
