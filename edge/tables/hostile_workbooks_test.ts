/** Workbooks that cannot or must not be read: each is refused with its own reason, after bounded work. */
import assert from "node:assert/strict";
import { TABLE_PROBLEM_TEXT, type TableProblem } from "shared/table_words.ts";
import fc from "shared/testing/fast_check.ts";
import { makeWorkbook, textRows, zipOf } from "../testing/make_workbook.ts";
import { readTable, tableText } from "./read_table.ts";
import { TableRefusal } from "./table_refusal.ts";
import { readZipDirectory } from "./zip_directory.ts";

const MB = 1024 * 1024;
/** The suite makes as much as shows the bound, `deno task lies` half more (HOSTILE). */
const HONEST_MB = Deno.env.get("HOSTILE") ? 300 : 201;
const encoder = new TextEncoder();

async function refuses(file: Uint8Array, problem: TableProblem, what = ""): Promise<void> {
  await assert.rejects(tableText(file), (error) => {
    assert.ok(error instanceof TableRefusal, `${what} ${error}`);
    assert.equal(error.problem, problem, what);
    assert.equal(error.body.error, TABLE_PROBLEM_TEXT[problem]);
    return true;
  });
}

/** Yields `megabytes` of one sign. */
async function* repeated(
  megabytes: number,
  { before = "", sign = " " }: { before?: string; sign?: string } = {},
): AsyncGenerator<Uint8Array> {
  yield encoder.encode(before);
  const megabyte = new Uint8Array(MB).fill(sign.charCodeAt(0));
  for (let i = 0; i < megabytes; i++) yield megabyte;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

Deno.test("a file of another kind is refused with its name, whatever it is called", async () => {
  const compound = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(504));
  const utf16 = (text: string) => [...text].flatMap((sign) => [sign.charCodeAt(0), 0]);
  const relation = (type: string, target: string) =>
    `<Relationships><Relationship Id="r" Type="x/${type}" Target="${target}"/></Relationships>`;
  const book = (list: string, relations: string) => ({
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${list}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relations}</Relationships>`,
  });
  const cases: [what: string, file: Uint8Array, problem: TableProblem][] = [
    ["a workbook of 1997", compound, "old_excel"],
    ["a locked workbook", Uint8Array.of(...compound, ...utf16("EncryptedPackage")), "encrypted"],
    [
      "a binary workbook",
      await zipOf({ "_rels/.rels": relation("officeDocument", "xl/workbook.bin") }),
      "binary_excel",
    ],
    [
      "an OpenDocument table",
      await zipOf({ mimetype: "application/vnd.oasis", "content.xml": "<x/>" }),
      "open_document",
    ],
    ["any archive", await zipOf({ "a.txt": "0541234567" }), "not_a_table"],
    ["an empty archive", await zipOf({}), "not_a_table"],
    [
      "a document",
      await zipOf({ "_rels/.rels": relation("officeDocument", "word/document.xml") }),
      "not_a_table",
    ],
    [
      "macros alone",
      await makeWorkbook({
        sheets: {},
        more: book(
          '<sheet name="m" sheetId="1" r:id="m"/>',
          '<Relationship Id="m" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="m.xml"/>',
        ),
      }),
      "macros_only",
    ],
    [
      "a sheet that is not there",
      await makeWorkbook({ more: { "xl/worksheets/sheet1.xml": "" } }),
      "broken_file",
    ],
    ["no sheet", await makeWorkbook({ sheets: {} }), "empty_sheet"],
    ["an empty sheet", await makeWorkbook(), "empty_sheet"],
    [
      "a picture",
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82),
      "not_a_table",
    ],
    ["a PDF", encoder.encode("%PDF-1.7\n"), "not_a_table"],
    ["a web page", encoder.encode("<html><table><tr><td>054"), "not_a_table"],
  ];
  for (const [what, file, problem] of cases) await refuses(file, problem, what);
});

Deno.test("a workbook cut at any place is broken, and damaged bytes give rows or a reason", async () => {
  const file = await makeWorkbook({ sheets: { א: textRows(["שם", "טלפון"], ["דנה", "0541234567"]) } });
  for (let length = 8; length < file.length; length += 7) {
    await refuses(file.subarray(0, length), "broken_file", `cut at ${length}`);
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      async (changes) => {
        const damaged = file.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        try {
          for await (const _ of readTable(damaged));
        } catch (error) {
          if (!(error instanceof TableRefusal)) throw error;
        }
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("a bomb is refused by the bytes that come out of it, not by what its headers say", async () => {
  const sheet = (megabytes: number) =>
    makeWorkbook({
      sheets: { א: repeated(megabytes, { before: `<?xml version="1.0"?><worksheet ${MAIN}><sheetData>` }) },
    });
  const thirty = await sheet(30);
  assert.ok(thirty.length < 40_000, `${thirty.length}`);
  await refuses(thirty, "too_large_inside", "30 MB of spaces in 30 kB");
  const honest = await makeWorkbook({ sheets: { א: honestRows(HONEST_MB) } });
  await refuses(honest, "too_large_inside", "an honest workbook of 300 MB");
  // The directory says one byte.
  const lying = thirty.slice();
  const { headerAt } = readZipDirectory(lying).get("xl/worksheets/sheet1.xml")!;
  assert.ok(headerAt > 0);
  const view = new DataView(lying.buffer);
  for (let at = 0; at + 46 < lying.length; at++) {
    if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 42, true) === headerAt) {
      view.setUint32(at + 24, 1, true);
    }
  }
  await refuses(lying, "broken_file", "a header that lies");
  await refuses(
    await makeWorkbook({ texts: `<si><t>${"א".repeat(1000)}</t></si>`, sheets: { א: sameText(100_000) } }),
    "too_large_inside",
    "one text in a hundred thousand cells",
  );
});

Deno.test("a part whose directory has another size or checksum is broken", async () => {
  const file = await makeWorkbook({ sheets: { א: textRows(["טלפון"], ["0541234567"]) } });
  const { headerAt } = readZipDirectory(file).get("xl/worksheets/sheet1.xml")!;
  const directoryAt = (view: DataView) => {
    for (let at = 0; at + 46 < file.length; at++) {
      if (view.getUint32(at, true) === 0x02014b50 && view.getUint32(at + 42, true) === headerAt) return at;
    }
    throw new Error("No such entry");
  };
  // Bytes from the beginning of the entry: its checksum, and its inflated size.
  for (const [field, change] of [[16, 1], [24, 1], [24, -1]] as const) {
    const lying = file.slice();
    const view = new DataView(lying.buffer);
    const at = directoryAt(view) + field;
    view.setUint32(at, view.getUint32(at, true) + change, true);
    await refuses(lying, "broken_file", `${change} at ${field}`);
  }
});

Deno.test("XML that grows, nests or never ends is broken", async () => {
  const inSheet = (xml: string) => makeWorkbook({ sheets: { א: `<?xml version="1.0"?>${xml}` } });
  const laughs = '<!DOCTYPE w [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;">]>';
  const cases: [string, Uint8Array][] = [
    [
      "entities",
      await inSheet(
        `${laughs}<worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`,
      ),
    ],
    ["depth", await inSheet("<a>".repeat(1000) + "</a>".repeat(1000))],
    [
      "a tag that never ends",
      await makeWorkbook({ sheets: { א: repeated(3, { before: "<?xml?><worksheet a=", sign: "x" }) } }),
    ],
    [
      "a text that never ends",
      await makeWorkbook({ sheets: { א: repeated(3, { before: "<?xml?><a>", sign: "x" }) } }),
    ],
    [
      "a comment that never ends",
      await makeWorkbook({ sheets: { א: repeated(3, { before: "<?xml?><a><!--", sign: "x" }) } }),
    ],
    ["no end", await inSheet("<worksheet><sheetData><row>")],
    [
      "rows that go back",
      await inSheet(
        '<worksheet><sheetData><row r="2"><c><v>1</v></c></row><row r="2"/></sheetData></worksheet>',
      ),
    ],
    [
      "a row beyond the last",
      await inSheet('<worksheet><sheetData><row r="1048577"/></sheetData></worksheet>'),
    ],
    [
      "no reference",
      await inSheet('<worksheet><sheetData><row><c r="12"><v>1</v></c></row></sheetData></worksheet>'),
    ],
  ];
  for (const [what, file] of cases) await refuses(file, "broken_file", what);
});

Deno.test("too many columns are refused; a format in the last column is none", async () => {
  const wide = textRows(Array.from({ length: 16_384 }, (_, i) => String(i)));
  await refuses(await makeWorkbook({ sheets: { א: wide } }), "too_many_columns");
  const cells = '<row><c t="inlineStr"><is><t>0541234567</t></is></c><c r="XFD1" s="0"/></row>';
  const { csv } = await tableText(await makeWorkbook({ sheets: { א: `<sheetData>${cells}</sheetData>` } }));
  assert.equal(new TextDecoder().decode(csv), "0541234567\n");
});

Deno.test("a cell in the last row is read at its row", async () => {
  const xml = '<sheetData><row r="1048576"><c r="A1048576"><v>541234567</v></c></row></sheetData>';
  for await (const row of readTable(await makeWorkbook({ sheets: { א: xml } }))) {
    assert.deepEqual(row, { rowNumber: 1_048_576, cells: ["541234567"] });
  }
});

Deno.test("cells with too many pieces of text keep their beginning", async () => {
  const cell = `<c t="str"><v>${"<![CDATA[abcdefgh]]>".repeat(20_000)}</v></c>`;
  const file = await makeWorkbook({ sheets: { א: `<sheetData><row>${cell}</row></sheetData>` } });
  for await (const { cells } of readTable(file)) assert.equal(cells[0]!.length, 1000);
});

/** Rows that any program could have written: twenty numbers each. */
async function* honestRows(megabytes: number): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`<?xml version="1.0"?><worksheet ${MAIN}><sheetData>`);
  let xml = "";
  for (let row = 0; xml.length < MB; row++) {
    const cells = Array.from(
      { length: 20 },
      (_, i) => `<c><v>${541_000_000 + (row * 7919 + i * 104_729) % 9_999_999}</v></c>`,
    );
    xml += `<row>${cells.join("")}</row>`;
  }
  const megabyte = encoder.encode(xml);
  for (let i = 0; i < megabytes; i++) yield megabyte;
  yield encoder.encode("</sheetData></worksheet>");
}

function sameText(cells: number): string {
  return `<sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(cells)}</sheetData>`;
}
