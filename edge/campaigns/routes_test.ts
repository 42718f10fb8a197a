import assert from "node:assert/strict";
import { campaignSchema, recallResultSchema, sendResultSchema } from "shared/http_api.ts";
import { auditQueue } from "../queue/audit.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";
import { editCampaign } from "./edit.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { readCampaign } from "./read.ts";

type Caller = Pick<TestPerson, "ask">;
const LONG_FIELD = "אחד השדות בטופס ארוך מדי. כדאי לקצר אותו ולנסות שוב.";

Deno.test("POST /api/campaigns makes a draft that its owner finds in the list", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const response = await create(dana, { name: " סתיו ", message: "שורה\nושנייה", status: "draft" });
  assert.equal(response.status, 201);
  const made = campaignSchema.parse(await response.json());
  assert.deepEqual(made, {
    ...made,
    name: "סתיו",
    message: "שורה\nושנייה",
    status: "draft",
    totalContacts: 0,
    imageUrl: null,
    completedAt: null,
    notices: [{ code: "no_contacts" }],
  });
  const { waitingReplies: _, ...listed } = made;
  assert.deepEqual(await list(dana), [listed], "a list counts no replies");
  assert.deepEqual(await (await dana.ask(`/api/campaigns/${made.id}`)).json(), made);
});

Deno.test("POST /api/campaigns refuses a body that is not a whole draft", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const cases: [Record<string, string>, string][] = [
    [{ message: "שלום" }, "נא למלא שם קמפיין והודעה"],
    [{ name: "סתיו" }, "נא למלא שם קמפיין והודעה"],
    [{ name: "  ", message: "שלום" }, "נא למלא שם קמפיין והודעה"],
    [{ name: "סתיו", message: "x".repeat(4_097) }, "שם הקמפיין יכול להכיל עד 120 תווים, וההודעה עד 4096."],
    [{ name: "סתיו", message: "\0\x07 " }, "נא למלא שם קמפיין והודעה"],
    // Without the control characters both would be valid text.
    [{ name: "סתיו", message: `שלום${"\x01".repeat(100_000)}` }, LONG_FIELD],
    [{ name: `סתיו${" ".repeat(100_000)}`, message: "שלום" }, LONG_FIELD],
    [{ name: "סתיו", message: "שלום", status: "ready" }, "הבקשה לא תקינה. נא לבדוק את השדות ולנסות שוב."],
    [{ name: "סתיו", message: "שלום", image: "text" }, "הבקשה לא תקינה. נא לבדוק את השדות ולנסות שוב."],
  ];
  for (const [fields, error] of cases) {
    const response = await create(dana, fields);
    assert.deepEqual([response.status, await response.json()], [400, { error, code: "invalid_input" }]);
  }
  assert.deepEqual(await list(dana), []);
});

Deno.test("POST and PATCH keep a message's lines and tabs, and drop what no phone can type", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const pasted = "א\0ב\u200f\x0b\r\nג\t😀\rד\x85";
  // Sentences contain the name. A direction mark in it would reverse their numbers.
  const draft = await (await create(dana, { name: "סתיו\0 \u202e2024\u2069", message: pasted }))
    .json();
  assert.deepEqual([draft.name, draft.message], ["סתיו 2024", "אב\u200f\nג\t😀\nד"]);
  const patched = await dana.ask(`/api/campaigns/${draft.id}`, {
    method: "PATCH",
    json: { message: `${pasted}!` },
  });
  assert.equal((await patched.json()).message, `${draft.message}!`);
});

Deno.test("POST /api/campaigns answers hostile bodies with our own sentences", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const bodies: [BodyInit, string][] = [
    ["", "multipart/form-data; boundary=x"],
    ["--x\r\n", "multipart/form-data; boundary=x"],
    ['--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nhalf', "multipart/form-data; boundary=x"],
    ["--x--", "multipart/form-data"],
    ['{"name":"x"}', "application/json"],
    ["<campaign/>", "text/xml"],
    [new Uint8Array(11 * 1024 * 1024), "multipart/form-data; boundary=x"],
  ];
  for (const [body, type] of bodies) {
    const response = await dana.ask("/api/campaigns", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    assert.ok([400, 413, 415].includes(response.status), `${type}: ${response.status}`);
    const refusal = await response.json();
    assert.match(refusal.error, /[א-ת]/);
    assert.match(refusal.code, /^(invalid_input|body_too_large|unsupported_media)$/);
  }
});

