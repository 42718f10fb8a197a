import assert from "node:assert/strict";
import { Metrics } from "./metrics.ts";

Deno.test("Metrics writes counters, histograms and gauges as Prometheus reads them", () => {
  const metrics = new Metrics();
  const reports = metrics.counter("reports_total", "Reports.", { name: "result", values: ["new", "old"] });
  const plain = metrics.counter("leases_total", "Leases.");
  const time = metrics.histogram("work_seconds", "Work.");
  metrics.gauge("sockets", "Sockets.", () => ({ agent: 2, browser: 0 }), "kind");
  metrics.gauge("heap_bytes", "Memory.", () => 5);
  metrics.gauge("unknown", "Not known now.", () => null);
  reports.add(3, "new");
  plain.add();
  for (const seconds of [0.001, 0.003, 99]) time.observe(seconds);
  const lines = metrics.render().split("\n");
  assert.deepEqual(lines.slice(0, 6), [
    "# HELP reports_total Reports.",
    "# TYPE reports_total counter",
    'reports_total{result="new"} 3',
    'reports_total{result="old"} 0',
    "# HELP leases_total Leases.",
    "# TYPE leases_total counter",
  ]);
  assert.ok(lines.includes("leases_total 1"));
  const buckets = lines.filter((line) => line.startsWith("work_seconds_bucket")).map((line) =>
    line.split(" ")[1]
  );
  assert.deepEqual(buckets, ["1", "1", ...Array(11).fill("2"), "3"]);
  assert.ok(lines.includes('work_seconds_bucket{le="+Inf"} 3'));
  assert.ok(lines.includes("work_seconds_count 3"));
  assert.ok(lines.includes(`work_seconds_sum ${0.001 + 0.003 + 99}`));
  assert.ok(lines.includes('sockets{kind="agent"} 2'));
  assert.ok(lines.includes("heap_bytes 5"));
  assert.ok(!metrics.render().includes("unknown"));
  assert.ok(metrics.render().endsWith("\n"));
});
