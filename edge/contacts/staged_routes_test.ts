import assert from "node:assert/strict";
import {
  type ImportPreview,
  MAX_STAGED,
  previewSchema,
  STAGED_MS,
  type StagedFile,
  stagedFileSchema,
} from "shared/staged_api.ts";
import { uploadResultSchema } from "shared/http_api.ts";
import { TABLE_PROBLEM_TEXT } from "shared/table_words.ts";
import { repeatErasures } from "../privacy/repeat_erasures.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { removeImport } from "./remove_import.ts";
import { dropOldStaged } from "../staging/stage_file.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { makeWorkbook, textRows } from "../testing/make_workbook.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { openTestApp, PROOF, type TestApp, type TestPerson } from "../testing/test_app.ts";

type Bytes = string | Uint8Array<ArrayBuffer>;

function stage(
  person: TestPerson,
  content: Bytes,
  { name = "לקוחות.csv", sheet }: { name?: string; sheet?: number } = {},
) {
  const body = new FormData();
  body.set("file", new File([content], name));
  if (sheet !== undefined) body.set("sheet", String(sheet));
  return person.ask("/api/staged-files", { method: "POST", body });
}

async function staged(person: TestPerson, content: Bytes, sheet?: number): Promise<StagedFile> {
  const answer = await stage(person, content, sheet === undefined ? {} : { sheet });
  assert.equal(answer.status, 200, await answer.clone().text());
  return stagedFileSchema.parse(await answer.json());
}

