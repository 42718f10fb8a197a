import assert from "node:assert/strict";
import { uploadResultSchema } from "shared/http_api.ts";
import { makeList } from "../testing/list_acts.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { makeWorkbook, textRows } from "../testing/make_workbook.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";

type Caller = Pick<TestPerson, "ask">;

Deno.test("POST /contacts adds the numbers of a file, counts what it leaves out, and makes a draft ready", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const csv = "שם,טלפון\nדנה,054-000-0001\nיוסי,0540000002\nדנה שוב,+972540000001\nאין,12\n";
  const response = await upload(dana, id, csv);
  assert.equal(response.status, 200);
  const { problems, ...counts } = uploadResultSchema.parse(await response.json());
  assert.deepEqual(counts, {
    importId: 1,
    total: 2,
    duplicatesRemoved: 1,
    invalid: 1,
    suppressed: 0,
    withoutConsent: 0,
  });
  assert.deepEqual(problems.map(({ row, text }) => ({ row, text })), [{ row: 5, text: "12" }]);
  const campaign = await (await dana.ask(`/api/campaigns/${id}`)).json();
  assert.deepEqual([campaign.status, campaign.totalContacts, campaign.notices], ["ready", 2, []]);
});

Deno.test("every load of a file says that letters of it were broken", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const list = await makeList(dana);
  const whole = new TextEncoder().encode("שם,טלפון\nדנה,0540000001\nאברהם,0540000002\nשרה");
  for (const path of [`/api/campaigns/${id}/contacts`, `/api/lists/${list}/file`, "/api/suppressions/file"]) {
    for (const [file, isDamaged] of [[whole, undefined], [whole.slice(0, -1), true]] as const) {
      const body = new FormData();
      body.set("file", new File([file], "list.csv"));
      const answer = await dana.ask(path, { method: "POST", body });
      assert.equal(answer.status, 200, await answer.clone().text());
      assert.equal((await answer.json()).isDamaged, isDamaged, path);
    }
  }
});

Deno.test("POST /contacts takes a workbook as it takes a CSV: its first sheet with rows, or the chosen one", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const file = await makeWorkbook({
    sheets: {
      לקוחות: textRows(["שם", "טלפון"], ["דנה", "054-000-0001"], ["דנה שוב", "0540000001"], ["אין", "12"]),
      ספקים: textRows(["0540000002"]),
    },
  });
  const first = uploadResultSchema.parse(await (await upload(dana, id, file)).json());
  assert.deepEqual([first.total, first.duplicatesRemoved, first.invalid], [1, 1, 1]);
  assert.deepEqual(first.problems.map(({ row, text }) => ({ row, text })), [{ row: 4, text: "12" }]);
  const second = uploadResultSchema.parse(await (await upload(dana, id, file, "2")).json());
  assert.equal(second.total, 1);
  const third = await upload(dana, id, file, "3");
  assert.deepEqual([third.status, (await third.json()).error], [
    400,
    "הגיליון שנבחר לא נמצא בקובץ. כדאי להעלות את הקובץ שוב.",
  ]);
  assert.equal((await upload(dana, id, file, "x")).status, 400);
  const { rows } = await test.ctx.db.execute("SELECT phone FROM deliveries ORDER BY id");
  assert.deepEqual(rows.map(({ phone }) => phone), [972540000001, 972540000002]);
});

Deno.test("POST /contacts/manual adds pasted numbers, and counts those already in the campaign", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const first = await (await paste(dana, id, "054-000-0001\n0540000002")).json();
  assert.deepEqual([first.total, first.duplicatesRemoved], [2, 0]);
  const second = await (await paste(dana, id, "0540000002\n0540000003")).json();
  assert.deepEqual([second.total, second.duplicatesRemoved], [1, 1]);
});

Deno.test("a client takes a campaign from draft to sending with API calls only", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 5 });
  const form = new FormData();
  for (const [name, value] of [["name", "סתיו"], ["message", "שלום"], ["status", "draft"]]) {
    form.set(name, value);
  }
  const { id } = await (await dana.ask("/api/campaigns", { method: "POST", body: form })).json();
  assert.equal((await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" })).status, 409);
  await paste(dana, id, "0540000001\n0540000002");
  const sent = await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.deepEqual(await sent.json(), { remainingQuota: 3 });
});

