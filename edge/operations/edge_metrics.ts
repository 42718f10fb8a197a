/**
 * Figures that this edge counts about itself. Figures of the database are read at most every few seconds, for any
 * number of callers.
 */
import {
  type AgentFrame,
  type AgentFrameOf,
  type EdgeFrame,
  outcomeSchema,
  REPORT_RESULTS,
  type ReportItem,
} from "shared/agent_protocol.ts";
import { DELIVERY_REASONS } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { ATTEMPT_CODES, type AttemptCode } from "../http/attempts.ts";
import type { EventRow } from "../live/tail.ts";
import type { ReportAckFrame } from "../queue/report.ts";
import { VERSION } from "../version.ts";
import { SCAN_RESULTS, type ScanResult } from "../virus_scan/clamd.ts";
import { addDatabaseGauges, type DatabaseGaugesParts } from "./database_gauges.ts";
import { Metrics } from "./metrics.ts";
import type { WatchCall } from "./timed_client.ts";

export interface EdgeMetrics {
  /** Called for every response to an agent's frame, with the frame. */
  countAnswer(answer: EdgeFrame | null, frame: AgentFrame): void;
  /** Called for every event that this instance's tail delivers. */
  sawEvent(row: Pick<EventRow, "at">): void;
  sawLoopLag(seconds: number): void;
  /** Called for every scanned upload. */
  countScan(result: ScanResult): void;
  /** Called for every answered request. */
  sawRequest(status: number, seconds: number): void;
  /** Called for every refusal that may be an attempt to get around the rules. */
  sawAttempt(code: AttemptCode): void;
  watchDatabase: WatchCall;
  /** Returns all figures as text. A database that does not answer in time leaves its own figures out. */
  read(ctx: EdgeContext): Promise<string>;
}

export interface EdgeMetricsParts extends DatabaseGaugesParts {
  /** Server time in milliseconds. */
  now(): number;
  browsers: { readonly size: number };
  agents: { readonly size: number };
}

const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/** Returns the metrics, all at 0. Counters belong to this process: a scraper adds up the instances. */
export function createEdgeMetrics(parts: EdgeMetricsParts): EdgeMetrics {
  const { now, browsers, agents } = parts;
  const metrics = new Metrics();
  const startedAt = now();

  const leased = metrics.counter("shigur_leased_total", "Deliveries offered to sites by this edge.");
  const reported = metrics.counter("shigur_reported_total", "Outcomes that sites told this edge.", {
    name: "result",
    values: REPORT_RESULTS,
  });
  const outcomes = metrics.counter("shigur_outcomes_total", "Outcomes that were taken.", {
    name: "outcome",
    values: outcomeSchema.options,
  });
  const reasons = metrics.counter("shigur_outcomes_by_reason_total", "Those of them that have a reason.", {
    name: "reason",
    values: DELIVERY_REASONS,
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
  const readDatabase = addDatabaseGauges(metrics, parts);
  metrics.gauge("shigur_build_info", "The version that runs.", () => ({ [VERSION]: 1 }), "version");
  const { memoryUsage } = Deno;
  metrics.gauge("shigur_heap_bytes", "Memory of JavaScript objects.", () => memoryUsage().heapUsed);
  metrics.gauge("process_resident_memory_bytes", "Memory of the process.", () => memoryUsage().rss);
  metrics.gauge("process_start_time_seconds", "Its start in Unix time.", () => startedAt / 1000);

  return {
    countAnswer(answer, frame) {
      if (answer?.type === "reportAck") {
        answer.items.forEach(({ result }) => reported.add(1, result));
        if (frame.type === "report") takenOf(frame, answer).forEach(countOutcome);
      }
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
    async read(ctx) {
      await readDatabase(ctx);
      return metrics.render();
    },
  };

  function countOutcome({ outcome, reason }: ReportItem): void {
    outcomes.add(1, outcome);
    if (reason !== null) reasons.add(1, reason);
  }
}

/** Returns the items of a report that the reply accepts; of a repeated item the last one, as in the queue. */
function takenOf(report: AgentFrameOf<"report">, answer: ReportAckFrame): ReportItem[] {
  const keyOf = ({ token, phone }: { token: string; phone: string }) => `${token} ${phone}`;
  const reported = new Map(report.items.map((item) => [keyOf(item), item]));
  const taken = new Set(answer.items.filter(({ result }) => result === "applied").map(keyOf));
  return [...reported].filter(([key]) => taken.has(key)).map(([, item]) => item);
}
