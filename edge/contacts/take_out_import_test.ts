import assert from "node:assert/strict";
import { importPageSchema } from "shared/http_api.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { endDeadRemovals, takeOutImport } from "./take_out_import.ts";

async function addDraft(test: TestApp, person: TestPerson): Promise<number> {
  return await makeCampaign(test.ctx, { client: person.id, status: "draft" });
}

async function paste(person: TestPerson, id: number, numbers: string): Promise<number> {
  const response = await person.ask(`/api/campaigns/${id}/contacts/manual`, {
    method: "POST",
    json: { numbers },
  });
  assert.equal(response.status, 200);
  return (await response.json()).importId;
}

function takeOut(person: Pick<TestPerson, "ask">, id: number, importId: number): Promise<Response> {
  return person.ask(`/api/campaigns/${id}/imports/${importId}`, { method: "DELETE" });
}

async function listOf(person: TestPerson, id: number, query = "") {
  const response = await person.ask(`/api/campaigns/${id}/imports${query}`);
  assert.equal(response.status, 200);
  return importPageSchema.parse(await response.json());
}

async function phonesOf(test: TestApp, id: number): Promise<number[]> {
  const { rows } = await test.ctx.db.execute(
    `SELECT phone FROM deliveries WHERE campaign = ${id} ORDER BY phone`,
  );
  return rows.map(({ phone }) => Number(phone));
}

async function stateOf(test: TestApp, id: number) {
  const { rows: [row] } = await test.ctx.db.execute(
    `SELECT status, queued_count, skipped_count, unconsented_count, running_import FROM campaigns WHERE id = ${id}`,
  );
  return { ...row };
}

Deno.test("GET /imports lists what was added, newest first, with counts, the column and the rejected rows", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  const body = new FormData();
  const csv = "שם,נייד 0521234567,עיר\nדנה,0540000001,חיפה\nכפול,0540000001,\nקצר,12,\n";
  body.set("file", new File([csv], "לקוחות 0541234567.csv"));
  await dana.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body });
  await paste(dana, id, "0540000002\nסתם מילים");
  const { items, nextCursor } = await listOf(dana, id);
  assert.equal(nextCursor, null);
  const at = test.ctx.now();
  const shared = {
    status: "completed",
    error: null,
    at,
    suppressed: 0,
    withoutConsent: 0,
    hasRejected: true,
  };
  assert.deepEqual(items, [
    { ...shared, id: 2, source: "typed", fileName: "", column: null, added: 1, duplicates: 0, invalid: 1 },
    {
      ...shared,
      id: 1,
      source: "file",
      // Numbers in the name and in the heading are not kept.
      fileName: "לקוחות •••.csv",
      column: { no: 2, name: "נייד •••" },
      added: 1,
      duplicates: 1,
      invalid: 1,
    },
  ]);
  const first = await listOf(dana, id, "?limit=1");
  assert.deepEqual([first.items.map((item) => item.id), first.nextCursor], [[2], 2]);
  assert.deepEqual((await listOf(dana, id, "?limit=1&cursor=2")).items.map((item) => item.id), [1]);
});

Deno.test("GET /imports lists a refused file only for its rejected rows", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  for (const content of ["שם,עיר\nדנה,חיפה\n", "טלפון\n12\n34\n"]) {
    const body = new FormData();
    body.set("file", new File([content], "רשימה.csv"));
    assert.equal((await dana.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body })).status, 400);
  }
  const { items: [refused, ...others] } = await listOf(dana, id);
  assert.deepEqual(others, []);
  assert.deepEqual([refused!.id, refused!.status, refused!.hasRejected], [2, "error", true]);
  assert.match(refused!.error!, /בשתי שורות המספר לא תקין/);
  assert.equal((await takeOut(dana, id, 2)).status, 204);
  assert.deepEqual((await listOf(dana, id)).items, []);
});

Deno.test("DELETE /imports/{importId} takes out exactly what that import added", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  const [a, b, c, d] = [972540000001, 972540000002, 972540000003, 972540000004];
  const first = await paste(dana, id, `+${a}\n+${b}`);
  const second = await paste(dana, id, `+${b}\n+${c}\n+${d}`);
  // Of the second list one asked to be removed, after it was added.
  await suppressPhone(test.ctx, { phone: `+${d}`, client: dana.id, source: "reply" });
  assert.equal((await takeOut(dana, id, second)).status, 204);
  assert.deepEqual(await phonesOf(test, id), [a, b]);
  assert.deepEqual(await stateOf(test, id), {
    status: "ready",
    queued_count: 2,
    skipped_count: 0,
    unconsented_count: 0,
    running_import: null,
  });
  assert.deepEqual((await listOf(dana, id)).items.map((item) => item.id), [first]);
  assert.equal((await takeOut(dana, id, second)).status, 404);
  assert.equal((await takeOut(dana, id, first)).status, 204);
  const campaign = await (await dana.ask(`/api/campaigns/${id}`)).json();
  assert.deepEqual([campaign.status, campaign.totalContacts], ["draft", 0]);
  // The numbers can come in again.
  await paste(dana, id, `+${a}\n+${c}`);
  assert.deepEqual(await phonesOf(test, id), [a, c]);
});

