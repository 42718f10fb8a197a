/** Routes whose cost grows with a list: however long the list, other requests get their turn. */
import assert from "node:assert/strict";
import { ROUTES } from "./testing/route_table.ts";
import { OPT_IN } from "./testing/advertising.ts";
import { countTurns } from "./testing/count_turns.ts";
import { makeCampaign } from "./testing/make_campaign.ts";
import { openTestApp, type TestApp, type TestPerson } from "./testing/test_app.ts";

/** Longer than any slice. */
const ROWS = 20_000;

interface House {
  edge: TestApp;
  client: TestPerson;
  campaign: (state: "queued" | "unknown" | "failed") => Promise<number>;
}

/** Name, request, and how often the event loop must turn meanwhile at least. */
const CALLS: [string, (house: House) => Promise<() => Promise<Response>>, number][] = [
  ["a copy", async ({ client, campaign }) => {
    const id = await campaign("queued");
    return () => client.ask(`/api/campaigns/${id}/duplicate`, { method: "POST", json: { contacts: "all" } });
  }, 5],
  ["a copy of the few that were not sent", async ({ client, campaign, edge }) => {
    const id = await campaign("unknown");
    await edge.ctx.db.execute(`UPDATE campaigns SET failed_count = 1 WHERE id = ${id}`);
    return () =>
      client.ask(`/api/campaigns/${id}/write-again`, {
        method: "POST",
        json: { groups: [{ state: "failed", reason: null }] },
      });
  }, 5],
  ["an export", async ({ client, campaign }) => {
    const id = await campaign("queued");
    return () => client.ask(`/api/campaigns/${id}/deliveries.csv`);
  }, 20],
  ["the removal of all contacts", async ({ client, campaign }) => {
    const id = await campaign("queued");
    return () => client.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE" });
  }, 3],
  ["the removal of one import", async ({ edge, client, campaign }) => {
    const id = await campaign("queued");
    await edge.ctx.db.execute(`INSERT INTO imports (id, campaign, file_name, status, created_at, updated_at)
      VALUES (7, ${id}, '', 'completed', 0, 0)`);
    return () => client.ask(`/api/campaigns/${id}/imports/7`, { method: "DELETE" });
  }, 9],
  ["the removal of numbers without a consent", async ({ edge, client, campaign }) => {
    const id = await campaign("queued");
    await edge.ctx.db.execute(`INSERT INTO unconsented (campaign, phone, import)
      SELECT campaign, phone, 1 FROM deliveries WHERE campaign = ${id}`);
    await edge.ctx.db.execute(`DELETE FROM deliveries WHERE campaign = ${id}`);
    await edge.ctx.db.execute(`UPDATE campaigns SET queued_count = 0 WHERE id = ${id}`);
    return () => client.ask(`/api/campaigns/${id}`, { method: "DELETE" });
  }, 3],
  ["unknown ones that are called sent", async ({ client, campaign }) => {
    const id = await campaign("unknown");
    const json = { ids: "all", as: "sent" };
    return () => client.ask(`/api/campaigns/${id}/deliveries/resolve`, { method: "POST", json });
  }, 19],
  ["unknown ones that are sent again", async ({ client, campaign }) => {
    const id = await campaign("unknown");
    const json = { ids: "all", as: "resend" };
    return () => client.ask(`/api/campaigns/${id}/deliveries/resolve`, { method: "POST", json });
  }, 19],
  ["a file of removals", ({ client }) => {
    const body = new FormData();
    const numbers = Array.from({ length: ROWS }, (_, index) => `0${520_000_000 + index}`);
    body.set("file", new File([numbers.join("\n")], "list.csv"));
    return Promise.resolve(() => client.ask("/api/suppressions/file", { method: "POST", body }));
  }, 9],
  ["an export of removals", async ({ edge, client, campaign }) => {
    const id = await campaign("queued");
    await edge.ctx.db.execute(`INSERT INTO suppressions (client, phone, source, at)
      SELECT ${client.id}, phone, 'manual', 0 FROM deliveries WHERE campaign = ${id}`);
    return () => client.ask("/api/suppressions.csv");
  }, 20],
  ["an export of consents", async ({ edge, client, campaign }) => {
    const id = await campaign("queued");
    await edge.ctx.db.batch([
      `INSERT INTO consent_declarations (id, client, at, user, basis, source, campaign)
        VALUES (1, ${client.id}, 0, ${client.id}, '${OPT_IN.basis}', '', ${id})`,
      `INSERT INTO consents (client, phone, declaration) SELECT ${client.id}, phone, 1 FROM deliveries`,
    ], "write");
    return () => client.ask("/api/consents.csv");
  }, 20],
];

