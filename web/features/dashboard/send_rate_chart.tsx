import { type PointerEvent, useEffect, useRef, useState } from "react";
import { DASHBOARD } from "./text.ts";
import { formatNumber, formatTime } from "../../text/format.ts";
import { chartScale } from "./chart_scale.ts";

export interface RatePoint {
  /** Start of the two hours. */
  at: number;
  sent: number;
}

const TWO_HOURS_MS = 2 * 60 * 60_000;
const NARROW_PX = 480;
/** Margins: half the width of an hour label at the left, the hours below; the scale at the right has its own width. */
const PAD = { top: 8, bottom: 30, left: 22 };
const SCALE_GAP_PX = 14;
/** Upper limit of the width of a digit of the scale. */
const DIGIT_PX = 7.5;

/**
 * Messages in each two hours of a day: one straight line, time from left to right, the scale at the right, where
 * reading begins. Only the present bucket has the bright dot. A table holds the same data for screen readers.
 */
export function SendRateChart({ points }: { points: readonly RatePoint[] }) {
  const holder = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => setSize({ width, height }));
    watch.observe(holder.current!);
    return () => watch.disconnect();
  }, []);

  const isNarrow = width < NARROW_PX;
  const scale = chartScale(Math.max(...points.map(({ sent }) => sent)));
  const top = scale.at(-1)!;
  const scaleWidth = SCALE_GAP_PX + Math.max(4, formatNumber(top).length) * DIGIT_PX;
  const plot = {
    width: Math.max(1, width - PAD.left - scaleWidth),
    height: Math.max(1, height - PAD.top - PAD.bottom),
  };
  const x = (index: number) => PAD.left + (index / (points.length - 1)) * plot.width;
  const y = (sent: number) => PAD.top + (1 - sent / top) * plot.height;
  const line = points.map(({ sent }, index) => `${x(index)},${y(sent)}`).join(" ");
  const last = points.length - 1;
  const floor = y(0);

  function onPointerMove({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) {
    const along = (clientX - currentTarget.getBoundingClientRect().left - PAD.left) / plot.width;
    setPointed(Math.min(last, Math.max(0, Math.round(along * last))));
  }

  return (
    <div ref={holder} dir="ltr" className="relative isolate min-h-60 grow sm:min-h-[372px]">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={sentenceOf(points)}
        className="absolute inset-0 text-xs"
        onPointerMove={onPointerMove}
        onPointerLeave={() => setPointed(undefined)}
      >
        <g className="text-base-300" stroke="currentColor">
          {scale.slice(1).map((value) => (
            <line key={value} x1={PAD.left} x2={PAD.left + plot.width} y1={y(value)} y2={y(value)} />
          ))}
        </g>
        <g className="text-edge" stroke="currentColor">
          <line x1={PAD.left} x2={PAD.left + plot.width} y1={floor} y2={floor} />
        </g>
        <g className="text-ink-3 tabular-nums" fill="currentColor">
          {scale.map((value) => (
            <text key={value} x={PAD.left + plot.width + SCALE_GAP_PX} y={y(value)} dominantBaseline="middle">
              {formatNumber(value)}
            </text>
          ))}
          {points.map(({ at }, index) =>
            (!isNarrow || index % 3 === 1) && (
              <text key={at} x={x(index)} y={height - 8} textAnchor="middle">{formatTime(at)}</text>
            )
          )}
        </g>
        <g className="text-primary" stroke="currentColor" fill="currentColor">
          <polygon points={`${x(0)},${floor} ${line} ${x(last)},${floor}`} fillOpacity="0.1" stroke="none" />
          <polyline
            points={line}
            fill="none"
            strokeWidth="2.5"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
          {pointed !== undefined && (
            <circle cx={x(pointed)} cy={y(points[pointed].sent)} r="5" stroke="none" />
          )}
        </g>
        <circle
          cx={x(last)}
          cy={y(points[last].sent)}
          r="4.5"
          strokeWidth="2"
          className="fill-accent stroke-base-content"
        />
      </svg>
      {pointed !== undefined && (
        <div
          dir="rtl"
          aria-hidden="true"
          className="pointer-events-none absolute z-10 -translate-x-1/2 rounded-field bg-neutral px-3 py-1.5 text-xs whitespace-nowrap text-neutral-content"
          style={{
            left: Math.min(width - 62, Math.max(62, x(pointed))),
            top: Math.max(0, y(points[pointed].sent) - 62),
          }}
        >
          <div className="text-neutral-content/80">{spanOf(points[pointed])}</div>
          <b>{DASHBOARD.rateSent(points[pointed].sent)}</b>
        </div>
      )}
      <table className="sr-only" dir="rtl">
        <caption>{DASHBOARD.rateTable}</caption>
        <thead>
          <tr>
            <th>{DASHBOARD.rateColumns.from}</th>
            <th>{DASHBOARD.rateColumns.sent}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <td>{spanOf(point)}</td>
              <td>{formatNumber(point.sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function spanOf({ at }: RatePoint): string {
  return DASHBOARD.rateSpan(formatTime(at), formatTime(at + TWO_HOURS_MS));
}

function sentenceOf(points: readonly RatePoint[]): string {
  const total = points.reduce((sum, { sent }) => sum + sent, 0);
  const busiest = points.reduce((most, point) => point.sent > most.sent ? point : most);
  return DASHBOARD.rateSentence(total, busiest.sent, formatTime(busiest.at));
}
