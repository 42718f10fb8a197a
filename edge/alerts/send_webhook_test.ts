import assert from "node:assert/strict";
import { OutsideError, type OutsideMessage } from "../context.ts";
import { startPeer } from "../testing/fake_clamd.ts";
import { startReceiver } from "../testing/fake_mail.ts";
import { openWebhook } from "./send_webhook.ts";

const MESSAGE: OutsideMessage = {
  cause: "site_away",
  type: "error",
  title: "אתר אחד לא מחובר",
  step: "בודקים שהמחשב דולק.",
  count: 1,
  since: 1_000,
  at: 2_000,
  places: ["חיפה"],
  url: null,
};

async function endOf(sent: Promise<void>) {
  const error = await sent.then(() => null, (error) => error);
  assert.ok(error === null || error instanceof OutsideError, String(error));
  return error && [error.reason, error.mayHaveArrived, error.status];
}

Deno.test("openWebhook() posts the alert as JSON, with a text for chat services", async () => {
  await using receiver = startReceiver();
  await openWebhook(receiver.url)(MESSAGE);
  const [{ path, body, headers }] = receiver.received as [typeof receiver.received[number]];
  assert.deepEqual([path, headers.get("content-type")], ["/hook/s3cret", "application/json"]);
  assert.deepEqual(body, {
    ...MESSAGE,
    source: "shigur",
    text: "אתר אחד לא מחובר\nאתרים: חיפה\nבודקים שהמחשב דולק.",
  });
});

Deno.test("openWebhook() follows no redirect, and takes every other status as a no", async () => {
  await using elsewhere = startReceiver();
  for (const status of [301, 307, 308, 400, 404, 429, 500, 503]) {
    const headers = { location: elsewhere.url.href };
    await using receiver = startReceiver(() => new Response(null, { status, headers }));
    assert.deepEqual(await endOf(openWebhook(receiver.url)(MESSAGE)), ["refused", false, status]);
  }
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("openWebhook() knows that a gateway's answer does not say whether the receiver has the alert", async () => {
  for (const status of [502, 504]) {
    await using receiver = startReceiver(() => new Response(null, { status }));
    assert.deepEqual(await endOf(openWebhook(receiver.url)(MESSAGE)), ["refused", true, status]);
  }
});

Deno.test("openWebhook() reads no answer, however long, and waits for none that does not come", async () => {
  const endless = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) }));
  await using huge = startReceiver(endless);
  assert.equal(await endOf(openWebhook(huge.url)(MESSAGE)), null);
  const talks: [(conn: Deno.Conn) => Promise<void>, unknown[]][] = [
    [async (conn) => void await conn.read(new Uint8Array(9_999)), ["broken", true, null]],
    [async (conn) => {
      while (await conn.read(new Uint8Array(9_999)) !== null);
    }, ["timeout", true, null]],
    [async (conn) => {
      await conn.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n"));
      for (let no = 0;; no++) {
        await conn.write(new TextEncoder().encode(`x-${no}: 1\r\n`));
        await new Promise((done) => setTimeout(done, 20));
      }
    }, ["timeout", true, null]],
  ];
  for (const [talk, end] of talks) {
    await using peer = startPeer(talk);
    const url = new URL(`http://127.0.0.1:${peer.address.port}/`);
    assert.deepEqual(await endOf(openWebhook(url, end[0] === "timeout" ? 300 : 20_000)(MESSAGE)), end);
    while (peer.open > 0) await new Promise((done) => setTimeout(done, 5));
  }
  const gone = startReceiver();
  await gone[Symbol.asyncDispose]();
  assert.deepEqual(await endOf(openWebhook(gone.url)(MESSAGE)), ["connect", false, null]);
});
