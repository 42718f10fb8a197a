import type { Trends } from "shared/trends.ts";
import { formatNumber } from "../../text/format.ts";
import { percentOf } from "../../text/percent.ts";
import { Num } from "../../ui/num.tsx";
import { ChangeOf } from "./change_of.tsx";
import { TRENDS } from "./text.ts";

/** The sums of the period, each beside the period before. */
export function TrendFigures({ trends: { total, before, points } }: { trends: Trends }) {
  const measured = points.filter(({ sent }) => sent !== null).length;
  const outcomes = total.sent + total.failed + total.unknown;
  const figures = [
    {
      label: TRENDS.sent,
      value: formatNumber(total.sent),
      note: <Versus value={total.sent} before={before?.sent} />,
    },
    {
      label: TRENDS.average,
      value: formatNumber(measured === 0 ? 0 : Math.round(total.sent / measured)),
      note: TRENDS.perDay,
    },
    {
      label: TRENDS.failedCount,
      value: formatNumber(total.failed),
      note: TRENDS.ofAll(percentOf(total.failed, outcomes)),
    },
    {
      label: TRENDS.unknown,
      value: formatNumber(total.unknown),
      note: TRENDS.ofAll(percentOf(total.unknown, outcomes)),
    },
  ];
  return (
    <section className="sheet figs" aria-label={TRENDS.figures}>
      {figures.map(({ label, value, note }) => (
        <article key={label} className="fig">
          <h2 className="eyebrow">{label}</h2>
          <p className="mt-1 text-3xl sm:text-4xl font-extrabold tracking-tight">
            <Num>{value}</Num>
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-2">{note}</p>
        </article>
      ))}
    </section>
  );
}

function Versus({ value, before }: { value: number; before: number | undefined }) {
  if (before === undefined) return TRENDS.notCompared;
  if (value === before) return TRENDS.sameAsBefore;
  return (
    <>
      <ChangeOf value={value} before={before} /> {TRENDS.versusBefore}
    </>
  );
}