Deno.test("POST /contacts refuses unreadable files, each with its own sentence", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const pdf = new TextEncoder().encode("%PDF-1.7");
  const cases: [string | Uint8Array<ArrayBuffer>, number, string][] = [
    [pdf, 415, "זה לא קובץ CSV או XLSX. באקסל: שמירה בשם, ואז XLSX או CSV UTF-8."],
    [
      (await makeWorkbook()).slice(0, 300),
      415,
      "הקובץ פגום או לא שלם. כדאי לפתוח אותו באקסל, לשמור אותו שוב ולנסות שוב.",
    ],
    [await makeWorkbook(), 400, "בגיליון אין שורות."],
    [
      await makeWorkbook({ sheets: { א: textRows(["שם", "עיר"], ["דנה", "חיפה"]) } }),
      400,
      "לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: שם, עיר.",
    ],
    ["שם,עיר\nדנה,חיפה\n", 400, "לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: שם, עיר."],
    ["", 400, "אין בקובץ שורות אחרי הכותרת."],
    [
      new Uint8Array(10 * 1024 * 1024 + 1),
      413,
      "הקובץ גדול מדי (10.1MB). אפשר להעלות CSV או XLSX עד 10MB; קובץ גדול יותר כדאי לפצל.",
    ],
    [
      new Uint8Array(12 * 1024 * 1024),
      413,
      "הקובץ גדול מדי (מעל 10MB). אפשר להעלות CSV או XLSX עד 10MB; קובץ גדול יותר כדאי לפצל.",
    ],
  ];
  for (const [content, status, error] of cases) {
    const response = await upload(dana, id, content);
    assert.deepEqual([response.status, (await response.json()).error], [status, error]);
  }
  const withoutFile = await dana.ask(`/api/campaigns/${id}/contacts`, {
    method: "POST",
    body: new FormData(),
  });
  assert.equal(withoutFile.status, 400);
  const campaign = await (await dana.ask(`/api/campaigns/${id}`)).json();
  assert.deepEqual([campaign.status, campaign.totalContacts], ["draft", 0]);
});

Deno.test("POST /contacts/manual refuses text without a valid number, and invalid bodies", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  for (const numbers of ["שלום", "123", "\n\n"]) {
    const response = await paste(dana, id, numbers);
    assert.deepEqual([response.status, (await response.json()).code], [400, "no_valid_contacts"], numbers);
  }
  for (const json of [{}, { numbers: "" }, { numbers: 5 }, [], null]) {
    const response = await dana.ask(`/api/campaigns/${id}/contacts/manual`, { method: "POST", json });
    assert.deepEqual([response.status, (await response.json()).code], [400, "invalid_input"]);
  }
});

Deno.test("only a campaign's owner adds contacts, and only until it is sent", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const admin = await test.addPerson({ role: "admin" });
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const callers: [Caller, number][] = [
    [test.visitor, 401],
    [await test.addPerson(), 404],
    [admin, 403],
    [dana, 200],
  ];
  for (const [caller, status] of callers) {
    assert.equal((await paste(caller, id, "0540000001")).status, status);
    assert.equal((await upload(caller, id, "0540000002")).status, status);
  }
  const own = await makeCampaign(test.ctx, { client: admin.id, status: "draft" });
  assert.equal((await paste(admin, own, "0540000001")).status, 200);
  for (const status of ["processing", "active", "paused", "completed", "cancelled"] as const) {
    const sent = await makeCampaign(test.ctx, { client: dana.id, status, rows: { queued: 1 } });
    for (const response of [await paste(dana, sent, "0540000009"), await upload(dana, sent, "0540000009")]) {
      assert.deepEqual([response.status, (await response.json()).code], [409, "campaign_not_editable"]);
    }
  }
});

function upload(
  caller: Caller,
  id: number,
  content: string | Uint8Array<ArrayBuffer>,
  sheet?: string,
): Promise<Response> {
  const body = new FormData();
  if (sheet !== undefined) body.set("sheet", sheet);
  body.set("file", new File([content], "אנשי קשר.csv", { type: "text/csv" }));
  return caller.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body });
}

function paste(caller: Caller, id: number, numbers: string): Promise<Response> {
  return caller.ask(`/api/campaigns/${id}/contacts/manual`, { method: "POST", json: { numbers } });
}