async function preview(person: TestPerson, campaign: number, json: unknown): Promise<ImportPreview> {
  const answer = await person.ask(`/api/campaigns/${campaign}/contacts/preview`, { method: "POST", json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return previewSchema.parse(await answer.json());
}

async function takeInText(person: TestPerson, campaign: number, text: string) {
  const file = await staged(person, text);
  const answer = await takeIn(person, campaign, { file: file.id, choice: file.choice });
  return uploadResultSchema.parse(await answer.json());
}

interface FilledWorld {
  test: TestApp;
  dana: TestPerson;
  id: number;
  importId: number;
}

function takeIn(person: TestPerson, campaign: number, json: unknown): Promise<Response> {
  return person.ask(`/api/campaigns/${campaign}/contacts/staged`, { method: "POST", json });
}

async function rowsOf(test: TestApp): Promise<[phone: number, fields: unknown][]> {
  const { rows } = await test.ctx.db.execute("SELECT phone, fields FROM deliveries ORDER BY id");
  return rows.map((
    { phone, fields },
  ) => [Number(phone), fields === null ? null : JSON.parse(String(fields))]);
}

const WORKBOOK = {
  sheets: {
    לקוחות: textRows(
      ["רשימת לקוחות 2026"],
      [],
      ["שם", "טלפון", "עיר"],
      ["דנה", "054-000-0001", "חיפה"],
      ["يوسف", "0540000002", ""],
      ["דנה שוב", "+972540000001", "עכו"],
      ["אין", "12", "לוד"],
    ),
    ספקים: textRows(["0540000009"]),
  },
};

Deno.test("a workbook is shown, previewed and taken in with the values of its columns", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const file = await staged(dana, await makeWorkbook(WORKBOOK));
  assert.deepEqual(
    { kind: file.kind, sheet: file.sheet, notes: file.notes, headingRow: file.headingRow, why: file.why },
    { kind: "xlsx", sheet: 1, notes: ["titles"], headingRow: 3, why: "heading" },
  );
  assert.deepEqual(file.sheets.map(({ name }) => name), ["לקוחות", "ספקים"]);
  assert.deepEqual(file.columns.map(({ no, name, samples, phones }) => [no, name, samples, phones]), [
    [1, "שם", ["דנה", "يوسف", "דנה שוב"], 0],
    [2, "טלפון", ["054-000-0001", "0540000002", "+972540000001"], 3],
    [3, "עיר", ["חיפה", "עכו", "לוד"], 0],
  ]);
  assert.deepEqual(file.choice, { phone: 2, fields: [{ no: 1, name: "שם" }, { no: 3, name: "עיר" }] });
  assert.equal(file.isRemembered, false);
  const choice = { phone: 2, fields: [{ no: 1, name: "שם פרטי" }] };
  const shown = await preview(dana, id, { file: file.id, choice });
  assert.deepEqual([shown.rows, shown.taken], [4, 2]);
  assert.deepEqual(shown.leftOut, [
    { reason: "not_a_number", count: 1, rows: [{ row: 7, text: "12" }] },
    { reason: "repeated", count: 1, rows: [{ row: 6, text: "+972540000001" }] },
  ]);
  assert.deepEqual(await rowsOf(test), [], "a preview takes nothing");
  const result = uploadResultSchema.parse(await (await takeIn(dana, id, { file: file.id, choice })).json());
  assert.deepEqual([result.total, result.duplicatesRemoved, result.invalid], [2, 1, 1]);
  assert.deepEqual(await rowsOf(test), [
    [972540000001, { "שם פרטי": "דנה" }],
    [972540000002, { "שם פרטי": "يوسف" }],
  ]);
  const gone = await takeIn(dana, id, { file: file.id, choice });
  assert.deepEqual([gone.status, (await gone.json()).error], [
    404,
    "הקובץ כבר לא שמור כאן. כדאי לבחור אותו שוב.",
  ]);
  const again = await staged(dana, await makeWorkbook(WORKBOOK));
  assert.deepEqual([again.choice, again.isRemembered], [choice, true]);
  const other = await staged(dana, await makeWorkbook(WORKBOOK), 2);
  assert.deepEqual([other.sheet, other.why, other.choice, other.headingRow], [2, "only", {
    phone: 1,
    fields: [],
  }, null]);
});

Deno.test("a preview counts every reason as the import then does, and names the rows", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const earlier = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  await test.ctx.db.execute("UPDATE campaigns SET kind = 'marketing'");
  const phones = Array.from({ length: 8 }, (_, i) => `054000000${i}`);
  await suppressPhone(test.ctx, { client: dana.id, phone: "+972540000000", source: "manual" });
  const declared = { basis: "opt_in", source: "טופס באתר", obtainedOn: "2026-01-01" };
  const known = await staged(dana, phones.slice(1, 5).join("\n"));
  const first = await takeIn(dana, id, { file: known.id, choice: known.choice, consent: declared });
  assert.equal(uploadResultSchema.parse(await first.json()).total, 4);
  const now = test.ctx.now();
  for (const phone of [972540000005, 972540000006]) {
    await test.ctx.db.execute({
      sql: "INSERT INTO recipients (client, phone, last_marketing_at, campaign) VALUES (?, ?, ?, ?)",
      args: [dana.id, phone, now - 60_000, earlier],
    });
  }
  const file = await staged(dana, ["טלפון", ...phones, "אין", phones[7]].join("\n"));
  const asked = { file: file.id, choice: file.choice };
  const without = await preview(dana, id, asked);
  const counts = (
    { taken, leftOut }: ImportPreview,
  ) => [taken, leftOut.map(({ reason, count }) => [reason, count])];
  assert.deepEqual(counts(without), [0, [
    ["not_a_number", 1],
    ["repeated", 1],
    ["removed", 1],
    ["no_consent", 3],
    ["already_here", 4],
  ]]);
  const declares = await preview(dana, id, { ...asked, declares: true });
  assert.deepEqual(counts(declares), [1, [
    ["not_a_number", 1],
    ["repeated", 1],
    ["removed", 1],
    ["already_here", 4],
    ["reached", 2],
  ]]);
  assert.deepEqual(declares.leftOut.at(-1)!.rows, [{ row: 7, text: "+972540000005" }, {
    row: 8,
    text: "+972540000006",
  }]);
  const csv = await dana.ask(`/api/campaigns/${id}/contacts/left-out`, {
    method: "POST",
    json: { ...asked, declares: true },
  });
  const lines = (await csv.text()).trim().split("\r\n");
  assert.equal(lines.length, 1 + 9);
  assert.match(lines[1]!, /^"?2"?,.*ביקשו הסרה/);
  const { rows: [before] } = await test.ctx.db.execute("SELECT count(*) AS n FROM consents");
  const taken = uploadResultSchema.parse(
    await (await takeIn(dana, id, { ...asked, consent: declared })).json(),
  );
  // Whom the cap keeps is decided at the send: the import takes them.
  assert.deepEqual(
    [taken.total, taken.suppressed, taken.withoutConsent, taken.duplicatesRemoved, taken.invalid],
    [3, 1, 0, 5, 1],
  );
  assert.equal(Number(before!.n), 4, "a preview declares nothing");
});