Deno.test("an import between two others goes out of a long list in bounded slices, and is complete", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  const lines = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `0${520_000_000 + first + index}`).join("\n");
  await paste(dana, id, lines(0, 2_500));
  const middle = await paste(dana, id, lines(10_000, 4_100));
  await paste(dana, id, lines(20_000, 3_000));
  assert.equal((await takeOut(dana, id, middle)).status, 204);
  const left = await phonesOf(test, id);
  assert.equal(left.length, 5_500);
  assert.ok(!left.some((phone) => phone >= 972_520_010_000 && phone < 972_520_020_000));
  assert.equal((await stateOf(test, id)).queued_count, 5_500);
});

Deno.test("the numbers that an import left out for lack of consent go with it", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  await test.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing' WHERE id = ${id}`);
  const first = await paste(dana, id, "0540000001\n0540000002");
  const second = await paste(dana, id, "0540000003");
  assert.equal((await stateOf(test, id)).unconsented_count, 3);
  assert.equal((await takeOut(dana, id, first)).status, 204);
  assert.equal((await stateOf(test, id)).unconsented_count, 1);
  assert.deepEqual((await listOf(dana, id)).items.map((item) => item.id), [second]);
});

Deno.test("a removal whose process died is ended by another edge; until then nothing is sent", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 10 });
  const id = await addDraft(test, dana);
  await paste(dana, id, "0540000001");
  const importId = await paste(dana, id, "0540000002\n0540000003");
  let batches = 0;
  const dying = {
    ...test.ctx,
    db: new Proxy(test.ctx.db, {
      get(target, name) {
        if (name === "batch" && ++batches > 1) throw new Error("the process died");
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    }),
  };
  await assert.rejects(takeOutImport(dying, { importId, campaign: id, client: dana.id }), /the process died/);
  assert.deepEqual((await listOf(dana, id)).items.map((item) => item.id), [1]);
  const sent = await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.equal((await sent.json()).code, "import_running");
  assert.equal(await endDeadRemovals(test.ctx), 0);
  test.clock.now += 61_000;
  assert.equal(await endDeadRemovals(test.ctx), 1);
  assert.equal(await endDeadRemovals(test.ctx), 0);
  assert.deepEqual(await phonesOf(test, id), [972540000001]);
  assert.deepEqual(await stateOf(test, id), {
    status: "ready",
    queued_count: 1,
    skipped_count: 0,
    unconsented_count: 0,
    running_import: null,
  });
});

Deno.test("the contacts of a copy go out as one import, and the copy stays", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
  const response = await dana.ask(`/api/campaigns/${id}/duplicate`, {
    method: "POST",
    json: { contacts: "all" },
  });
  const copy = await response.json();
  assert.equal(copy.name, "סתיו (עותק)");
  const { items: [item] } = await listOf(dana, copy.id);
  assert.deepEqual([item!.source, item!.added], ["copy", 3]);
  assert.equal((await takeOut(dana, copy.id, item!.id)).status, 204);
  assert.deepEqual(await stateOf(test, copy.id), {
    status: "draft",
    queued_count: 0,
    skipped_count: 0,
    unconsented_count: 0,
    running_import: null,
  });
  assert.equal((await phonesOf(test, id)).length, 3);
});

Deno.test("only the owner takes an import out, of that campaign, before it is sent and while no import runs", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const stranger = await test.addPerson();
  const id = await addDraft(test, dana);
  const importId = await paste(dana, id, "0540000001");
  const other = await addDraft(test, dana);
  assert.equal((await takeOut(stranger, id, importId)).status, 404);
  assert.equal((await takeOut(admin, id, importId)).status, 403);
  assert.equal((await takeOut(dana, other, importId)).status, 404);
  assert.equal((await stranger.ask(`/api/campaigns/${id}/imports`)).status, 404);
  assert.equal((await listOf(admin, id)).items.length, 1);
  const running = await paste(dana, other, "0540000009");
  await test.ctx.db.execute(`UPDATE campaigns SET running_import = ${running} WHERE id = ${id}`);
  assert.equal((await (await takeOut(dana, id, importId)).json()).code, "import_running");
  await test.ctx.db.execute(`UPDATE campaigns SET running_import = NULL, status = 'paused' WHERE id = ${id}`);
  assert.equal((await (await takeOut(dana, id, importId)).json()).code, "campaign_not_editable");
  assert.deepEqual(await phonesOf(test, id), [972540000001]);
});

Deno.test("DELETE /contacts empties the list of imports as well", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await addDraft(test, dana);
  await paste(dana, id, "0540000001");
  await paste(dana, id, "0540000001\n0540000002");
  assert.equal((await dana.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE" })).status, 204);
  assert.deepEqual((await listOf(dana, id)).items, []);
});
