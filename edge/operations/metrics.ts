/** Figures in Prometheus' text format 0.0.4: counters and histograms are written to, gauges are read. */

export interface Counter {
  /** `label` is the value of the counter's one label, from a closed set; a counter without one takes none. */
  add(count?: number, label?: string): void;
}

export interface Histogram {
  observe(seconds: number): void;
}

/** A gauge's figure, or with a label one for each value of the label; null = unknown now, and left out. */
export type GaugeFigures = number | Record<string, number> | null;

/** Seconds: from a prepared statement on a file to a request that a person gives up on. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Content type of the result of `render()`. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export class Metrics {
  readonly #families: (() => string[])[] = [];

  /** Adds a counter; `labels` exist from the start, at 0, so that a rate includes the first event. */
  counter(name: string, help: string, label?: { name: string; values: readonly string[] }): Counter {
    const counts = new Map<string, number>((label?.values ?? [""]).map((value) => [value, 0]));
    this.#families.push(() => [
      ...head(name, help, "counter"),
      ...[...counts].map(([value, count]) => sample(name, label?.name, value, count)),
    ]);
    return { add: (count = 1, value = "") => void counts.set(value, (counts.get(value) ?? 0) + count) };
  }

  histogram(name: string, help: string): Histogram {
    const counts: number[] = BOUNDS_SECONDS.map(() => 0);
    let total = 0;
    let sum = 0;
    this.#families.push(() => [
      ...head(name, help, "histogram"),
      ...BOUNDS_SECONDS.map((bound, index) => sample(`${name}_bucket`, "le", `${bound}`, counts[index])),
      sample(`${name}_bucket`, "le", "+Inf", total),
      `${name}_sum ${sum}`,
      `${name}_count ${total}`,
    ]);
    return {
      observe(seconds) {
        total += 1;
        sum += seconds;
        // The format requires cumulative counts: from the widest bucket down to the first that is too narrow.
        for (let index = counts.length - 1; index >= 0 && seconds <= BOUNDS_SECONDS[index]; index--) {
          counts[index] += 1;
        }
      },
    };
  }

  /** Adds a gauge; `read` is called at every `render()` and must be quick. */
  gauge(name: string, help: string, read: () => GaugeFigures, labelName?: string): void {
    this.#families.push(() => {
      const figures = read();
      if (figures === null) return [];
      const samples = typeof figures === "number" ? { "": figures } : figures;
      const lines = Object.entries(samples).map(([value, figure]) => sample(name, labelName, value, figure));
      return [...head(name, help, "gauge"), ...lines];
    });
  }

  render(): string {
    return this.#families.flatMap((family) => family()).map((line) => `${line}\n`).join("");
  }
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Returns one line. Label values are our own words, never a caller's, so they need no escaping. */
function sample(name: string, labelName: string | undefined, value: string, figure: number): string {
  return labelName === undefined ? `${name} ${figure}` : `${name}{${labelName}="${value}"} ${figure}`;
}
