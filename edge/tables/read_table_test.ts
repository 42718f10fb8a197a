import assert from "node:assert/strict";
import { writeXlsx as writeByHucre } from "hucre/xlsx";
import fc from "shared/testing/fast_check.ts";
import writeByWriteExcelFile from "write-excel-file/node";
import { makeWorkbook, textRows } from "../testing/make_workbook.ts";
import { readTable, tableText } from "./read_table.ts";
import { writeXlsx } from "./write_xlsx.ts";

const texts = new TextDecoder();

async function rowsOf(file: Uint8Array, sheet?: number): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { rowNumber, cells } of readTable(file, { sheet })) {
    while (rows.length < rowNumber - 1) rows.push([]);
    rows.push(cells);
  }
  return rows;
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) all.push(new Uint8Array(piece));
  return new Uint8Array(await new Blob(all).arrayBuffer());
}

/** As readTable() gives cells: one line, without spaces around it. */
const lineOf = (text: string) =>
  // deno-lint-ignore no-control-regex
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();

function shownRows(rows: string[][]): string[][] {
  const shown = rows.map((row) => {
    const cells = row.map(lineOf);
    while (cells.at(-1) === "") cells.pop();
    return cells;
  });
  while (shown.length > 0 && shown.at(-1)!.length === 0) shown.pop();
  return shown;
}

const word = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "דנה",
    "محمد",
    "O'Brien",
    "👩‍🌾",
    "0541234567",
    "a,b",
    "a;b",
    'say "hi"',
    "x\ty",
    "line\nbreak",
    "sep=;",
    "<b>&amp;",
    "_x0041_",
    "=1+1",
    "+972541234567",
    "  spaces  ",
    "",
  ),
);
const sheet = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 30 });
/** A text that looks as an escaped sign: neither library escapes it once more, so Excel too shows another text. */
const isPlain = (text: string) => !/_x[0-9a-f]{4}_/i.test(text);

Deno.test("readTable() reads what writeXlsx() wrote: every text, in its row and column", async () => {
  await fc.assert(
    fc.asyncProperty(sheet, async (rows) => {
      const file = await gather(writeXlsx("רשימה", rows));
      const expected = shownRows(rows);
      if (expected.length === 0) return await assert.rejects(rowsOf(file), /empty_sheet/);
      assert.deepEqual(await rowsOf(file), expected);
    }),
    { numRuns: 60 },
  );
});

Deno.test("readTable() reads texts and numbers as hucre wrote them", async () => {
  const cell = fc.oneof(word.filter(isPlain), fc.integer({ min: 0, max: 999_999_999 }), fc.boolean());
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const file = new Uint8Array(await writeByHucre({ sheets: [{ name: "דף", rows }] }) as Uint8Array);
      const shown = shownRows(
        rows.map((row) =>
          row.map((value) => typeof value === "boolean" ? String(value).toUpperCase() : String(value))
        ),
      );
      if (shown.length === 0) return await assert.rejects(rowsOf(file), /empty_sheet/);
      assert.deepEqual(await rowsOf(file), shown);
    }),
    { numRuns: 60 },
  );
});

Deno.test("readTable() reads texts, numbers, dates and zeros as write-excel-file wrote them", async () => {
  const cell = fc.oneof(
    word.filter(isPlain).map((value) => ({ value: value || null, type: String, shown: value })),
    fc.integer({ min: 0, max: 999_999_999 }).map((value) => ({ value, type: Number, shown: String(value) })),
    fc.integer({ min: 0, max: 99_999_999 }).map((value) => ({
      value,
      type: Number,
      format: "0000000000",
      shown: String(value).padStart(10, "0"),
    })),
    fc.date({ min: new Date("1950-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }).map((
      date,
    ) => ({
      value: new Date(`${date.toISOString().slice(0, 10)}T00:00:00Z`),
      type: Date,
      format: "dd/mm/yyyy",
      shown: date.toISOString().slice(0, 10).split("-").reverse().join("/"),
    })),
  );
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      // deno-lint-ignore no-explicit-any
      const data = rows.map((row) => row.map(({ shown: _, ...rest }) => rest)) as any;
      const file = new Uint8Array(await writeByWriteExcelFile(data).toBuffer());
      const shown = shownRows(rows.map((row) => row.map((one) => one.shown)));
      if (shown.length === 0) return await assert.rejects(rowsOf(file), /empty_sheet/);
      assert.deepEqual(await rowsOf(file), shown);
    }),
    { numRuns: 60 },
  );
});

Deno.test("readTable() keeps numbers exact, and says where a program has shortened one", async () => {
  const cells: [raw: string, text: string][] = [
    ["972501234567", "972501234567"],
    ["541234567", "541234567"],
    ["9.7250123456700001E11", "972501234567"],
    ["9.7E+11", "9.7E+11"],
    ["970000000000", "9.7E+11"],
    ["972501000000", "9.72501E+11"],
    ["1E+20", "1E+20"],
    ["0.30000000000000004", "0.3"],
    ["-7", "-7"],
    ["12.50", "12.5"],
  ];
  const xml = cells.map(([raw]) => `<row><c><v>${raw}</v></c></row>`).join("");
  const file = await makeWorkbook({ sheets: { א: `<sheetData>${xml}</sheetData>` } });
  assert.deepEqual(await rowsOf(file), cells.map(([, text]) => [text]));
});

