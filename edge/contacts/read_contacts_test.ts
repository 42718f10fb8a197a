import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import { HttpError } from "../http/http_error.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import type { ContactList } from "./contact_list.ts";
import { detectCsvShape } from "../tables/csv_rows.ts";
import { describeTable } from "./describe_table.ts";
import { findPhoneColumn, firstRow } from "./find_phone_column.ts";
import { readContacts } from "./read_contacts.ts";

const encoder = new TextEncoder();

function read(text: string): Promise<ContactList> {
  return readContacts(encoder.encode(text), { seed: 7 });
}

async function refusalOf(act: Promise<unknown>): Promise<HttpError> {
  const error = await act.then(() => null, (error) => error);
  assert.ok(error instanceof HttpError, String(error));
  return error;
}

Deno.test("readContacts() returns each number once, in the list's order, with the reasons for the others", async () => {
  const list = await read(
    [
      "שם,טלפון",
      "דני,050-123-4567",
      "רות,(052) 765-4321",
      "",
      "דני שוב,+972 50-123-4567",
      "בלי,",
      "קצר,050-12",
      "אקסל,9.725E+11",
      "מילים,אין לו",
      "חו״ל,+44 20 7946 0958",
      "אקסל השמיט אפס,501234568",
    ].join("\r\n"),
  );
  assert.deepEqual([...list.phones], [972501234567, 972527654321, 442079460958, 972501234568]);
  assert.equal(list.duplicates, 1);
  assert.equal(list.invalid, 4);
  assert.deepEqual(list.invalidByProblem, { empty: 1, too_short: 1, excel_exponent: 1, not_a_number: 1 });
  assert.deepEqual(list.rejected, [
    { row: 6, text: "", problem: "empty" },
    { row: 7, text: "050-12", problem: "too_short" },
    { row: 8, text: "9.725E+11", problem: "excel_exponent" },
    { row: 9, text: "אין לו", problem: "not_a_number" },
  ]);
});

Deno.test("readContacts() finds the phone column by the contents of the columns", async () => {
  const files = {
    "no header": "1,דני,0501234567,a@b.il\n2,רות,0527654321,c@d.il\n",
    "identity cards and dates beside them":
      "תז,תאריך,נייד\n301234567,20240115,0501234567\n501234560,20240116,0527654321\n",
    "a landline before the mobile": "טלפון,נייד\n03-1234567,0501234567\n04-6010042,0527654321\n",
    "one column, no header": "0501234567\n0527654321",
    "one column with a header": "טלפון\n0501234567\n0527654321\n",
    "a header without words for it": "א;ב\nדני;0501234567\nרות;0527654321\n",
    "a title above": "רשימת לקוחות,\nשם,טלפון\nדני,0501234567\nרות,0527654321\n",
  };
  for (const [name, text] of Object.entries(files)) {
    assert.deepEqual([...(await read(text)).phones], [972501234567, 972527654321], name);
  }
});

Deno.test("readContacts() counts no header as an invalid row, and no first number as a header", async () => {
  assert.equal((await read("phone\n0501234567\n")).invalid, 0);
  assert.equal((await read("0501234567\n0527654321\n")).phones.length, 2);
  assert.equal((await read("12\n0501234567\n")).invalid, 1);
});

Deno.test("readContacts() names the columns of a file without phones", async () => {
  const error = await refusalOf(read("שם,עיר\nדני,חיפה\n"));
  assert.equal(error.code, "no_valid_contacts");
  assert.equal(error.body.error, "לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: שם, עיר.");
});

Deno.test("readContacts() refuses a file without rows, and one that is not CSV", async () => {
  for (const text of ["", "\r\n\r\n", "שם,טלפון\r\n"]) {
    assert.equal(
      (await refusalOf(read(text))).body.error,
      "אין בקובץ שורות אחרי הכותרת.",
      JSON.stringify(text),
    );
  }
  assert.equal((await refusalOf(read("PK\x03\x04"))).code, "unsupported_media");
});