Deno.test("every campaign route answers according to the caller's rights", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 100 });
  const callers: Record<string, Caller> = {
    visitor: test.visitor,
    other: await test.addPerson(),
    admin: await test.addPerson({ role: "admin" }),
    owner: dana,
  };
  const words = { name: "חורף" };
  const matrix: [string, string, unknown, [visitor: number, other: number, admin: number, owner: number]][] =
    [
      ["GET", "", undefined, [401, 404, 200, 200]],
      ["GET", "/deliveries", undefined, [401, 404, 200, 200]],
      ["GET", "/deliveries.csv", undefined, [401, 404, 200, 200]],
      ["GET", "/image", undefined, [401, 404, 404, 404]],
      ["PATCH", "", words, [401, 404, 403, 200]],
      ["POST", "/send", undefined, [401, 404, 404, 200]],
      ["DELETE", "/contacts", undefined, [401, 404, 403, 204]],
      ["DELETE", "", undefined, [401, 404, 403, 204]],
    ];
  for (const [method, path, json, statuses] of matrix) {
    for (const [index, [name, caller]] of Object.entries(callers).entries()) {
      const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 2 } });
      const response = await caller.ask(`/api/campaigns/${id}${path}`, { method, json });
      assert.equal(response.status, statuses[index], `${method} ${path} as ${name}`);
      await response.body?.cancel();
    }
  }
  for (const [method, path] of [["GET", ""], ["POST", ""]]) {
    assert.equal((await test.visitor.ask(`/api/campaigns${path}`, { method })).status, 401);
  }
});

Deno.test("an invalid id finds no campaign", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const own = await makeCampaign(test.ctx, { client: dana.id });
  for (
    const id of [
      "0",
      `0${own}`,
      `+${own}`,
      `${own}.0`,
      "-1",
      "abc",
      "1.5",
      "9".repeat(40),
      "%00",
      "1%20OR%201=1",
    ]
  ) {
    assert.equal((await dana.ask(`/api/campaigns/${id}`)).status, 404, id);
  }
});

Deno.test("GET /api/campaigns answers 304 until something changes", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const yossi = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "processing", rows: { queued: 2 } });
  const first = await dana.ask("/api/campaigns");
  let tag = first.headers.get("etag")!;
  assert.deepEqual((await first.json())[0].notices, [{ code: "no_device", cause: "no_site" }]);
  const ask = (who: Caller) => who.ask("/api/campaigns", { headers: { "if-none-match": `W/${tag}` } });

  const same = await ask(dana);
  assert.deepEqual([same.status, await same.text()], [304, ""]);
  assert.equal((await ask(yossi)).status, 200);

  // A phone comes online: the client's own rows did not change, but a notice did.
  await test.ctx.db.executeMultiple(`
    INSERT INTO sites (id, name, last_seen_at, created_at) VALUES (1, 'תל אביב', ${test.clock.now}, 1);
    INSERT INTO devices (id, site, key, address, state, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M', 'usb', 'online', 1, 1);
    INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M/com.whatsapp/0', 'ok', 1, 1);`);
  const fleetMoved = await ask(dana);
  assert.deepEqual((await fleetMoved.json())[0].notices, []);
  tag = fleetMoved.headers.get("etag")!;
  assert.equal((await ask(dana)).status, 304);

  await test.ctx.db.execute({ sql: "UPDATE campaigns SET status = 'active' WHERE id = ?", args: [id] });
  assert.equal((await (await ask(dana)).json())[0].status, "active");
});

Deno.test("GET /api/campaigns gives a new answer when a phone has passed its rehearsal", async () => {
  await using test = await openTestApp();
  test.clock.now = Date.parse("2026-11-29T12:00:00+02:00");
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "processing", rows: { queued: 2 } });
  await test.ctx.db.executeMultiple(`
    UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id = ${id};
    INSERT INTO sites (id, name, last_seen_at, created_at, asks_rehearsal)
      VALUES (1, 'תל אביב', ${test.clock.now}, 1, 1);
    INSERT INTO devices (id, site, key, address, state, trial, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M', 'usb', 'online', 'none', 1, 1);
    INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at)
      VALUES (1, 1, 'R58M/com.whatsapp/0', 'ok', 1, 1);`);
  const first = await dana.ask("/api/campaigns");
  assert.deepEqual((await first.json())[0].notices, [{ code: "waiting_for_rehearsal", count: 2 }]);
  await test.ctx.db.execute("UPDATE devices SET trial = 'rehearsed'");
  const headers = { "if-none-match": first.headers.get("etag")! };
  const second = await dana.ask("/api/campaigns", { headers });
  assert.equal(second.status, 200);
  assert.deepEqual((await second.json())[0].notices, []);
});

