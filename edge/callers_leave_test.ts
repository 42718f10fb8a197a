/**
 * Long calls through their routes: when the caller leaves, the work ends, and the edge reports the remaining state
 * correctly.
 */
import assert from "node:assert/strict";
import { makeCampaign } from "./testing/make_campaign.ts";
import { openTestApp, type TestApp, type TestPerson } from "./testing/test_app.ts";

const ROWS = 20_000;
/** Three transactions of an import. */
const LONG = 120_000;

/** Returns a signal that aborts at the edge's `commits`th commit, as the runtime does when a connection closes. */
function leaveAfter(edge: TestApp, commits: number): AbortSignal {
  const caller = new AbortController();
  edge.ctx.wakeOutbox = () => {
    if (--commits === 0) caller.abort();
  };
  return caller.signal;
}

const numbers = (length: number) =>
  Array.from({ length }, (_, index) => `0${540_000_001 + index}`).join("\n");

function fileOf(length: number): FormData {
  const body = new FormData();
  body.set("file", new File([numbers(length)], "list.csv"));
  return body;
}

async function one(edge: TestApp, sql: string): Promise<Record<string, unknown>> {
  const { rows: [row] } = await edge.ctx.db.execute(sql);
  return { ...row };
}

/** Returns how many deliveries were ever added, including those removed again. */
async function everAdded(edge: TestApp): Promise<number> {
  return Number((await one(edge, "SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'")).seq);
}

async function assertNothingAdded(edge: TestApp, campaign: number): Promise<void> {
  assert.deepEqual(await one(edge, `SELECT status, queued_count, running_import FROM campaigns`), {
    status: "draft",
    queued_count: 0,
    running_import: null,
  });
  assert.deepEqual(await one(edge, `SELECT status, error FROM imports WHERE campaign = ${campaign}`), {
    status: "error",
    error: "החיבור נסגר באמצע, והפעולה נעצרה. אפשר לנסות שוב.",
  });
  assert.equal((await one(edge, "SELECT count(*) AS n FROM deliveries")).n, 0);
}

const IMPORTS: Record<string, (client: TestPerson, id: number, signal: AbortSignal) => Promise<Response>> = {
  "a file": (client, id, signal) =>
    client.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body: fileOf(LONG), signal }),
  "pasted numbers": (client, id, signal) =>
    client.ask(`/api/campaigns/${id}/contacts/manual`, {
      method: "POST",
      json: { numbers: numbers(LONG) },
      signal,
    }),
};

for (const [name, ask] of Object.entries(IMPORTS)) {
  Deno.test(`an import of ${name} ends when its caller leaves, and adds nothing`, async () => {
    await using edge = await openTestApp();
    const client = await edge.addPerson();
    const id = await makeCampaign(edge.ctx, { client: client.id, status: "draft" });
    // The first commit locks the campaign, the second adds a part of the list.
    const answer = await ask(client, id, leaveAfter(edge, 2));
    assert.equal((await answer.json()).code, "invalid_input");
    await assertNothingAdded(edge, id);
    assert.ok(await everAdded(edge) < LONG, "no further part was added");
  });
}

Deno.test("a copy ends when its caller leaves, and is deleted", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: ROWS } });
  const answer = await client.ask(`/api/campaigns/${id}/duplicate`, {
    method: "POST",
    json: { contacts: "all" },
    signal: leaveAfter(edge, 2),
  });
  assert.equal((await answer.json()).code, "invalid_input");
  assert.deepEqual(await one(edge, "SELECT count(*) AS n, sum(queued_count) AS queued FROM campaigns"), {
    n: 1,
    queued: ROWS,
  });
  assert.equal((await one(edge, "SELECT count(*) AS n FROM deliveries")).n, ROWS);
  assert.ok(await everAdded(edge) < 2 * ROWS, "no further slice was added");
});

Deno.test("unknown deliveries are settled until the caller leaves, with an audit line for each slice", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const status = "completed_with_errors";
  const id = await makeCampaign(edge.ctx, { client: client.id, status, rows: { unknown: ROWS } });
  const answer = await client.ask(`/api/campaigns/${id}/deliveries/resolve`, {
    method: "POST",
    json: { ids: "all", as: "failed" },
    signal: leaveAfter(edge, 2),
  });
  assert.equal((await answer.json()).code, "invalid_input");
  assert.deepEqual(await one(edge, "SELECT failed_count, unknown_count FROM campaigns"), {
    failed_count: 400,
    unknown_count: ROWS - 400,
  });
  const noted =
    `SELECT sum(json_extract(data, '$.changed')) AS n FROM audit_log WHERE kind = 'deliveries_resolved'`;
  assert.deepEqual(await one(edge, noted), { n: 400 });
});

for (const role of ["client", "admin"] as const) {
  Deno.test(`removals of a file (${role}) are added until the caller leaves, and the added ones are reported`, async () => {
    await using edge = await openTestApp();
    const person = await edge.addPerson({ role });
    const answer = await person.ask("/api/suppressions/file", {
      method: "POST",
      body: fileOf(ROWS),
      signal: leaveAfter(edge, 2),
    });
    assert.equal((await answer.json()).code, "invalid_input");
    const { n } = await one(edge, "SELECT count(*) AS n FROM suppressions");
    assert.equal(n, ROWS / 2);
    const audited =
      `SELECT sum(json_extract(data, '$.count')) AS n FROM audit_log WHERE kind = 'suppressions_added'`;
    assert.deepEqual(await one(edge, audited), { n });
    const noted = `SELECT json_extract(data, '$.count') AS n FROM activity WHERE code = 'suppressions_added'`;
    assert.deepEqual(await one(edge, noted), role === "admin" ? { n } : {});
  });
}

Deno.test("a removal of contacts continues when its caller leaves: the rest would stay in the next list", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: ROWS } });
  const signal = leaveAfter(edge, 1);
  const answer = await client.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE", signal });
  assert.ok(answer.ok);
  assert.equal((await one(edge, "SELECT count(*) AS n FROM deliveries")).n, 0);
});

/**
 * In one packet: when a request arrives in several, the runtime reports nothing before its answer begins (Deno 2.9.6,
 * measured).
 */
Deno.test("an edge sees at its socket that the caller has left", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: ROWS } });
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, edge.app.fetch);
  const host = `127.0.0.1:${server.addr.port}`;
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const body = JSON.stringify({ contacts: "all" });
  const head = [
    `POST /api/campaigns/${id}/duplicate HTTP/1.1`,
    `host: ${host}`,
    `origin: http://${host}`,
    `cookie: ${client.cookie}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  const held = Promise.withResolvers<void>();
  edge.ctx.wakeOutbox = held.resolve;
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${body}`));
  await held.promise;
  connection.close();
  while ((await one(edge, "SELECT count(*) AS n FROM imports WHERE status = 'processing'")).n !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.equal((await one(edge, "SELECT count(*) AS n FROM imports")).n, 0, "it is gone with its campaign");
  assert.ok(await everAdded(edge) < 2 * ROWS, "it ended on its way");
});
