import { ArrowDown, ArrowUp } from "lucide-react";
import type { Dashboard, Stat } from "shared/admin_api.ts";
import { DASHBOARD } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { RISE } from "../../text/rise.ts";
import { Num } from "../../ui/num.tsx";
import { SparkLine } from "../../ui/spark_line.tsx";

interface Figure {
  label: string;
  stat: Stat;
  /** Formats the value. */
  write: (value: number) => string;
  /** Whether an increase is good or bad news. */
  rise: "good" | "bad";
  /** The unit of a change, where it is not the figure's own: a difference of two percentages is in points. */
  unit?: string;
}

/** The four figures of the day, each with its change since yesterday and its trend. */
export function StatFigures({ stats }: { stats: Dashboard["stats"] }) {
  const figures: Figure[] = [
    { label: DASHBOARD.totalDevices, stat: stats.totalDevices, write: formatNumber, rise: "good" },
    { label: DASHBOARD.activeSessions, stat: stats.activeSessions, write: formatNumber, rise: "good" },
    { label: DASHBOARD.messagesToday, stat: stats.messagesToday, write: formatNumber, rise: "good" },
    {
      label: DASHBOARD.banRate,
      stat: stats.banRate,
      write: (value) => `${value}%`,
      rise: "bad",
      unit: DASHBOARD.points,
    },
  ];
  return (
    <section className="sheet figs" aria-label={DASHBOARD.stats}>
      {figures.map((figure) => (
        <article key={figure.label} className="fig">
          <h2 className="eyebrow">{figure.label}</h2>
          <div className="mt-1 flex items-end justify-between gap-2">
            <span className="text-4xl font-extrabold tracking-tight">
              <Num>{figure.write(figure.stat.value)}</Num>
            </span>
            <SparkLine points={figure.stat.trend} />
          </div>
          <p className="mt-2 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-2">
            <Change {...figure} />
          </p>
        </article>
      ))}
    </section>
  );
}

function Change({ stat, rise, unit }: Figure) {
  const { change } = stat;
  if (change === null) return DASHBOARD.notMeasured;
  if (change === 0) return DASHBOARD.noChange;
  const isRise = change > 0;
  const Arrow = isRise ? ArrowUp : ArrowDown;
  return (
    <>
      <span
        className={`${
          isRise === (rise === "good") ? "tone-ok" : "tone-warn"
        } inline-flex items-center gap-1 font-bold text-tone`}
      >
        <Arrow className="size-3.5" />
        <span className="sr-only">{isRise ? RISE.rose : RISE.fell}</span>
        <Num>{formatNumber(Math.round(Math.abs(change) * 10) / 10)}</Num>
        {unit}
      </span>
      {DASHBOARD.versusYesterday}
    </>
  );
}
