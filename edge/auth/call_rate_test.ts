import assert from "node:assert/strict";
import { CALL_BOUND } from "shared/call_limits.ts";
import fc from "shared/testing/fast_check.ts";
import { Hono } from "hono";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import type { AppEnv } from "../http/router.ts";
import { serve } from "../http/serve.ts";
import { MAX_SOCKETS_OF_USER } from "../live/routes.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openLiveSocket } from "../testing/live_socket.ts";
import { cookiesOf, openTestApp, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";
import { boundUploads, createCallRate, MAX_KEY_UPLOADS, MAX_UPLOADS, UPLOAD_SILENT_MS } from "./call_rate.ts";

const SMALL = { burst: 20, perSecond: 4 };

async function statuses(count: number, ask: () => Promise<Response>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < count; i++) {
    const { status } = await ask();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

Deno.test("a person's calls are bounded over all sessions and routes, without effect on others", async () => {
  await using edge = await openTestApp({ callBound: SMALL });
  const person = await edge.addPerson();
  const other = await edge.addPerson();
  const json = { username: person.username, password: TEST_PASSWORD };
  const cookie = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  assert.deepEqual(await statuses(10, () => person.ask("/api/campaigns")), { 200: 10 });
  assert.deepEqual(await statuses(10, () => edge.visitor.ask("/api/auth/me", { headers: { cookie } })), {
    200: 10,
  });
  for (const path of ["/api/campaigns", "/api/auth/me", "/api/no-such", "/ws"]) {
    const refused = await person.ask(path);
    assert.equal(refused.status, 429, path);
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.deepEqual(await refused.json(), {
      error: "יותר מדי בקשות בזמן קצר. אפשר לנסות שוב בעוד רגע.",
      code: "too_many_attempts",
    });
  }
  assert.deepEqual(await statuses(5, () => other.ask("/api/campaigns")), { 200: 5 });
  edge.clock.now += 1_000;
  assert.deepEqual(await statuses(10, () => person.ask("/api/campaigns")), { 200: 4, 429: 6 });
  edge.clock.now += 60_000;
  assert.deepEqual(await statuses(25, () => person.ask("/api/campaigns")), { 200: 20, 429: 5 });
});

Deno.test("a flood from a stolen session does not stop its owner from ending it or changing the password", async () => {
  await using edge = await openTestApp({ callBound: SMALL });
  const owner = await edge.addPerson();
  assert.deepEqual(await statuses(25, () => owner.ask("/api/campaigns")), { 200: 20, 429: 5 });
  const own = { currentPassword: TEST_PASSWORD, newPassword: "a new password" };
  const changed = await owner.ask("/api/auth/password", { method: "POST", json: own });
  assert.equal(changed.status, 204);
  const headers = { cookie: cookiesOf(changed) };
  assert.equal((await edge.visitor.ask("/api/auth/logout", { method: "POST", headers })).status, 204);
});

Deno.test("a person may run a fixed number of uploads of any kind at once, and others as many", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const other = await edge.addPerson();
  const end = Promise.withResolvers<void>();
  const upload = ({ ask }: TestPerson, index: number) => {
    const isRead = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull(controller) {
        isRead.resolve();
        return end.promise.then(() => controller.close());
      },
    }, { highWaterMark: 0 });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const path = index % 2 === 0 ? "/api/campaigns" : "/api/suppressions/file";
    return { isRead: isRead.promise, answer: ask(path, { method: "POST", body, headers }) };
  };
  const first = Array.from({ length: MAX_UPLOADS }, (_, index) => upload(person, index));
  await Promise.all(first.map(({ isRead }) => isRead));
  for (const index of [0, 1]) assert.equal((await upload(person, index).answer).status, 429);
  const pasted = await person.ask("/api/campaigns/1/contacts/manual", {
    method: "POST",
    json: { numbers: "1" },
  });
  assert.equal(pasted.status, 429);
  assert.equal(pasted.headers.get("retry-after"), "5");
  assert.equal((await person.ask("/api/campaigns")).status, 200, "what is no upload");
  const others = upload(other, 0);
  await others.isRead;
  end.resolve();
  for (const { answer } of [...first, others]) assert.equal((await answer).status, 400);
  const form = new FormData();
  form.set("name", "סתיו");
  form.set("message", "שלום");
  assert.equal((await person.ask("/api/campaigns", { method: "POST", body: form })).status, 201, "all ended");
});