Deno.test("GET /api/campaigns gives a new answer when the sending hours close and open", async () => {
  await using test = await openTestApp();
  test.clock.now = Date.parse("2026-11-29T08:30:00+02:00");
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "processing", rows: { queued: 2 } });
  await test.ctx.db.execute(`UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id = ${id}`);
  let tag = "";
  const ask = async () => {
    const answer = await dana.ask("/api/campaigns", { headers: { "if-none-match": tag } });
    tag = answer.headers.get("etag")!;
    return answer.status === 304
      ? 304
      : (await answer.json())[0].notices.map(({ code }: { code: string }) => code);
  };
  assert.ok((await ask()).includes("outside_hours"));
  assert.equal(await ask(), 304);
  test.clock.now += 60 * 60_000;
  assert.ok(!(await ask()).includes("outside_hours"), "they opened at nine");
  test.clock.now += 11 * 60 * 60_000;
  assert.ok((await ask()).includes("outside_hours"), "half past eight in the evening");
});

Deno.test("GET /api/campaigns gives the newest 200 and, before an id, the older ones", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  await test.ctx.db.execute({
    sql: `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 203)
      INSERT INTO campaigns (client, name, message, created_at, updated_at) SELECT ?, 'א', 'ב', v, v FROM n`,
    args: [dana.id],
  });
  const newest = await list(dana);
  assert.equal(newest.length, 200);
  assert.ok(newest.every((campaign, index) => index === 0 || campaign.id < newest[index - 1].id));
  const older = await list(dana, `?before=${newest.at(-1)!.id}`);
  assert.deepEqual(older.map((campaign) => campaign.createdAt), [3, 2, 1]);
  assert.equal((await dana.ask("/api/campaigns?before=x")).status, 400);
});

Deno.test("POST /send takes the quota once when ten requests arrive at once", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 50 });
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 7 } });
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => dana.ask(`/api/campaigns/${id}/send`, { method: "POST" })),
  );
  assert.deepEqual(responses.map((response) => response.status).toSorted(), [200, ...Array(9).fill(409)]);
  const sent = responses.find((response) => response.status === 200)!;
  assert.deepEqual(sendResultSchema.parse(await sent.json()), { remainingQuota: 43 });
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 43);
  assert.equal((await (await dana.ask(`/api/campaigns/${id}`)).json()).status, "processing");
});

Deno.test("POST /send returns how many messages are missing", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 3 });
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 7 } });
  const response = await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.deepEqual([response.status, await response.json()], [402, {
    error: "חסרות 4 הודעות במכסה: דרושות 7, זמינות 3. נא לפנות למנהל המערכת לטעינת הודעות.",
    code: "quota_short",
  }]);
});

Deno.test("a running campaign is paused, resumed and cancelled by its owner and by an administrator", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 10 });
  const admin = await test.addPerson({ role: "admin" });
  for (const [caller, by] of [[dana, "client"], [admin, "admin"]] as const) {
    const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
    const act = async (name: string) => {
      const response = await caller.ask(`/api/campaigns/${id}/${name}`, { method: "POST" });
      return recallResultSchema.parse(await response.json());
    };
    await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
    assert.deepEqual(await act("pause"), { status: "paused", changed: 0, recalled: 0 });
    const paused = campaignSchema.parse(await (await dana.ask(`/api/campaigns/${id}`)).json());
    assert.deepEqual(paused.notices, [{ code: `paused_by_${by}`, count: 3 }]);
    assert.deepEqual(await act("resume"), { status: "processing", changed: 0, recalled: 0 });
    assert.deepEqual(await act("cancel"), { status: "cancelled", changed: 3, recalled: 0 });
    assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 10);
    const page = await (await dana.ask(`/api/campaigns/${id}/deliveries?state=cancelled`)).json();
    assert.equal(page.items.length, 3);
  }
});

Deno.test("POST /deliveries/resolve settles unknown deliveries and refuses an invalid decision", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 10 });
  const id = await makeCampaign(test.ctx, {
    client: dana.id,
    status: "active",
    rows: { unknown: 2, queued: 1 },
  });
  const path = `/api/campaigns/${id}/deliveries/resolve`;
  for (
    const json of [{}, { ids: [], as: "sent" }, { ids: "some", as: "sent" }, { ids: "all", as: "skipped" }]
  ) {
    assert.equal((await dana.ask(path, { method: "POST", json })).status, 400);
  }
  const response = await dana.ask(path, { method: "POST", json: { ids: "all", as: "sent" } });
  assert.deepEqual([response.status, await response.json()], [200, { changed: 2 }]);
});