for (const [name, prepare, turnsAtLeast] of CALLS) {
  Deno.test(`${name} yields to the event loop repeatedly`, async () => {
    await using edge = await openTestApp();
    const client = await edge.addPerson();
    const status = { queued: "ready", unknown: "completed_with_errors", failed: "failed" } as const;
    const campaign = (state: keyof typeof status) =>
      makeCampaign(edge.ctx, { client: client.id, status: status[state], rows: { [state]: ROWS } });
    const ask = await prepare({ edge, client, campaign });
    using turns = countTurns();
    const answer = await ask();
    assert.ok(answer.ok, await answer.text());
    assert.ok(turns.count >= turnsAtLeast, `${turns.count} turns`);
  });
}

Deno.test("searches for a number within a state run one per turn of the event loop", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const id = await makeCampaign(edge.ctx, { client: client.id, rows: { queued: 3, sent: 3 } });
  using turns = countTurns();
  const json = { state: "sent", q: "054" };
  const search = () => client.ask(`/api/campaigns/${id}/deliveries/search`, { method: "POST", json });
  const answers = await Promise.all(Array.from({ length: 10 }, search));
  for (const answer of answers) assert.equal((await answer.json()).items.length, 3);
  assert.ok(turns.count >= 9, `${turns.count} turns`);
});

Deno.test("a person's list is read after a few of the lists that another asked for before, not after all", async () => {
  await using edge = await openTestApp();
  const [greedy, other] = [await edge.addPerson(), await edge.addPerson()];
  const listOf = async ({ id, ask }: TestPerson) => {
    const campaign = await makeCampaign(edge.ctx, { client: id, rows: { queued: 1_000 } });
    return () => ask(`/api/campaigns/${campaign}/deliveries?limit=100`);
  };
  const [askMuch, askOnce] = [await listOf(greedy), await listOf(other)];
  let answered = 0;
  const flood = Array.from({ length: 200 }, () =>
    askMuch().then((answer) => {
      assert.equal(answer.status, 200);
      answered++;
    }));
  const answer = await askOnce();
  assert.equal((await answer.json()).items.length, 100);
  assert.ok(answered < 30, `after ${answered} lists of another`);
  await Promise.all(flood);
});

const AT_ONCE: [string, "queued" | "unknown", (id: number) => Parameters<TestPerson["ask"]>][] = [
  ["removals of contacts", "queued", (id) => [`/api/campaigns/${id}/contacts`, { method: "DELETE" }]],
  ["settlements of all unknown ones", "unknown", (id) => {
    const json = { ids: "all", as: "failed" };
    return [`/api/campaigns/${id}/deliveries/resolve`, { method: "POST", json }];
  }],
];

for (const [name, state, askOf] of AT_ONCE) {
  Deno.test(`${name} that arrive together start one per turn of the event loop`, async () => {
    await using edge = await openTestApp();
    const client = await edge.addPerson();
    const status = state === "queued" ? "ready" : "completed_with_errors";
    const ids: number[] = [];
    while (ids.length < 20) {
      ids.push(await makeCampaign(edge.ctx, { client: client.id, status, rows: { [state]: 3 } }));
    }
    let turns = 0;
    let timer = setTimeout(function turned() {
      turns++;
      timer = setTimeout(turned, 0);
    }, 0);
    const answers = await Promise.all(ids.map((id) => client.ask(...askOf(id))));
    clearTimeout(timer);
    for (const answer of answers) assert.ok(answer.ok, await answer.text());
    assert.ok(turns >= 19, `${turns} turns`);
  });
}

