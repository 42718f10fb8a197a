import type { ApexOptions } from "apexcharts";
import ApexChart from "react-apexcharts";
import { type ComponentType, useEffect, useState } from "react";
import { formatNumber } from "../text/format.ts";
import type { ChartData } from "./chart_data.ts";

export type ChartSize = "wide" | "narrow" | "paper";

interface LineChartProps {
  data: ChartData;
  size: ChartSize;
}

type ApexProps = Pick<ApexOptions, "series"> & { type: "area" | "bar"; height: number; options: ApexOptions };

/** Right-to-left mark: a tooltip's text begins with it, because the chart itself runs left to right. */
const RLM = "\u200f";
const HEIGHT_PX = { wide: 372, narrow: 240, paper: 260 };
/** Labels that fit side by side. */
const MOST_LABELS = { wide: 12, narrow: 5, paper: 12 };
/** The least top of the scale: five whole steps. */
const LEAST_TOP = 5;
const Apex = ApexChart as unknown as ComponentType<ApexProps>;

/**
 * One or two lines over time, the oldest at the left and the scale at the right, where reading begins; or bars. The
 * first line is filled, the second one dashed. Straight lines: a curve would overshoot what was measured.
 */
export function LineChart({ data, size }: LineChartProps) {
  const theme = useThemeName();
  const series = data.series.map(({ name, values }) => ({ name, data: [...values] }));
  return (
    <Apex
      key={`${theme} ${size}`}
      type={data.shape === "bars" ? "bar" : "area"}
      height={HEIGHT_PX[size]}
      series={series}
      options={optionsOf(data, size)}
    />
  );
}

function optionsOf(
  { shape = "lines", series, labels, spans, isRunning, showsAllLabels, unit }: ChartData,
  size: ChartSize,
): ApexOptions {
  const ink = colour("--ink-3");
  const colors = [colour("--color-primary"), ink];
  const last = labels.length - 1;
  const most = showsAllLabels && size !== "narrow" ? labels.length : MOST_LABELS[size];
  const every = Math.ceil(labels.length / most);
  const isBars = shape === "bars";
  const largest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const running = {
    seriesIndex: 0,
    dataPointIndex: last,
    size: 5,
    fillColor: colour("--color-accent"),
    strokeColor: colour("--color-base-content"),
  };
  return {
    chart: {
      fontFamily: "inherit",
      background: "transparent",
      toolbar: { show: false },
      zoom: { enabled: false },
      animations: { enabled: false },
      parentHeightOffset: 0,
    },
    colors,
    stroke: isBars
      ? { show: false }
      : { curve: "straight", lineCap: "round", width: [2.5, 2], dashArray: [0, 6] },
    fill: { type: "solid", opacity: isBars ? 1 : [0.1, 0] },
    plotOptions: { bar: { columnWidth: "62%", borderRadius: 2, borderRadiusApplication: "end" } },
    markers: { size: 0, strokeColors: colors, hover: { size: 5 }, discrete: isRunning ? [running] : [] },
    dataLabels: { enabled: false },
    legend: { show: false },
    grid: { borderColor: colour("--color-base-300"), padding: { left: 22, right: 10, top: -12, bottom: 0 } },
    xaxis: {
      // The last label is always shown: reading begins at the newest.
      categories: labels.map((label, index) => (last - index) % every === 0 ? label : ""),
      axisBorder: { color: colour("--edge") },
      axisTicks: { show: false },
      tooltip: { enabled: false },
      labels: {
        rotate: 0,
        hideOverlappingLabels: false,
        trim: false,
        style: { colors: ink, fontSize: "13px" },
      },
    },
    yaxis: {
      opposite: true,
      min: 0,
      max: largest < LEAST_TOP ? LEAST_TOP : undefined,
      forceNiceScale: true,
      tickAmount: 5,
      labels: {
        formatter: (value) => formatNumber(Math.round(value)),
        offsetX: -6,
        style: { colors: [ink], fontSize: "13px" },
      },
    },
    tooltip: {
      theme: "dark",
      marker: { show: false },
      x: {
        formatter: (_, place) => `${RLM}${spans[(place as { dataPointIndex: number }).dataPointIndex] ?? ""}`,
      },
      y: {
        formatter: (value) => value === null || value === undefined ? "–" : `${RLM}${unit(value)}`,
        title: { formatter: (name) => series.length > 1 ? `${RLM}${name}:` : "" },
      },
    },
  };
}

/** Returns the page's theme, and again after every change: colours are written into the drawing. */
function useThemeName(): string {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "");
  useEffect(() => {
    const watch = new MutationObserver(() => setTheme(document.documentElement.dataset.theme ?? ""));
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, []);
  return theme;
}

/** Returns a token of the theme as #rrggbb, the only form that the library reads. */
function colour(token: string): string {
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  if (!pixel) return "#808080";
  pixel.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  pixel.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part!.toString(16).padStart(2, "0")).join("")}`;
}