Deno.test("a campaign that was sent can neither be edited, emptied nor deleted", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  for (const status of ["processing", "active", "paused", "completed", "failed", "cancelled"] as const) {
    const id = await makeCampaign(test.ctx, { client: dana.id, status, rows: { queued: 1 } });
    for (
      const [method, path, json] of [["PATCH", "", { name: "א" }], ["DELETE", ""], [
        "DELETE",
        "/contacts",
      ]] as const
    ) {
      const response = await dana.ask(`/api/campaigns/${id}${path}`, { method, json });
      assert.deepEqual([response.status, (await response.json()).code], [409, "campaign_not_editable"]);
    }
  }
});

Deno.test("PATCH /api/campaigns/{id} changes what it names and nothing else", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
  const before = await (await dana.ask(`/api/campaigns/${id}`)).json();
  const patched = await dana.ask(`/api/campaigns/${id}`, {
    method: "PATCH",
    json: { message: "חדש", status: "active" },
  });
  assert.deepEqual(await patched.json(), { ...before, message: "חדש" });
  for (const json of [{ name: "" }, { name: 5 }, [], "x", null]) {
    assert.equal((await dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json })).status, 400);
  }
});

Deno.test("PATCH /api/campaigns/{id} with expected words overwrites no other person's words", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
  const expected = { name: "סתיו", message: "שלום", kind: "undeclared" };
  const patch = (json: unknown) => dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json });
  assert.equal((await patch({ message: "מהלשונית הראשונה", expected })).status, 200);
  const late = await patch({ message: "מהלשונית השנייה", expected });
  assert.deepEqual([late.status, (await late.json()).code], [409, "words_changed"]);
  const { message } = await (await dana.ask(`/api/campaigns/${id}`)).json();
  assert.equal(message, "מהלשונית הראשונה");
  const seen = { ...expected, message };
  assert.equal((await patch({ message: "מהלשונית השנייה", expected: seen })).status, 200);
  // The kind still decides where the words are as expected.
  const asAdvert = await patch({ kind: "marketing", expected: { ...seen, message: "מהלשונית השנייה" } });
  assert.equal((await asAdvert.json()).code, "kind_needs_no_contacts");
});

Deno.test("DELETE /contacts empties a campaign of many contacts and makes it a draft again", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 12_345 } });
  assert.equal((await dana.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE" })).status, 204);
  const campaign = await (await dana.ask(`/api/campaigns/${id}`)).json();
  assert.deepEqual([campaign.status, campaign.totalContacts], ["draft", 0]);
  const left = await test.ctx.db.execute("SELECT count(*) AS n FROM deliveries");
  assert.equal(left.rows[0].n, 0);
});

Deno.test("DELETE also removes contacts who asked to be removed before the send", async (t) => {
  for (const path of ["", "/contacts"]) {
    await t.step(`DELETE /api/campaigns/{id}${path}`, async () => {
      await using test = await openTestApp();
      const dana = await test.addPerson();
      const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
      await suppressPhone(test.ctx, { phone: "+972540000002", client: dana.id, source: "manual" });
      assert.equal((await dana.ask(`/api/campaigns/${id}${path}`, { method: "DELETE" })).status, 204);
      const left = await test.ctx.db.execute("SELECT count(*) AS n FROM deliveries");
      assert.equal(left.rows[0].n, 0);
      assert.deepEqual((await auditQueue(test.ctx.db)).map(({ rule }) => rule), []);
    });
  }
});

Deno.test("DELETE keeps recipients known to have the message: a second upload would send to them again", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  for (const state of ["sent", "unknown", "failed"]) {
    const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3, [state]: 1 } });
    for (const path of ["", "/contacts"]) {
      const response = await dana.ask(`/api/campaigns/${id}${path}`, { method: "DELETE" });
      assert.deepEqual([response.status, (await response.json()).code], [409, "campaign_not_editable"]);
    }
    const { status, totalContacts } = await (await dana.ask(`/api/campaigns/${id}`)).json();
    assert.deepEqual([status, totalContacts], ["ready", 4]);
  }
});

Deno.test("DELETE waits for a running import", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
  await test.ctx.db.execute({ sql: "UPDATE campaigns SET running_import = 1 WHERE id = ?", args: [id] });
  for (const path of ["", "/contacts"]) {
    const response = await dana.ask(`/api/campaigns/${id}${path}`, { method: "DELETE" });
    assert.deepEqual([response.status, (await response.json()).code], [409, "import_running"]);
  }
  assert.equal((await (await dana.ask(`/api/campaigns/${id}`)).json()).totalContacts, 3);
});