Deno.test("keys take half of a client's uploads and no more, so its people can load; a copy of each runs beside", async () => {
  await using edge = await openTestApp();
  const owner = await edge.addPerson();
  const [key, second] = [await edge.addKey(owner), await edge.addKey(owner)];
  const end = Promise.withResolvers<void>();
  const upload = ({ ask }: Pick<TestPerson, "ask">) => {
    const isRead = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull(controller) {
        isRead.resolve();
        return end.promise.then(() => controller.close());
      },
    }, { highWaterMark: 0 });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    return {
      isRead: isRead.promise,
      answer: ask("/api/suppressions/file", { method: "POST", body, headers }),
    };
  };
  const byKeys = Array.from(
    { length: MAX_KEY_UPLOADS },
    (_, index) => upload(index % 2 === 0 ? key : second),
  );
  await Promise.all(byKeys.map(({ isRead }) => isRead));
  for (const who of [key, second]) assert.equal((await upload(who).answer).status, 429);
  const people = Array.from({ length: MAX_UPLOADS - MAX_KEY_UPLOADS }, () => upload(owner));
  await Promise.all(people.map(({ isRead }) => isRead));
  assert.equal((await upload(owner).answer).status, 429, "what is in memory stays bounded");
  end.resolve();
  for (const { answer } of [...byKeys, ...people]) assert.equal((await answer).status, 400);

  const campaign = await makeCampaign(edge.ctx, { client: owner.id, rows: { queued: 5_000 } });
  const copy = ({ ask }: Pick<TestPerson, "ask">) =>
    ask(`/api/campaigns/${campaign}/duplicate`, { method: "POST", json: { contacts: "all" } });
  const copies = await Promise.all([copy(key), copy(second), copy(owner)]);
  assert.deepEqual(copies.map(({ status }) => status), [201, 429, 201]);
});

Deno.test("a person copies one campaign at a time, over all sessions, and a copy counts as an upload", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const other = await edge.addPerson();
  const json = { username: person.username, password: TEST_PASSWORD };
  const cookie = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  const copy = async ({ id, ask }: Pick<TestPerson, "id" | "ask">) => {
    const campaign = await makeCampaign(edge.ctx, { client: id, rows: { queued: 5_000 } });
    const path = `/api/campaigns/${campaign}/duplicate`;
    return () => ask(path, { method: "POST", json: { contacts: "all" } });
  };
  const elsewhere: TestPerson["ask"] = (path, init) =>
    edge.visitor.ask(path, { ...init, headers: { cookie } });
  const copies = [await copy(person), await copy({ id: person.id, ask: elsewhere }), await copy(other)];
  const [first, second, others] = await Promise.all(copies.map((begin) => begin()));
  // The order of the two is undefined.
  assert.deepEqual([[first!.status, second!.status].sort(), others!.status], [[201, 429], 201]);
  const refused = first!.status === 429 ? first! : second!;
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.deepEqual(await refused.json(), {
    error: "העתקה אחרת של רשימה עדיין רצה. אפשר לנסות שוב כשהיא תסתיים.",
    code: "too_many_attempts",
  });
  assert.equal((await copies[1]!()).status, 201, "the first has ended");

  const end = Promise.withResolvers<void>();
  const begun = Array.from({ length: MAX_UPLOADS }, () => Promise.withResolvers<void>());
  const uploads = begun.map(({ resolve }) => {
    const pull = async (it: ReadableStreamDefaultController) => {
      resolve();
      await end.promise;
      it.close();
    };
    // Mark 0: the stream fills nothing by itself, so the first pull is the edge's.
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    return person.ask("/api/suppressions/file", { method: "POST", body, headers });
  });
  await Promise.all(begun.map(({ promise }) => promise));
  assert.match((await (await copies[0]!()).json()).error, /יותר מדי קבצים/);
  end.resolve();
  await Promise.all(uploads);
  assert.equal((await copies[0]!()).status, 201, "all have ended");
});

