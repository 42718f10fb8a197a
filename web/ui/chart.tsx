import { ChartLine, Table2 } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { CHART } from "../text/chart.ts";
import { formatNumber } from "../text/format.ts";
import type { ChartData } from "./chart_data.ts";
import { lazyPart } from "./lazy_part.tsx";
import { useMedia } from "./use_media.ts";

interface ChartProps {
  data: ChartData;
  /** What the picture shows, as a sentence. */
  sentence: string;
  /** Caption of the table, and the head of its first column. */
  caption: string;
  timeHead: string;
  /** One line about unit and period, in place of the names of two lines. */
  note?: string;
  /** On paper the picture is drawn at once, and its table follows it. */
  isPaper?: boolean;
}

const LineChart = lazyPart<{ data: ChartData; size: "wide" | "narrow" | "paper" }>(async () =>
  (await import("./line_chart.tsx")).LineChart
);

/**
 * A chart with the table behind it. The drawing loads when it is in sight and the browser is idle; until then, and
 * for screen readers, the table holds the same data. A button shows the table in its place.
 */
export function Chart({ data, sentence, caption, timeHead, note, isPaper = false }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const isWide = useMedia("(width >= 640px)");
  const size = isPaper ? "paper" : isWide ? "wide" : "narrow";
  const isNeeded = useInSight(place) || isPaper;
  const columns = [...data.series, ...data.more ?? []];
  const showsTable = isTable || isPaper;
  const Icon = isTable ? ChartLine : Table2;
  return (
    <div ref={place}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 break-after-avoid">
        {note ? <p className="text-xs text-ink-3">{note}</p> : <Legend data={data} />}
        {!isPaper && (
          <button
            type="button"
            className="btn btn-ghost btn-sm ms-auto -me-2"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            <Icon className="size-4" />
            {isTable ? CHART.asPicture : CHART.asTable}
          </button>
        )}
      </div>
      {!isTable && (
        <div
          dir="ltr"
          className={`isolate min-h-60 ${isPaper ? "" : "sm:min-h-[372px]"}`}
          role="img"
          aria-label={sentence}
        >
          {isNeeded && <LineChart data={data} size={size} />}
        </div>
      )}
      <div
        className={isPaper ? "mt-2" : isTable ? "relative max-h-96 overflow-auto" : "sr-only"}
        {...(isTable ? { role: "region", tabIndex: 0, "aria-label": caption } : {})}
      >
        <table className={showsTable ? "grid-table" : ""}>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              <th scope="col" className="text-start">{timeHead}</th>
              {columns.map(({ name }) => <th key={name} scope="col" className="text-start">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {data.spans.map((span, index) => (
              <tr key={span}>
                <th scope="row" className="text-start font-normal">{span}</th>
                {columns.map(({ name, values }) => (
                  <td key={name} className="tabular-nums">{cellOf(values[index])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Names the lines when there are two: they differ in style, not only in colour. */
function Legend({ data: { series } }: { data: ChartData }) {
  if (series.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 text-xs text-ink-2">
      {series.map(({ name }, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`w-6 ${
              index === 0 ? "border-t-[3px] border-primary" : "border-t-2 border-dashed border-ink-3"
            }`}
          />
          {name}
        </li>
      ))}
    </ul>
  );
}

function cellOf(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : formatNumber(value);
}

/** Returns true from the moment at which the element is in sight and the browser has nothing else to do. */
function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen) return;
    let waiting: number | undefined;
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      // Some browsers have no requestIdleCallback.
      if ("requestIdleCallback" in globalThis) waiting = requestIdleCallback(() => setSeen(true));
      else setSeen(true);
    });
    watch.observe(element.current!);
    return () => {
      watch.disconnect();
      if (waiting !== undefined) cancelIdleCallback(waiting);
    };
  }, [isSeen]);
  return isSeen;
}