Deno.test("a search in a list of removals reads numbers in their order, by an index of that list", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const other = await edge.addPerson();
  const add = (owner: TestPerson, numbers: string[]) =>
    owner.ask("/api/suppressions", { method: "POST", json: { numbers: numbers.join("\n") } });
  await add(client, ["0559000003", "0501234567", "0559000001", "0559000002"]);
  await add(other, ["0559000001", "0559000004"]);
  const read = async (cursor?: number) => {
    const json = { q: "0559", limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    return await (await client.ask("/api/suppressions/search", { method: "POST", json })).json();
  };
  const phonesOf = (page: { items: { phone: string }[] }) => page.items.map(({ phone }) => phone.slice(-1));
  const first = await read();
  assert.deepEqual(phonesOf(first), ["1", "2"]);
  const second = await read(first.nextCursor);
  assert.deepEqual([phonesOf(second), second.nextCursor], [["3"], null]);
  const { rows } = await edge.ctx.db.execute(
    `EXPLAIN QUERY PLAN SELECT id FROM suppressions WHERE client = 1 AND phone BETWEEN 1 AND 2 ORDER BY phone LIMIT 3`,
  );
  assert.deepEqual(rows.length, 1, "nothing is sorted");
  assert.match(String(rows[0]!.detail), /SEARCH suppressions USING .*INDEX suppressions_client_phone/);
});

/** Routes that list, search, add, copy, resolve or remove rows. Every new one belongs in the table. */
const GROWS =
  /\.(csv|xlsx)$|\/api\/lists\/:id\/(file|numbers|campaign)$|DELETE \/api\/lists\/:id$|\/contacts|\/duplicate$|\/resolve$|\/deliveries(\/search)?$|suppressions|\/search$|\/erasures$|\/admin\/files(\/:id\/retry)?$|\/decide$|\/clear$|\/(send|pause|resume|cancel)$|DELETE \/api\/campaigns\/:id$/;
/** These look up one number by an index, or list one page of certificates. */
const OF_ONE = [
  "POST /api/admin/opt-outs/search",
  "GET /api/admin/erasures",
  "POST /api/lists/:id/contacts",
  "GET /api/lists/:id/contacts/:contact",
  "PATCH /api/lists/:id/contacts/:contact",
];

Deno.test("docs/security.md lists every call that grows with a list, each with existing tests", async () => {
  const text = await Deno.readTextFile(new URL("../docs/security.md", import.meta.url));
  const [, table] = /^## What grows with a list$([\s\S]*?)^## /m.exec(text)!;
  const rows = [...table!.matchAll(/^\| (`[A-Z]+ .*?) +\| (.*?) +\| (.*?) +\|$/gm)];
  const named = rows.flatMap(([, calls]) =>
    [...calls!.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, route]) => route!)
  );
  for (const route of named) assert.ok(route in ROUTES, route);
  const growing = Object.keys(ROUTES).filter((route) => GROWS.test(route) && !OF_ONE.includes(route));
  assert.deepEqual(growing.filter((route) => !named.includes(route)), []);
  for (const [, calls, bound, tests] of rows) {
    assert.ok(bound!.length > 0, calls);
    for (const cited of tests!.split("; ")) {
      const [, path, words] = /^`([\w./]+)` "(.+)"$/.exec(cited) ?? [];
      assert.ok(path !== undefined, `${calls}: ${cited}`);
      const source = await Deno.readTextFile(new URL(`../${path}`, import.meta.url));
      assert.ok(source.includes(words!), `${calls}: ${cited}`);
    }
  }
});
