import assert from "node:assert/strict";
import { MAX_OPEN, MAX_WAITING_OF_PERSON, workbookTurns } from "../tables/workbook_turns.ts";
import { makeList } from "../testing/list_acts.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { makeWorkbook, textRows } from "../testing/make_workbook.ts";
import { turnByTimer } from "../time/turn_loop.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";

/** Returns a scan that lets `count` files go on together, and later ones at once. */
function barrier(count: number) {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return {
    scan: async () => {
      if (++come === count) all.resolve();
      await all.promise;
      return { found: null };
    },
  };
}

const workbook = (...numbers: string[]) =>
  makeWorkbook({ sheets: { א: textRows(["טלפון"], ...numbers.map((number) => [number])) } });

function form(file: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): FormData {
  const body = new FormData();
  body.set("file", new File([file], "לקוחות.xlsx"));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return body;
}

const stage = (person: TestPerson, file: Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
  person.ask("/api/staged-files", { method: "POST", body: form(file), ...(signal && { signal }) });

Deno.test("a person's workbooks are opened one by one; those beyond the line are refused in words", async () => {
  const count = 1 + MAX_WAITING_OF_PERSON + 2;
  await using edge = await openTestApp(barrier(count));
  const dana = await edge.addPerson();
  const file = await workbook("0540000001");
  const answers = Array.from({ length: count }, () => stage(dana, file));
  const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  assert.equal(refused.length, 2);
  for (const answer of refused) {
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get("retry-after"), "5");
    assert.deepEqual(await answer.json(), {
      error: "כמה קובצי אקסל שלכם עדיין נפתחים. אפשר להעלות את הבא כשאחד מהם יסתיים.",
      code: "too_many_attempts",
    });
  }
  assert.equal((await stage(dana, file)).status, 200, "the line has ended");
});

Deno.test("a person with one workbook does not wait for all those of the others", async () => {
  await using edge = await openTestApp(barrier(MAX_OPEN * (1 + MAX_WAITING_OF_PERSON) + 1));
  const people: TestPerson[] = [];
  for (let i = 0; i <= MAX_OPEN; i++) people.push(await edge.addPerson());
  const file = await workbook("0540000001");
  const ended: number[] = [];
  const ask = async (person: number) => {
    assert.equal((await stage(people[person]!, file)).status, 200);
    ended.push(person);
  };
  const answers: Promise<void>[] = [];
  for (let person = 0; person < MAX_OPEN; person++) {
    for (let i = 0; i <= MAX_WAITING_OF_PERSON; i++) answers.push(ask(person));
  }
  answers.push(ask(MAX_OPEN));
  await Promise.all(answers);
  const place = ended.indexOf(MAX_OPEN);
  assert.ok(place <= 2 * MAX_OPEN, `the last to come was number ${place + 1} of ${ended.length}`);
});

Deno.test("a caller who leaves the line keeps no place in it", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const file = await workbook("0540000001");
  const leaver = new AbortController();
  const before = await workbookTurns.take(dana.id);
  const first = stage(dana, file, leaver.signal);
  while (workbookTurns.waiting === 0) await turnByTimer();
  leaver.abort();
  assert.equal((await (await first).json()).error, "החיבור נסגר באמצע, והפעולה נעצרה. אפשר לנסות שוב.");
  assert.equal(workbookTurns.waiting, 0);
  const second = stage(dana, file);
  before[Symbol.dispose]();
  assert.equal((await second).status, 200);
});

Deno.test("every upload gives its turn back, whether it was taken in or refused", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  const list = await makeList(dana, "לקוחות");
  const campaign = await makeCampaign(edge.ctx, { client: dana.id, status: "draft" });
  const good = await workbook("0540000001");
  const files = [good, await workbook(), await makeWorkbook(), good.slice(0, 300), good];
  const doors: [TestPerson, string, Record<string, string>?][] = [
    [dana, "/api/staged-files"],
    [dana, `/api/campaigns/${campaign}/contacts`],
    [dana, "/api/suppressions/file"],
    [dana, `/api/lists/${list}/file`],
    [admin, "/api/admin/files", { target: "suppressions" }],
    [admin, "/api/admin/files", { target: "no target" }],
  ];
  for (const [person, path, more] of doors) {
    for (const file of files) {
      const answer = await person.ask(path, { method: "POST", body: form(file, more) });
      await answer.body?.cancel();
      using turn = await workbookTurns.take(person.id, AbortSignal.timeout(5_000));
      assert.ok(turn, path);
    }
  }
});
