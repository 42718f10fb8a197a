/** What this edge counts of itself. Figures of the database are read at most every few seconds, whoever asks. */
import type { Client } from "@libsql/client/web";
import { type EdgeFrame, REPORT_RESULTS } from "shared/agent_protocol.ts";
import { ATTEMPT_CODES, type AttemptCode } from "../http/attempts.ts";
import type { EventRow } from "../live/tail.ts";
import { SCAN_RESULTS, type ScanResult } from "../virus_scan/clamd.ts";
import { inTime } from "./in_time.ts";
import { Metrics } from "./metrics.ts";
import { type QueueFigures, readQueueFigures } from "./queue_figures.ts";
import type { WatchCall } from "./timed_client.ts";

export interface EdgeMetrics {
  /** Told of every answer to an agent's frame. */
  countAnswer(answer: EdgeFrame | null): void;
  /** Told of every event that this instance's tail hands on. */
  sawEvent(row: Pick<EventRow, "at">): void;
  sawLoopLag(seconds: number): void;
  /** Told of every scanned upload. */
  countScan(result: ScanResult): void;
  /** Told of every answered request. */
  sawRequest(status: number, seconds: number): void;
  /** Told of every refusal that may be an attempt to get around the rules. */
  sawAttempt(code: AttemptCode): void;
  watchDatabase: WatchCall;
  /** All figures as text. A database that does not answer in time leaves its own figures out. */
  read(db: Client): Promise<string>;
}

export interface EdgeMetricsParts {
  /** Server time in milliseconds. */
  now(): number;
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  browsers: { readonly size: number };
  agents: { readonly size: number };
}

/** Two scrapers, or ten, cost the database one read in this time. */
export const FIGURES_KEPT_MS = 5_000;
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/** Makes them, all at 0. Counters are this process's own: a scraper adds up the instances. */
export function createEdgeMetrics({ now, clock, sleep, browsers, agents }: EdgeMetricsParts): EdgeMetrics {
  const metrics = new Metrics();
  let figures: QueueFigures | null = null;
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;

  const leased = metrics.counter("shigur_leased_total", "Deliveries offered to sites by this edge.");
  const reported = metrics.counter("shigur_reported_total", "Outcomes that sites told this edge.", {
    name: "result",
    values: REPORT_RESULTS,
  });
  const requests = metrics.counter("shigur_requests_total", "Requests answered.", {
    name: "status",
    values: STATUS_CLASSES,
  });
  const scans = metrics.counter("shigur_scans_total", "Uploads that clamd was asked about.", {
    name: "result",
    values: SCAN_RESULTS,
  });
  const refused = metrics.counter("shigur_refused_total", "What was refused and may be an attempt.", {
    name: "code",
    values: ATTEMPT_CODES,
  });
  const requestTime = metrics.histogram("shigur_request_seconds", "From a request to its answer's head.");
  const eventLag = metrics.histogram("shigur_event_lag_seconds", "From an event's commit to its handing on.");
  const loopLag = metrics.histogram("shigur_loop_lag_seconds", "Lateness of a timer, twice a second.");
  const databaseTime = metrics.histogram("shigur_database_seconds", "Length of a call to the database.");
  const failed = metrics.counter("shigur_database_failures_total", "Calls that the database refused.");
  const sizes = () => ({ agent: agents.size, browser: browsers.size });
  metrics.gauge("shigur_sockets", "Sockets open at this edge.", sizes, "kind");
  gauge("shigur_queue_deliveries", "Deliveries of live campaigns that wait.", ({ queued }) => queued);
  gauge("shigur_leased_deliveries", "Deliveries of live campaigns at sites.", (one) => one.leased);
  gauge("shigur_queue_oldest_seconds", "Age of the delivery due longest.", (one) => one.oldestSeconds);
  metrics.gauge("shigur_sites", "Enrolled sites.", () => figures && { ...figures.sites }, "state");
  metrics.gauge("shigur_database_up", "Whether the figures could be read.", () => ({ "": figures ? 1 : 0 }));

  function gauge(name: string, help: string, read: (figures: QueueFigures) => number): void {
    metrics.gauge(name, help, () => figures && { "": read(figures) });
  }

  async function refresh(db: Client): Promise<void> {
    readAt = clock();
    figures = await inTime(sleep, readQueueFigures(db, now()).catch(() => null), null);
  }

  return {
    countAnswer(answer) {
      if (answer?.type === "reportAck") answer.items.forEach(({ result }) => reported.add(1, result));
      const lease = answer?.type === "reportAck" ? answer.lease : answer;
      if (lease?.type === "lease") leased.add(lease.items.length);
    },
    // Clocks of instances may differ: an event of the future has no lag.
    sawEvent: ({ at }) => eventLag.observe(Math.max(0, now() - at) / 1000),
    sawLoopLag: (seconds) => loopLag.observe(seconds),
    countScan: (result) => scans.add(1, result),
    sawRequest(status, seconds) {
      requests.add(1, `${Math.floor(status / 100)}xx`);
      requestTime.observe(seconds);
    },
    sawAttempt: (code) => refused.add(1, code),
    watchDatabase(seconds, hasFailed) {
      databaseTime.observe(seconds);
      if (hasFailed) failed.add();
    },
    async read(db) {
      if (clock() - readAt >= FIGURES_KEPT_MS) reading ??= refresh(db).finally(() => reading = null);
      await reading;
      return metrics.render();
    },
  };
}