Deno.test("a staged file is its person's alone, for an hour, and few at a time", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const yossi = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: yossi.id, status: "draft" });
  const first = await staged(dana, "0540000001");
  const choice = { phone: 1, fields: [] };
  assert.equal((await yossi.ask(`/api/staged-files/${first.id}`)).status, 404);
  assert.equal((await yossi.ask(`/api/staged-files/${first.id}`, { method: "DELETE" })).status, 204);
  assert.equal((await takeIn(yossi, id, { file: first.id, choice })).status, 404);
  const again = await dana.ask(`/api/staged-files/${first.id}`);
  assert.deepEqual(stagedFileSchema.parse(await again.json()), first);
  for (let i = 1; i < MAX_STAGED; i++) await staged(dana, `054000000${i}`);
  assert.equal((await dana.ask(`/api/staged-files/${first.id}`)).status, 200);
  const last = await staged(dana, "0540000007");
  assert.equal((await dana.ask(`/api/staged-files/${first.id}`)).status, 404, "the oldest made room");
  test.clock.now += STAGED_MS;
  assert.equal((await dana.ask(`/api/staged-files/${last.id}`)).status, 404);
  await dropOldStaged(test.ctx);
  const { rows } = await test.ctx.db.execute(
    "SELECT staged FROM staged_chunks UNION SELECT id FROM staged_files",
  );
  assert.deepEqual(rows, []);
});

Deno.test("an erasure removes a staged file with the number, and a recipient's values", async () => {
  await using test = await openTestApp();
  const admin = await test.addPerson({ role: "admin" });
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const workbook = await makeWorkbook({ sheets: { א: textRows(["שם", "טלפון"], ["דנה", "054-000-0001"]) } });
  const taken = await staged(dana, workbook);
  assert.equal((await takeIn(dana, id, { file: taken.id, choice: taken.choice })).status, 200);
  const kept = await staged(dana, workbook);
  const untouched = await staged(dana, "0540000002");
  const json = { ...PROOF, phone: "0540000001", reason: "בקשת מחיקה", proof: PROOF };
  const erased = await admin.ask("/api/admin/erasures", { method: "POST", json });
  assert.ok(erased.ok, await erased.text());
  await eraseNumbers(test.ctx);
  assert.equal((await dana.ask(`/api/staged-files/${kept.id}`)).status, 404);
  assert.equal((await dana.ask(`/api/staged-files/${untouched.id}`)).status, 200);
  assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [null]);
  // A restored database may hold such a file again: it alone shows the number of the mark.
  const restored = await staged(dana, workbook);
  await test.ctx.db.execute("UPDATE erasures SET to_repeat = 1");
  await repeatErasures(test.ctx);
  await eraseNumbers(test.ctx);
  assert.equal((await dana.ask(`/api/staged-files/${restored.id}`)).status, 404);
});