Deno.test("POST /duplicate copies the text and all contacts or none", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const rows = { queued: 1, sent: 4, failed: 2, unknown: 1, skipped: 1, cancelled: 1 };
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "cancelled", rows });
  const phones = async (campaign: number) => {
    const page = await (await dana.ask(`/api/campaigns/${campaign}/deliveries`)).json();
    return page.items.map((item: { phone: string }) => Number(item.phone.slice(-2)));
  };
  for (
    const [contacts, status, copied] of [
      ["none", "draft", []],
      ["all", "ready", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ] as const
  ) {
    const response = await dana.ask(`/api/campaigns/${id}/duplicate`, { method: "POST", json: { contacts } });
    const copy = campaignSchema.parse(await response.json());
    assert.deepEqual([copy.status, copy.message, copy.sentCount], [status, "שלום", 0]);
    assert.deepEqual(await phones(copy.id), copied);
  }
  const response = await dana.ask(`/api/campaigns/${id}/duplicate`, {
    method: "POST",
    json: { contacts: "notSent" },
  });
  assert.equal(response.status, 400);
});

Deno.test("POST /duplicate copies a list of more than one page, whole", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "failed", rows: { failed: 10_001 } });
  const json = { contacts: "all" };
  const copy = await (await dana.ask(`/api/campaigns/${id}/duplicate`, { method: "POST", json })).json();
  assert.equal(copy.totalContacts, 10_001);
});

Deno.test("editCampaign() changes nothing of a campaign that was sent meanwhile", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const user = { ...dana, role: "client" as const, sessionHash: "" };
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "ready", rows: { queued: 1 } });
  const seen = await readCampaign(test.ctx, user, id);
  await test.ctx.db.execute("UPDATE campaigns SET status = 'active'");
  await assert.rejects(editCampaign(test.ctx, seen, { message: "אחרת" }), { code: "campaign_not_editable" });
  assert.equal((await readCampaign(test.ctx, user, id)).message, "שלום");
});

Deno.test("GET /deliveries checks its query", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 3 } });
  for (
    const query of ["limit=0", "limit=501", "limit=x", "state=offered", "cursor=x", `q=${"1".repeat(41)}`]
  ) {
    const response = await dana.ask(`/api/campaigns/${id}/deliveries?${query}`);
    assert.deepEqual([response.status, (await response.json()).code], [400, "invalid_input"], query);
  }
  for (const [query, count] of [["q=", 3], ["q=abc", 0], ["q=054-000-0002", 1], ["limit=2", 2]] as const) {
    const page = await (await dana.ask(`/api/campaigns/${id}/deliveries?${query}`)).json();
    assert.equal(page.items.length, count, query);
  }
});

function create(caller: Caller, fields: Record<string, string>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return caller.ask("/api/campaigns", { method: "POST", body });
}

async function list(caller: Caller, query = "") {
  const response = await caller.ask(`/api/campaigns${query}`);
  return campaignSchema.array().parse(await response.json());
}

Deno.test("PATCH /api/campaigns/{id} sets and removes a pilot wave, within its bounds", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 9 } });
  const patch = async (json: unknown) => {
    const response = await dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json });
    return [response.status, (await response.json()).pilot];
  };
  const pilot = { count: 5, waitMinutes: 30 };
  assert.deepEqual(await patch({ pilot }), [200, pilot]);
  assert.deepEqual(await patch({ name: "אחר" }), [200, pilot], "what is not named stays");
  for (const wrong of [{ ...pilot, count: 0 }, { ...pilot, waitMinutes: 1441 }, { count: 5 }]) {
    assert.equal((await patch({ pilot: wrong }))[0], 400);
  }
  assert.deepEqual(await patch({ pilot: null }), [200, null]);
});

Deno.test("POST /api/campaigns/{id}/resume needs no body, and answers 409 with the reason until the caller names it", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "paused", rows: { queued: 9 } });
  const resume = async (json?: unknown) => {
    const response = await dana.ask(`/api/campaigns/${id}/resume`, { method: "POST", json });
    return [response.status, await response.json()] as const;
  };
  assert.equal((await resume())[0], 200);
  await test.ctx.db.executeMultiple(`
    INSERT INTO breaker_trips (id, at, campaign, signal, count, sample) VALUES (7, 1, ${id}, 'failed', 6, 50);
    UPDATE campaigns SET status = 'paused', paused_by = 'rule', trip = 7 WHERE id = ${id};`);
  for (const json of [undefined, {}, { trip: 8 }]) {
    const [status, { code, error }] = await resume(json);
    assert.deepEqual([status, code], [409, "reason_not_confirmed"]);
    assert.match(error, /12% מההודעות האחרונות נכשלו/);
  }
  assert.equal((await resume({ trip: "7" }))[0], 400);
  assert.equal((await resume({ trip: 7 }))[0], 200);
});
