/** The client library against a whole edge: types of today, acts that happen once, pages, and webhooks it believes. */
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import fc from "shared/testing/fast_check.ts";
import { openTestApp } from "../edge/testing/test_app.ts";
import { startHook } from "../edge/testing/fake_hook.ts";
import { addWebhook, sendAll } from "../edge/testing/webhook_acts.ts";
import { eventsOf, Shigur, ShigurError, verifyWebhook, WebhookError } from "./src/mod.ts";
import { readDocument, writeTypes } from "./write_types.ts";

const DRAFT = { name: "סתיו", kind: "service", message: "שלום" } as const;

Deno.test("client/src/api.ts is what the frozen description says; `deno task client:types` writes it", async () => {
  const written = await Deno.readTextFile(new URL("src/api.ts", import.meta.url));
  assert.equal(written, writeTypes(await readDocument()));
});

async function openClient() {
  const edge = await openTestApp();
  const owner = await edge.addPerson({ messageQuota: 50 });
  const key = await edge.addKey(owner);
  /** What happens to each call: null = its answer is lost after it acted. */
  const fate: ("lost" | "busy" | "good")[] = [];
  const waits: number[] = [];
  const asked: Request[] = [];
  const shigur = new Shigur({
    url: "http://localhost/",
    key: key.secret,
    sleep: (ms) => Promise.resolve(void waits.push(ms)),
    fetch: async (address, init) => {
      const request = new Request(address as string, init);
      asked.push(request.clone());
      const what = fate.shift() ?? "good";
      if (what === "busy") return new Response(null, { status: 429, headers: { "retry-after": "2" } });
      const answer = await edge.app.request(request, {}, {
        remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 },
      });
      if (what === "lost") throw new TypeError("the connection broke");
      return answer;
    },
  });
  return {
    edge,
    owner,
    shigur,
    fate,
    waits,
    asked,
    [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose](),
  };
}

Deno.test("a lost answer and a busy server make one draft, one number and one send", async () => {
  await using client = await openClient();
  const { edge, shigur, fate, waits, asked } = client;
  fate.push("lost", "busy", "lost", "good");
  const { id } = await shigur.call("createCampaign", { form: DRAFT });
  assert.equal(new Set(asked.map(({ headers }) => headers.get("idempotency-key"))).size, 1);
  assert.ok(waits.includes(2_000), "Retry-After");
  fate.push("lost");
  await shigur.call("addContacts", { path: { id }, body: { numbers: "050-123-4567" } });
  fate.push("lost", "lost");
  await shigur.call("sendCampaign", { path: { id }, body: {} });
  const { rows } = await edge.ctx.db.execute("SELECT status, queued_count, reserved FROM campaigns");
  assert.deepEqual(rows.map((row) => ({ ...row })), [{ status: "processing", queued_count: 1, reserved: 1 }]);
});

Deno.test("a refusal is thrown with its code and is not repeated; what takes no key is tried once", async () => {
  await using client = await openClient();
  const { shigur, fate, asked } = client;
  await assert.rejects(
    shigur.call("readCampaign", { path: { id: 99 } }),
    (error) => error instanceof ShigurError && error.status === 404 && error.code === "not_found",
  );
  assert.equal(asked.length, 1);
  const { id } = await shigur.call("createCampaign", { form: DRAFT });
  fate.push("lost");
  await assert.rejects(shigur.call("deleteCampaign", { path: { id } }), TypeError);
  assert.equal(asked.length, 3);
  const silent = new Shigur({
    url: "http://localhost",
    key: "x",
    tries: 3,
    sleep: async () => {},
    fetch: () => Promise.reject(new TypeError("no")),
  });
  await assert.rejects(silent.call("listCampaigns", {}), TypeError);
});

Deno.test("pages() yields every item of a list once", async () => {
  await using client = await openClient();
  const { shigur } = client;
  const { id } = await shigur.call("createCampaign", { form: DRAFT });
  const numbers = Array.from({ length: 23 }, (_, no) => `05012345${String(no).padStart(2, "0")}`);
  await shigur.call("addContacts", { path: { id }, body: { numbers: numbers.join("\n") } });
  const phones: string[] = [];
  for await (const { phone } of shigur.pages("listDeliveries", { path: { id }, query: { limit: 5 } })) {
    phones.push(phone);
  }
  assert.deepEqual(phones.toSorted(), numbers.map((number) => `+972${number.slice(1)}`));
});

Deno.test("verifyWebhook() believes the edge's calls and those of another signer, and nothing else", async () => {
  await using client = await openClient();
  const { edge, owner, shigur } = client;
  await using hook = startHook();
  const { webhook, secret } = await addWebhook(owner, hook);
  await shigur.call("testWebhook", { path: { id: webhook.id } });
  await sendAll(edge);
  const [{ raw: body, headers, at }] = hook.calls as [typeof hook.calls[number]];
  const now = at * 1_000;
  const [event] = eventsOf(await verifyWebhook({ body, headers, secret, now }));
  assert.equal(event!.type, "webhook.test");
  const plain = Object.fromEntries(headers);
  await verifyWebhook({ body, headers: plain, secret: ["whsec_AAAA", secret], now: now + 290_000 });
  const wrong = [
    { body: `${body} `, headers, secret, now },
    { body, headers, secret: "whsec_AAAA", now },
    { body, headers, secret, now: now + 310_000 },
    { body, headers, secret, now: now - 310_000 },
    { body, headers: { ...plain, "webhook-id": "other" }, secret, now },
    { body, headers: { ...plain, "webhook-signature": undefined }, secret, now },
    { body, headers: { ...plain, "webhook-signature": "v2,AAAA" }, secret, now },
    { body, headers: { ...plain, "webhook-timestamp": "NaN" }, secret, now },
  ];
  for (const call of wrong) await assert.rejects(verifyWebhook(call), WebhookError);
});

Deno.test("verifyWebhook() agrees with the standard's own library about any text", async () => {
  const secret = `whsec_${btoa("a secret of twenty-four b")}`;
  await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
    const body = JSON.stringify({ type: "webhook.test", text });
    const now = new Date(1_800_000_000_000);
    const signature = new Webhook(secret).sign("msg_1", now, body);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(now.getTime() / 1_000),
      "webhook-signature": signature,
    };
    assert.equal(JSON.stringify(await verifyWebhook({ body, headers, secret, now: now.getTime() })), body);
  }));
});