Deno.test("the values of a campaign's recipients are copied with their numbers, and forgotten with them", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const file = await staged(dana, "טלפון,שם\n0540000001,דנה");
  await takeIn(dana, id, { file: file.id, choice: file.choice });
  const copy = await dana.ask(`/api/campaigns/${id}/duplicate`, {
    method: "POST",
    json: { contacts: "all" },
  });
  assert.equal(copy.status, 201);
  assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [{ שם: "דנה" }, { שם: "דנה" }]);
  await test.ctx.db.execute({
    sql: "UPDATE campaigns SET status = 'cancelled', completed_at = ? WHERE id = ?",
    args: [test.ctx.now() - 91 * 24 * 60 * 60_000, id],
  });
  await forgetNumbers(test.ctx);
  const { rows } = await test.ctx.db.execute(
    "SELECT phone < 0 AS gone, fields FROM deliveries ORDER BY campaign",
  );
  assert.deepEqual(rows.map(({ gone, fields }) => [gone, fields === null]), [[1, true], [0, false]]);
});

Deno.test("a number that was there without values takes those of the file, counts as already there, and keeps them", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 2 } });
  const load = (text: string) => takeInText(dana, id, text);
  const first = await load("טלפון,שם\n0540000001,דנה\n0540000002,\n0540000003,רון");
  assert.deepEqual([first.total, first.duplicatesRemoved], [1, 2]);
  assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [{ שם: "דנה" }, null, { שם: "רון" }]);
  const second = await load("טלפון,שם\n0540000001,שרה\n0540000002,יעל");
  assert.deepEqual([second.total, second.duplicatesRemoved], [0, 2]);
  assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [
    { שם: "דנה" },
    { שם: "יעל" },
    { שם: "רון" },
  ]);
});

for (
  const [how, end] of [
    ["is taken out", async ({ dana, id, importId }) => {
      assert.equal(
        (await dana.ask(`/api/campaigns/${id}/imports/${importId}`, { method: "DELETE" })).status,
        204,
      );
    }],
    [
      "fails",
      ({ test, dana, id, importId }) =>
        removeImport(test.ctx, { importId, campaign: id, client: dana.id }, "x"),
    ],
  ] satisfies [string, (world: FilledWorld) => Promise<void>][]
) {
  Deno.test(`values that a file gave to a number which was there without any go when the file ${how}`, async () => {
    await using test = await openTestApp();
    const dana = await test.addPerson();
    const id = await makeCampaign(test.ctx, { client: dana.id, rows: { queued: 2 } });
    const load = (text: string) => takeInText(dana, id, text);
    await load("טלפון,שם\n0540000002,יעל");
    const { importId } = await load("טלפון,שם\n0540000001,דנה\n0540000002,שרה\n0540000003,רון");
    await end({ test, dana, id, importId });
    assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [null, { שם: "יעל" }]);
    await load("טלפון,שם\n0540000001,נועה");
    assert.deepEqual((await rowsOf(test)).map(([, fields]) => fields), [{ שם: "נועה" }, { שם: "יעל" }]);
  });
}

Deno.test("a long list keeps each number's own values, in the order of the import", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const count = 51_200;
  const phone = (i: number) => 500_000_000 + (i * 7919) % 9_999_991;
  const lines = Array.from({ length: count }, (_, i) => `0${phone(i)},n${phone(i)}`);
  const file = await staged(dana, `טלפון,שם\n${lines.join("\n")}`);
  const result = uploadResultSchema.parse(
    await (await takeIn(dana, id, { file: file.id, choice: file.choice })).json(),
  );
  assert.equal(result.total, count);
  const { rows: wrong } = await test.ctx.db.execute(
    "SELECT phone FROM deliveries WHERE fields ->> 'שם' <> 'n' || (phone - 972000000000) OR fields IS NULL",
  );
  assert.deepEqual(wrong, []);
  const { rows: [first] } = await test.ctx.db.execute("SELECT phone FROM deliveries ORDER BY id LIMIT 1");
  assert.equal(first!.phone, 972_000_000_000 + phone(0));
});

