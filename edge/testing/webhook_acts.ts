/** Short forms of acts with webhooks, for tests. */
import assert from "node:assert/strict";
import { CLIENT_WEBHOOK_TYPES } from "shared/webhook_event.ts";
import type { MadeWebhook, MakeWebhookRequest } from "shared/webhooks_api.ts";
import { sendDueWebhooks } from "../webhooks/run_webhooks.ts";
import { type FakeHook } from "./fake_hook.ts";
import { PROOF, type TestApp, type TestPerson } from "./test_app.ts";

/** Makes an endpoint through the door. */
export async function addWebhook(
  owner: Pick<TestPerson, "ask">,
  hook: Pick<FakeHook, "url">,
  asked: Partial<MakeWebhookRequest> = {},
): Promise<MadeWebhook> {
  const json = { name: "CRM", url: hook.url, types: [...CLIENT_WEBHOOK_TYPES], ...asked, proof: PROOF };
  const answer = await owner.ask("/api/webhooks", { method: "POST", json });
  assert.equal(answer.status, 201, await answer.clone().text());
  return await answer.json();
}

/** Lets time pass in steps, with a run of the sender after each, until nothing waits; returns the number of tries. */
export async function sendAll(
  edge: Pick<TestApp, "ctx" | "clock">,
  stepMs = 60_000,
  most = 5_000,
): Promise<number> {
  let tries = 0;
  for (let no = 0; no < most; no++) {
    tries += await sendDueWebhooks(edge.ctx);
    const { rows } = await edge.ctx.db.execute(
      `SELECT 1 FROM webhook_calls c JOIN webhook_endpoints e ON e.id = c.endpoint AND e.paused_at IS NULL
       WHERE c.state = 'waiting' UNION ALL
       SELECT 1 FROM webhook_endpoints e JOIN webhook_log l ON l.hears = e.hears AND l.id > e.cursor
       WHERE e.paused_at IS NULL LIMIT 1`,
    );
    if (rows.length === 0) return tries;
    edge.clock.now += stepMs;
  }
  throw new Error(`Something still waits after ${most} steps`);
}
