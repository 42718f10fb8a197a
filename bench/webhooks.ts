/** Measures webhooks: P2 with an endpoint and without, and a healthy receiver beside ten that say nothing. */
import { parseNetwork } from "../edge/public_address.ts";
import { TEST_APP_KEY } from "../edge/testing/audit_parts.ts";
import { startHook } from "../edge/testing/fake_hook.ts";
import { openFleet } from "../edge/testing/fleet.ts";
import { sleep } from "../edge/time/sleep.ts";
import { makeWebhook } from "../edge/webhooks/make_webhook.ts";
import { noteWebhook } from "../edge/webhooks/note_webhook.ts";
import { openWebhooks } from "../edge/webhooks/open_webhooks.ts";
import { createWaker, runWebhooks } from "../edge/webhooks/run_webhooks.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { measureDispatch } from "./dispatch.ts";
import { type Figure, median, type Part, percentile } from "./figure.ts";

const DELIVERIES = 20_000;
const ROUNDS = 3;
const ENDPOINTS = 100;
const SILENT = 10;
const EVENTS_PER_SECOND = 50;
const SECONDS = 30;

export const webhooks: Part = {
  name: "webhooks",
  about:
    `P2's ${
      DELIVERIES.toLocaleString("en")
    } deliveries at one site, by turns without a webhook, with one of another ` +
    `client, and with one of this client for messages, the median of ${ROUNDS}; then ${ENDPOINTS} webhooks, ` +
    `${SILENT} of which never answer, and ${EVENTS_PER_SECOND} events a second for ${SECONDS} s, on a disk`,
  async *measure(): AsyncGenerator<Figure> {
    await measureDispatch(DELIVERIES, 20); // Warm-up: the first run would measure the compiler.
    const ways = ["without", "others", "own"] as const;
    const speeds: Record<(typeof ways)[number], number[]> = { without: [], others: [], own: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ways) {
        speeds[way].push((await measureDispatch(DELIVERIES, 20, { webhook: way })).perSecond);
      }
    }
    yield { name: "P2 without a webhook, deliveries", value: median(speeds.without), unit: "/s" };
    yield { name: "P2 beside another client's webhook", value: median(speeds.others), unit: "/s" };
    yield {
      name: "P2 with a webhook for messages",
      value: median(speeds.own),
      unit: "/s",
      bar: { atLeast: 10_000 },
    };
    yield* measureHealthy();
  },
};

async function* measureHealthy(): AsyncGenerator<Figure> {
  await using fleet = await openFleet({ under: DISK });
  const over = Promise.withResolvers<void>();
  await using silent = startHook(() => over.promise.then(() => new Response()));
  const waits: number[] = [];
  const happened = new Map<number, number>();
  await using healthy = startHook(({ body }) => {
    waits.push(performance.now() - happened.get(body.data.no)!);
    return new Response(null, { status: 204 });
  });
  const waker = createWaker();
  const parts = await openWebhooks({
    keys: [TEST_APP_KEY],
    allowed: [parseNetwork("127.0.0.0/8")!],
    wake: waker.wake,
  });
  const ctx = { ...fleet.ctx, now: Date.now, webhooks: parts };
  const clients: number[] = [];
  for (let no = 0; no < ENDPOINTS; no++) {
    const { id } = await fleet.addClient(0);
    const url = no < SILENT ? silent.url : healthy.url;
    await makeWebhook(ctx, { client: id, person: id, role: "client" }, {
      name: "CRM",
      url,
      types: ["campaign.paused"],
      quotaBelow: 100,
    });
    clients.push(id);
  }
  const stopping = new AbortController();
  const running = runWebhooks(ctx, { sleep, waker }, stopping.signal);
  let sent = 0;
  for (let no = 0; no < EVENTS_PER_SECOND * SECONDS; no++) {
    const client = clients[no % ENDPOINTS]!;
    if (no % ENDPOINTS >= SILENT) sent++;
    happened.set(no, performance.now());
    await ctx.db.execute(
      noteWebhook(Date.now(), { client, type: "campaign.paused", campaign: no % 7, data: { no } }),
    );
    await sleep(1_000 / EVENTS_PER_SECOND);
  }
  for (let no = 0; no < 100 && waits.length < sent; no++) await sleep(100);
  stopping.abort();
  over.resolve();
  await running;
  yield {
    name: "events to healthy webhooks that did not arrive",
    value: sent - waits.length,
    unit: "",
    bar: { atMost: 0 },
  };
  yield { name: "an event to a healthy webhook, p50", value: percentile(waits, 0.5), unit: "ms" };
  yield {
    name: "an event to a healthy webhook, p99",
    value: percentile(waits, 0.99),
    unit: "ms",
    bar: { atMost: 2_000 },
  };
}