Deno.test("a silent upload is ended, and its place becomes free", async () => {
  const waits: { ms: number; isOver: () => void }[] = [];
  const wait = (ms: number) => new Promise<void>((isOver) => waits.push({ ms, isOver }));
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set("user", { client: 1, person: 1, username: "a", role: "client", duty: "owner", sessionHash: "" });
      await next();
    })
    .use(boundUploads(wait))
    .post("/api/campaigns", async (c) => {
      await readMultipart(c.req.raw, 1_000);
      return c.text("read");
    });
  app.onError((error) => {
    assert.ok(error instanceof HttpError);
    return Response.json(error.body, { status: error.status });
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const upload = (body: BodyInit) => app.request("/api/campaigns", { method: "POST", headers, body });
  let cancelled = 0;
  const silent = Array.from({ length: MAX_UPLOADS }, () =>
    upload(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("--x\r\n")),
        cancel: () => void cancelled++,
      }),
    ));
  const form = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n';
  assert.equal((await upload(form)).status, 429);
  // Each upload has received its first piece and waits for the next.
  while (waits.length < 2 * MAX_UPLOADS) await new Promise((turned) => setImmediate(turned));
  assert.ok(waits.every(({ ms }) => ms === UPLOAD_SILENT_MS));
  for (const { isOver } of waits) isOver();
  for (const answer of await Promise.all(silent)) {
    assert.equal(answer.status, 400);
    assert.match((await answer.json()).error, /נעצרה באמצע/);
  }
  assert.equal(cancelled, MAX_UPLOADS);
  assert.equal((await upload(form)).status, 200);
});

Deno.test("a person may hold a fixed number of live sockets at an edge, and others as many", {
  sanitizeOps: true,
  sanitizeResources: true,
}, async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const other = await edge.addPerson();
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const open = ({ cookie }: TestPerson) => openLiveSocket(listener.url, cookie);
  const sockets = await Promise.all(Array.from({ length: MAX_SOCKETS_OF_USER }, () => open(person)));
  await assert.rejects(open(person), /Cannot open/);
  sockets.push(await open(other));
  await Promise.all(sockets.map((socket) => socket.end()));
  await listener.stop(1_000);
});

Deno.test("createCallRate() allows only the calls that the bucket holds and time refills", () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(2_000), calls: fc.nat(60) }), { maxLength: 30 });
  fc.assert(fc.property(steps, (steps) => {
    let now = 0;
    let tokens = SMALL.burst;
    const rate = createCallRate(() => now, SMALL);
    for (const { waitMs, calls } of steps) {
      now += waitMs;
      tokens = Math.min(SMALL.burst, tokens + waitMs * SMALL.perSecond / 1000);
      for (let call = 0; call < calls; call++) {
        const waits = rate.take(1);
        // The tolerance covers the rounding of summed fractions.
        if (waits === 0) assert.ok((tokens -= 1) > -0.001);
        else {
          assert.ok(tokens < 1.001);
          assert.ok(waits <= 1000 / SMALL.perSecond + 1);
        }
      }
    }
  }));
});

Deno.test("createCallRate() forgets a person whose bucket is full again", () => {
  let now = 0;
  const rate = createCallRate(() => now);
  for (let userId = 0; userId < 10_000; userId++) assert.equal(rate.take(userId), 0);
  now += 1_000 * CALL_BOUND.burst / CALL_BOUND.perSecond;
  rate.take(1);
  assert.equal(rate.size, 1);
});