Deno.test("each kind of text is read, with a note of how, and each other file is refused in its own words", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const text = "שם;טלפון\nדנה;0541234567\n";
  const hebrew = Uint8Array.from([...text], (sign) => {
    const code = sign.charCodeAt(0);
    return code < 128 ? code : code - 0x5d0 + 0xe0;
  });
  const utf16 = new Uint8Array(Uint16Array.from([...`\ufeff${text}`], (sign) => sign.charCodeAt(0)).buffer);
  const cases: [Bytes, string[]][] = [
    [text, ["semicolons"]],
    [hebrew, ["windows_1255", "semicolons"]],
    [utf16, ["utf_16", "semicolons"]],
    [new TextEncoder().encode(`${text}אברהם;0541234568\nשרה`).slice(0, -1), ["damaged_utf_8", "semicolons"]],
    [text.replaceAll(";", "\t"), ["tabs"]],
    [text.replaceAll(";", "|"), ["bars"]],
    [`שם,טלפון\n"דנה,0541234567\nיוסי,0541234568`, ["open_quote"]],
    ["פרטים,,כתובת\nשם,טלפון,עיר\nדנה,0541234567,חיפה", ["titles"]],
  ];
  for (const [content, notes] of cases) assert.deepEqual((await staged(dana, content)).notes, notes);
  const refused: [Bytes, string][] = [
    [(await makeWorkbook(WORKBOOK)).slice(0, 700), TABLE_PROBLEM_TEXT.broken_file],
    [await makeWorkbook(), TABLE_PROBLEM_TEXT.empty_sheet],
    ["", "אין בקובץ שורות אחרי הכותרת."],
    ["%PDF-1.7", TABLE_PROBLEM_TEXT.not_a_table],
  ];
  for (const [content, error] of refused) {
    assert.equal((await (await stage(dana, content)).json()).error, error);
  }
  const none = await staged(dana, "שם,עיר\nדנה,חיפה\n");
  assert.deepEqual([none.choice, none.why, none.columns.map(({ name }) => name)], [null, null, [
    "שם",
    "עיר",
  ]]);
});

Deno.test("a workbook whose parts are in UTF-16 is read as any other", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const usual = await staged(dana, await makeWorkbook(WORKBOOK));
  for (const wide of ["utf-16le", "utf-16be"] as const) {
    const texts = `<si><t>😀 שלום</t></si>${"<si><t>ריק</t></si>".repeat(9_000)}`;
    const file = await staged(dana, await makeWorkbook({ ...WORKBOOK, texts, wide }));
    assert.deepEqual({ ...file, id: usual.id }, usual, wide);
  }
});

Deno.test("a long staged file is described again as it was at first", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const row = (at: number) => `שם ${at},05${40_000_000 + at},${"ערך ".repeat(20)}`;
  const file = await staged(
    dana,
    ["שם,טלפון,ערך", ...Array.from({ length: 10_000 }, (_, at) => row(at))].join("\n"),
  );
  const again = await dana.ask(`/api/staged-files/${file.id}`);
  assert.deepEqual(stagedFileSchema.parse(await again.json()), file);
});

Deno.test("a choice that names a column or a field twice is refused", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const id = await makeCampaign(test.ctx, { client: dana.id, status: "draft" });
  const file = await staged(dana, "טלפון,שם\n0541234567,דנה");
  const choices = [
    { phone: 1, fields: [{ no: 1, name: "שם" }] },
    { phone: 1, fields: [{ no: 2, name: "שם" }, { no: 3, name: " שם " }] },
    { phone: 0, fields: [] },
    { phone: 1, fields: [{ no: 2, name: "{x}" }] },
  ];
  for (const choice of choices) {
    assert.equal((await takeIn(dana, id, { file: file.id, choice })).status, 400, JSON.stringify(choice));
  }
  // A column that the file does not have holds nothing.
  const beyond = await preview(dana, id, { file: file.id, choice: { phone: 9, fields: [] } });
  assert.deepEqual([beyond.taken, beyond.leftOut.map(({ reason, count }) => [reason, count])], [0, [[
    "not_a_number",
    1,
  ]]]);
});
