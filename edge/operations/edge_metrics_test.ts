import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import type { Client } from "@libsql/client/web";
import { sleep } from "../sleep.ts";
import { createEdgeMetrics, FIGURES_KEPT_MS } from "./edge_metrics.ts";

Deno.test("createEdgeMetrics() counts deliveries and not frames, by what became of them", async () => {
  await using database = await openTestDatabase();
  const metrics = createEdgeMetrics({
    now: () => 10_000,
    clock: () => 0,
    sleep,
    browsers: { size: 3 },
    agents: { size: 2 },
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
  metrics.countAnswer({ ...lease, items: [item, item] });
  metrics.countAnswer({
    type: "reportAck",
    seq: 1,
    items: (["applied", "applied", "stale"] as const).map((result) => ({
      token: lease.token,
      phone: item.phone,
      result,
    })),
    lease: { ...lease, items: [item] },
  });
  metrics.countAnswer({ type: "heartbeatAck", serverTime: 1 });
  metrics.countAnswer(null);
  metrics.sawEvent({ at: 9_700 });
  // Another instance's clock runs ahead.
  metrics.sawEvent({ at: 12_000 });
  metrics.sawRequest(503, 0.2);
  metrics.countScan("failed");
  const lines = (await metrics.read(database.db)).split("\n");
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

Deno.test("createEdgeMetrics() leaves the database's figures out when it hangs, and reads them when it is back", async () => {
  await using database = await openTestDatabase();
  let clock = 0;
  let hangs = true;
  const waits: number[] = [];
  // The wall's clock stands still or goes back; what is kept ages all the same.
  const metrics = createEdgeMetrics({
    now: () => 10_000 - clock,
    clock: () => clock,
    sleep: (ms, signal) => {
      waits.push(ms);
      return hangs ? Promise.resolve() : sleep(ms, signal);
    },
    browsers: { size: 3 },
    agents: { size: 2 },
  });
  const hanging = { ...database.db, batch: () => new Promise(() => {}) } as unknown as Client;
  const text = await metrics.read(hanging);
  assert.deepEqual(waits, [2_000]);
  assert.match(text, /^shigur_database_up 0$/m);
  assert.ok(!text.includes("shigur_queue_deliveries"));
  assert.match(text, /^shigur_sockets\{kind="browser"\} 3$/m);
  [clock, hangs] = [FIGURES_KEPT_MS, false];
  assert.match(await metrics.read(database.db), /^shigur_database_up 1$/m);
});