Deno.test("readTable() shows dates, times and padded digits as their formats do", async () => {
  const formats: [id: number, code: string | null, serial: string, shown: string][] = [
    [14, null, "45658", "01/01/2025"],
    [164, "d\\.m\\.yyyy", "45658.5", "1.1.2025"],
    [165, "[$-40D]dddd, d mmmm yyyy;@", "45658", "יום רביעי, 1 ינואר 2025"],
    [20, null, "0.0416666666666667", "1:00"],
    [22, null, "45658.75", "01/01/2025 18:00"],
    [18, null, "0.75", "6:00 PM"],
    [46, null, "1.5", "36:00:00"],
    [166, "yyyy-mm-dd hh:mm:ss", "45658.999988425925", "2025-01-01 23:59:59"],
    [14, null, "59", "28/02/1900"],
    [14, null, "61", "01/03/1900"],
    [167, "0000000000", "541234567", "0541234567"],
    [168, "000\\-0000000", "541234567", "054-1234567"],
    [1, null, "541234567", "541234567"],
    [169, '#,##0 "ש״ח"', "1500", "1500"],
    [14, null, "-5", "-5"],
    [14, null, "99999999", "99999999"],
  ];
  const codes = formats.filter(([, code]) => code).map(([id, code]) =>
    `<numFmt numFmtId="${id}" formatCode="${code!.replaceAll('"', "&quot;")}"/>`
  );
  const xfs = formats.map(([id]) => `<xf numFmtId="${id}"/>`).join("");
  const styles = `<numFmts>${
    codes.join("")
  }</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs}</cellXfs>`;
  const rows = formats.map(([, , serial], i) => `<row><c s="${i}"><v>${serial}</v></c></row>`).join("");
  const file = await makeWorkbook({ styles, sheets: { א: `<sheetData>${rows}</sheetData>` } });
  assert.deepEqual((await rowsOf(file)).flat(), formats.map(([, , , shown]) => shown));
  const mac = await makeWorkbook({
    styles,
    is1904: true,
    sheets: { א: '<sheetData><row><c s="0"><v>0</v></c></row></sheetData>' },
  });
  assert.deepEqual(await rowsOf(mac), [["01/01/1904"]]);
});

Deno.test("readTable() reads values of formulas, rich and shared texts, errors, gaps and cells without places", async () => {
  const file = await makeWorkbook({
    texts:
      '<si><t>דנה</t></si><si><r><t xml:space="preserve">כהן </t></r><r><rPr><b/></rPr><t>לוי</t></r><rPh><t>x</t></rPh></si>',
    sheets: {
      רשימה: `<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:sheetData>
        <x:row r="2"><x:c r="B2" t="s"><x:v>0</x:v></x:c><x:c r="D2" t="s"><x:v>1</x:v></x:c></x:row>
        <x:row r="5"><x:c t="str"><x:f>A1&amp;"x"</x:f><x:v>a&amp;x&#1488;</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c>
          <x:c t="b"><x:v>1</x:v></x:c><x:c t="d"><x:v>2025-01-31T00:00:00</x:v></x:c><x:c><x:f>1/3</x:f></x:c></x:row>
        <x:row r="6"/></x:sheetData></x:worksheet>`,
    },
  });
  assert.deepEqual(await rowsOf(file), [
    [],
    ["", "דנה", "", "כהן לוי"],
    [],
    [],
    ["a&xא", "#N/A", "TRUE", "31/01/2025"],
  ]);
});

Deno.test("tableText() chooses the first visible sheet with rows, and reads another when asked", async () => {
  const file = await makeWorkbook({
    sheets: { סודי: textRows(["h"]), ריק: "<sheetData/>", אנשים: textRows(["דנה"]), עוד: textRows(["יוסי"]) },
    states: { סודי: "hidden" },
  });
  const { sheets, sheet, csv } = await tableText(file);
  assert.deepEqual([sheet, texts.decode(csv)], [3, "דנה\n"]);
  assert.deepEqual(sheets.map(({ name, isHidden }) => [name, isHidden]), [
    ["סודי", true],
    ["ריק", false],
    ["אנשים", false],
    ["עוד", false],
  ]);
  assert.deepEqual(await rowsOf(file, 4), [["יוסי"]]);
  assert.deepEqual(await rowsOf(file, 1), [["h"]]);
});

Deno.test("readTable() reads CSV in every encoding and separator of Excel, without blank rows", async () => {
  const text = "שם;טלפון\n\nדנה;0541234567\n;\n";
  const hebrew = Uint8Array.from([...text].map((sign) => {
    const code = sign.charCodeAt(0);
    return code < 128 ? code : code - 0x5d0 + 0xe0;
  }));
  const utf16 = new Uint8Array(
    new Uint16Array([0xfeff, ...[...text].map((sign) => sign.charCodeAt(0))]).buffer,
  );
  const files = [
    new TextEncoder().encode(text),
    hebrew,
    utf16,
    new TextEncoder().encode(text.replaceAll(";", "\t")),
  ];
  for (const file of files) {
    assert.deepEqual(await rowsOf(file), [["שם", "טלפון"], [], ["דנה", "0541234567"]]);
  }
});
