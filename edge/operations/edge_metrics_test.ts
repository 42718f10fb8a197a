import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import type { AgentFrame, ReportItem } from "shared/agent_protocol.ts";
import { sleep } from "../time/sleep.ts";
import { reportOutcomes } from "../queue/report.ts";
import { openFleet, outcomesOf } from "../testing/fleet.ts";
import { sendNew, take } from "../testing/queue_acts.ts";
import { FIGURES_KEPT_MS } from "./database_gauges.ts";
import { createEdgeMetrics } from "./edge_metrics.ts";

Deno.test("createEdgeMetrics() counts deliveries, not frames, by their outcome", async () => {
  await using fleet = await openFleet();
  const metrics = createEdgeMetrics({
    now: () => 10_000,
    clock: () => 0,
    sleep,
    browsers: { size: 3 },
    agents: { size: 2 },
    files: null,
  });
  const item = { phone: "+972541234567", attempt: 1, account: "a" };
  const lease = {
    type: "lease",
    token: "0".repeat(32),
    ttlMs: 1,
    campaign: 1,
    text: "",
    image: null,
  } as const;
  const pull = { type: "pull", devices: [] } satisfies AgentFrame;
  metrics.countAnswer({ ...lease, items: [item, item] }, pull);
  metrics.countAnswer({
    type: "reportAck",
    seq: 1,
    items: (["applied", "applied", "stale"] as const).map((result) => ({
      token: lease.token,
      phone: item.phone,
      result,
    })),
    lease: { ...lease, items: [item] },
  }, { type: "report", seq: 1, journalCounter: 1, items: [] });
  metrics.countAnswer({ type: "heartbeatAck", serverTime: 1 }, {
    type: "heartbeat",
    journalCounter: 1,
    at: 1,
  });
  metrics.countAnswer(null, pull);
  metrics.sawEvent({ at: 9_700 });
  // Another instance's clock runs ahead.
  metrics.sawEvent({ at: 12_000 });
  metrics.sawRequest(503, 0.2);
  metrics.countScan("failed");
  const lines = (await metrics.read(fleet.ctx)).split("\n");
  for (
    const line of [
      "shigur_leased_total 3",
      'shigur_reported_total{result="applied"} 2',
      'shigur_reported_total{result="stale"} 1',
      'shigur_reported_total{result="known"} 0',
      "shigur_event_lag_seconds_sum 0.3",
      "shigur_event_lag_seconds_count 2",
      'shigur_requests_total{status="5xx"} 1',
      'shigur_scans_total{result="failed"} 1',
      'shigur_scans_total{result="found"} 0',
      'shigur_sockets{kind="agent"} 2',
      'shigur_sockets{kind="browser"} 3',
    ]
  ) assert.ok(lines.includes(line), line);
});

Deno.test("createEdgeMetrics() omits the database's figures while it hangs, and reads them when it is back", async () => {
  await using fleet = await openFleet();
  let clock = 0;
  let hangs = true;
  const waits: number[] = [];
  // The wall clock stops or goes back, and the stored value still ages.
  const metrics = createEdgeMetrics({
    now: () => 10_000 - clock,
    clock: () => clock,
    sleep: (ms, signal) => {
      waits.push(ms);
      return hangs ? Promise.resolve() : sleep(ms, signal);
    },
    browsers: { size: 3 },
    agents: { size: 2 },
    files: null,
  });
  const hanging = { ...fleet.ctx.db, batch: () => new Promise(() => {}) } as unknown as Client;
  const text = await metrics.read({ ...fleet.ctx, db: hanging });
  // The queue, the fleet and its room are read in parallel.
  assert.deepEqual(waits, [2_000, 2_000, 2_000]);
  assert.match(text, /^shigur_database_up 0$/m);
  for (const name of ["shigur_queue_deliveries", "shigur_phones", "shigur_phones_ready"]) {
    assert.ok(!text.includes(name), name);
  }
  assert.match(text, /^shigur_sockets\{kind="browser"\} 3$/m);
  [clock, hangs] = [FIGURES_KEPT_MS, false];
  assert.match(await metrics.read(fleet.ctx), /^shigur_database_up 1$/m);
});

Deno.test("createEdgeMetrics() counts accepted outcomes once by reason, the last of each delivery", async () => {
  await using fleet = await openFleet();
  const metrics = createEdgeMetrics({
    now: () => 0,
    clock: () => 0,
    sleep,
    browsers: { size: 0 },
    agents: { size: 0 },
    files: null,
  });
  await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const [sent, banned, absent] = outcomesOf(await take(fleet, site), "sent") as [
    ReportItem,
    ReportItem,
    ReportItem,
  ];
  const items: ReportItem[] = [
    sent,
    { ...banned, outcome: "void", reason: "phone_screen_blocked", temporary: true },
    { ...banned, outcome: "unknown", reason: "account_banned" },
    { ...absent, outcome: "failed", reason: "not_on_app" },
  ];
  for (const seq of [1, 2]) {
    const frame = { type: "report", seq, journalCounter: 1_000_000, items } satisfies AgentFrame;
    metrics.countAnswer(await reportOutcomes(fleet.ctx, { ...site, ...frame }), frame);
  }
  const figures = (await metrics.read(fleet.ctx)).split("\n").filter((line) =>
    /^shigur_(outcomes|reported)\w*_total/.test(line) && !line.endsWith(" 0")
  );
  assert.deepEqual(figures, [
    'shigur_reported_total{result="applied"} 3',
    'shigur_reported_total{result="known"} 3',
    'shigur_outcomes_total{outcome="sent"} 1',
    'shigur_outcomes_total{outcome="failed"} 1',
    'shigur_outcomes_total{outcome="unknown"} 1',
    'shigur_outcomes_by_reason_total{reason="not_on_app"} 1',
    'shigur_outcomes_by_reason_total{reason="account_banned"} 1',
  ]);
});

Deno.test("createEdgeMetrics() shows the edge's version, memory and start", async () => {
  await using fleet = await openFleet();
  const parts = { clock: () => 0, sleep, browsers: { size: 0 }, agents: { size: 0 }, files: null };
  const text = await createEdgeMetrics({ ...parts, now: () => 1_764_000_000_500 }).read(fleet.ctx);
  assert.match(text, /^shigur_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  assert.match(text, /^process_start_time_seconds 1764000000\.5$/m);
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  assert.ok(bytes("shigur_heap_bytes") > 1e6);
  assert.ok(bytes("process_resident_memory_bytes") > bytes("shigur_heap_bytes"));
});
