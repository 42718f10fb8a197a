import assert from "node:assert/strict";
import { Hono } from "hono";
import { countTurns } from "../testing/count_turns.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { cookiesOf, openTestApp, TEST_PASSWORD, type TestPerson } from "../testing/test_app.ts";
import { boundExports, EXPORT_SILENT_MS, MAX_EXPORTS } from "./bound_exports.ts";
import { HttpError } from "./http_error.ts";
import type { AppEnv } from "./router.ts";
import { serve } from "./serve.ts";

const REFUSAL = {
  error: "כבר יורדים שני קבצים. אפשר להוריד את הבא כשאחד מהם יסתיים, או לבטל הורדה שכבר רצה.",
  code: "too_many_attempts",
};

Deno.test("a person may download two files at once over all sessions; a third is refused with advice", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const other = await edge.addPerson();
  const campaign = await makeCampaign(edge.ctx, { client: person.id, rows: { queued: 2_500 } });
  const path = `/api/campaigns/${campaign}/deliveries.csv`;
  const json = { username: person.username, password: TEST_PASSWORD };
  const cookie = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
  const elsewhere: Pick<TestPerson, "ask"> = {
    ask: (path) => edge.visitor.ask(path, { headers: { cookie } }),
  };
  const first = await person.ask(path);
  const second = await elsewhere.ask("/api/suppressions.csv");
  assert.deepEqual([first.status, second.status], [200, 200]);
  for (const { ask } of [person, elsewhere]) {
    for (const one of [path, "/api/consents.csv", "/api/suppressions.csv"]) {
      const refused = await ask(one);
      assert.equal(refused.status, 429, one);
      assert.equal(refused.headers.get("retry-after"), "5");
      assert.deepEqual(await refused.json(), REFUSAL);
    }
  }
  assert.equal((await person.ask("/api/campaigns")).status, 200, "what is no export");
  assert.equal((await (await other.ask("/api/suppressions.csv")).text()).split("\r\n").length, 2);

  const audited = await edge.ctx.db.execute("SELECT count(*) AS n FROM audit_log WHERE kind = 'exported'");
  assert.equal(audited.rows[0].n, 3, "what was refused is written down nowhere");

  await first.body!.cancel();
  const third = await elsewhere.ask(path);
  assert.equal(third.status, 200, "one left");
  assert.equal((await third.text()).split("\r\n").length, 2_502);
  const fourth = await person.ask(path);
  assert.equal(fourth.status, 200, "one ended");
  await fourth.body!.cancel();
  await second.body!.cancel();
});

Deno.test("a refused, missing or HEAD export takes no place", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  for (let i = 0; i < 2 * MAX_EXPORTS; i++) {
    assert.equal((await person.ask("/api/campaigns/77/deliveries.csv")).status, 404);
    assert.equal((await person.ask("/api/admin/audit.csv")).status, 403);
    assert.equal((await person.ask("/api/suppressions.csv", { method: "HEAD" })).status, 200);
  }
  const whole = await person.ask("/api/suppressions.csv");
  assert.equal(whole.status, 200);
  await whole.body!.cancel();
});

Deno.test("a download that its caller leaves frees its place, over a real connection", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const campaign = await makeCampaign(edge.ctx, { client: person.id, rows: { queued: 200_000 } });
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const { hostname, port } = new URL(listener.url);
  // Use a raw connection: fetch() keeps the connection of a file that it was told to leave.
  const download = async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const head = `GET /api/campaigns/${campaign}/deliveries.csv HTTP/1.1\r\nhost: ${hostname}:${port}\r\n`;
    await connection.write(new TextEncoder().encode(`${head}cookie: ${person.cookie}\r\n\r\n`));
    const begun = new Uint8Array(12);
    await connection.read(begun);
    return { status: new TextDecoder().decode(begun), leave: () => connection.close() };
  };
  const [taken, full] = ["HTTP/1.1 200", "HTTP/1.1 429"];
  const two = [await download(), await download()];
  const third = await download();
  assert.deepEqual([...two, third].map(({ status }) => status), [taken, taken, full]);
  [...two, third].forEach(({ leave }) => leave());
  // The edge frees a place only when the close has arrived over the connection.
  for (let free = 0; free < MAX_EXPORTS;) {
    const again = await download();
    again.leave();
    if (again.status === taken) free++;
  }
  await listener.stop(1_000);
});

Deno.test("an export yields to the event loop between two pages", async () => {
  await using edge = await openTestApp();
  const person = await edge.addPerson();
  const pages = 12;
  const campaign = await makeCampaign(edge.ctx, { client: person.id, rows: { queued: pages * 1_000 } });
  const answer = await person.ask(`/api/campaigns/${campaign}/deliveries.csv`);
  using turns = countTurns();
  await answer.text();
  assert.ok(turns.count >= pages, `${turns.count} turns`);
});

Deno.test("a download that is not read for a minute ends, and its place becomes free", async () => {
  const waits: { ms: number; isOver: () => void; signal: AbortSignal }[] = [];
  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((isOver) => waits.push({ ms, isOver, signal: signal! }));
  let cancelled = 0;
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set("user", { client: 1, person: 1, username: "a", role: "client", duty: "owner", sessionHash: "" });
      await next();
    })
    .use(boundExports({ wait }))
    .get("/api/x.csv", (c) =>
      c.body(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode("a line\r\n")),
          cancel: () => void cancelled++,
        }),
      ));
  app.onError((error) => {
    assert.ok(error instanceof HttpError);
    return Response.json(error.body, { status: error.status });
  });
  const readers = [];
  for (let i = 0; i < MAX_EXPORTS; i++) {
    readers.push((await app.request("/api/x.csv")).body!.getReader());
    await readers[i]!.read();
    await readers[i]!.read();
  }
  assert.equal((await app.request("/api/x.csv")).status, 429);
  const running = waits.filter(({ signal }) => !signal.aborted);
  assert.deepEqual(running.map(({ ms }) => ms), [EXPORT_SILENT_MS, EXPORT_SILENT_MS]);
  waits.forEach(({ isOver }) => isOver());
  // The effects of the ended waits are done when the loop has turned.
  await new Promise((turned) => setTimeout(turned, 0));
  for (const reader of readers) await assert.rejects(reader.read(), /took nothing/);
  assert.equal(cancelled, MAX_EXPORTS);
  const next = await app.request("/api/x.csv");
  assert.equal(next.status, 200);
  await next.body!.cancel();
});