Deno.test("readContacts() reports every row of a file whose numbers Excel shortened", async () => {
  const list = await read("טלפון\n9.72501E+11\n9.72502E+11\n");
  assert.equal(list.phones.length, 0);
  assert.deepEqual(list.invalidByProblem, { excel_exponent: 2 });
});

Deno.test("readContacts() finds exactly the distinct numbers of any list, in order", async () => {
  const from = (first: number) => fc.integer({ min: first, max: first + 300 });
  // Mobiles, ordinary lines, and two countries: the list stores them in different ways.
  const phone = fc.oneof(from(972501234000), from(972587654000), from(97236101000), from(442079460000));
  await fc.assert(
    fc.asyncProperty(fc.array(phone, { minLength: 1, maxLength: 400 }), fc.integer(), async (all, seed) => {
      const text = all.map((phone) => `+${phone}`).join("\n");
      const list = await readContacts(encoder.encode(text), { seed });
      assert.deepEqual([...list.phones], [...new Set(all)]);
      assert.equal(list.duplicates, all.length - new Set(all).size);
    }),
  );
});

Deno.test("readContacts() reads only the kept beginning of a rejected field of any length", async () => {
  const long = '""'.repeat(1_000_000);
  const file = `טלפון\n0501234567\n"x${long}"\n${" ".repeat(5_000)}late\n`;
  const { rejected } = await readContacts(encoder.encode(file), { seed: 7 });
  assert.deepEqual(rejected.map(({ text }) => text), [`x${'"'.repeat(79)}`, ""]);
});

Deno.test("readContacts() yields to the event loop after each slice", async () => {
  let time = 0;
  let turns = 0;
  const yieldToEventLoop = createYieldToEventLoop({
    clock: () => time += 4,
    turn: () => Promise.resolve(void turns++),
    sliceMs: 15,
  });
  const text = "0501234567\n".repeat(10_000);
  await readContacts(encoder.encode(text), { seed: 7, yieldToEventLoop });
  assert.ok(turns >= 8, `${turns} turns`);
});

Deno.test("readContacts() checks the time after each row while it searches for the column", async () => {
  let looks = 0;
  // Only the library can read each of these cells.
  const row = "+4402079460958\t".repeat(20);
  const yieldToEventLoop = () => void looks++;
  await readContacts(encoder.encode(`${row}\n`.repeat(50)), { seed: 7, yieldToEventLoop });
  assert.ok(looks >= 50, `${looks} looks`);
});

Deno.test("a file of blank rows, or of one endless row, is looked at in pieces", async () => {
  for (const [sign, least] of [["\n", 2_000], [",", 8], [";", 8]] as const) {
    const file = encoder.encode(sign.repeat(512 * 1024));
    let looks = 0;
    const yieldToEventLoop = () => void looks++;
    const shape = detectCsvShape(file);
    assert.equal(await findPhoneColumn(file, shape, yieldToEventLoop), null);
    assert.ok(looks >= least - 1, `${looks} looks`);
    looks = 0;
    assert.deepEqual(await firstRow(file, shape, yieldToEventLoop), []);
    assert.ok(looks >= least - 1, `${looks} looks`);
    looks = 0;
    assert.deepEqual((await describeTable(file, shape, yieldToEventLoop)).columns, []);
    assert.ok(looks >= 2 * (least - 1), `${looks} looks`);
  }
});

Deno.test("readContacts() reads hostile files to an end", async () => {
  const bytes = fc.uint8Array({ maxLength: 2_000 });
  const soup = fc.string({
    unit: fc.constantFrom('"', ",", "\n", "\r", "0", "5", "+", "E", "\u202e"),
    maxLength: 2_000,
  })
    .map((text) => encoder.encode(text));
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, soup), async (file) => {
      const outcome = await readContacts(file, { seed: 7 }).catch((error) => error);
      assert.ok(outcome instanceof HttpError || outcome.phones instanceof Float64Array, String(outcome));
    }),
    { numRuns: 5_000 },
  );
});
