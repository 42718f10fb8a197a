import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import { CsvRows, detectCsvShape } from "./csv_rows.ts";

const encoder = new TextEncoder();

function read(text: string, delimiter?: string): string[][] {
  const bytes = encoder.encode(text);
  const given = delimiter && { delimiter: delimiter.charCodeAt(0), skippedBytes: 0 };
  const rows = new CsvRows(bytes, given || detectCsvShape(bytes));
  const all: string[][] = [];
  while (rows.next()) all.push(Array.from({ length: rows.fieldCount }, (_, field) => rows.text(field)));
  return all;
}

Deno.test("CsvRows reads all that a plain writer of RFC 4180 writes", () => {
  const field = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('"', ",", ";", "\t", "|", "\n", "\r", "א", "5"), maxLength: 8 }),
  );
  const table = fc.integer({ min: 2, max: 5 }).chain((columns) =>
    fc.array(fc.array(field, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 30 })
  );
  const style = fc.record({
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    endsWithLineEnd: fc.boolean(),
  });
  fc.assert(fc.property(table, style, (rows, { delimiter, lineEnd, endsWithLineEnd }) => {
    const lines = rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(delimiter));
    const text = lines.join(lineEnd) + (endsWithLineEnd ? lineEnd : "");
    assert.deepEqual(read(text, delimiter), rows);
  }));
});

Deno.test("detectCsvShape() finds the delimiter, also when fields contain others", () => {
  assert.deepEqual(read("שם;טלפון\nכהן, דני;050\nלוי, רות;052\n"), [
    ["שם", "טלפון"],
    ["כהן, דני", "050"],
    ["לוי, רות", "052"],
  ]);
  assert.deepEqual(read("a\tb\n1,5\t2\n"), [["a", "b"], ["1,5", "2"]]);
  assert.deepEqual(read("שם|טלפון\nכהן, דני|050\nלוי|052\n"), [
    ["שם", "טלפון"],
    ["כהן, דני", "050"],
    ["לוי", "052"],
  ]);
  assert.deepEqual(read("א,050|ב\nב,052|ג\n"), [["א", "050|ב"], ["ב", "052|ג"]]);
  assert.deepEqual(read("sep=|\r\na|b\r\n1|2"), [["a", "b"], ["1", "2"]]);
});

Deno.test("CsvRows counts rows as a spreadsheet does, and recognises blank ones", () => {
  const bytes = encoder.encode('sep=,\r\na,b\r\n\r\n,"",\r\n"x\ny",z');
  const rows = new CsvRows(bytes, detectCsvShape(bytes));
  const seen: [row: number, isBlank: boolean][] = [];
  while (rows.next()) seen.push([rows.row, rows.isBlank]);
  assert.deepEqual(seen, [[2, false], [3, true], [4, true], [5, false]]);
});

Deno.test("CsvRows finds the same rows, blank or not, when it reads them in pieces", () => {
  const text = fc.string({ unit: fc.constantFrom('"', ",", " ", "\n", "א"), maxLength: 40 });
  const all = (bytes: Uint8Array, maxBytes?: number) => {
    const rows = new CsvRows(bytes, { delimiter: 0x2c, skippedBytes: 0 });
    const seen: [row: number, isBlank: boolean, fields: number][] = [];
    while (rows.next(maxBytes)) {
      if (rows.isWhole) seen.push([rows.row, rows.isBlank, rows.fieldCount]);
    }
    return seen;
  };
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 5 }), (written, maxBytes) => {
    const bytes = encoder.encode(written);
    assert.deepEqual(all(bytes, maxBytes), all(bytes));
  }));
});

Deno.test("CsvRows accepts misplaced quotes", () => {
  assert.deepEqual(read('"חברה בע"מ",050\nצה"ל,052\n'), [['חברה בע"מ', "050"], ['צה"ל', "052"]]);
  // Never closed: an ordinary character, and not the end of the list.
  assert.deepEqual(read('a,b\n"c,1\nd,2\n'), [["a", "b"], ['"c', "1"], ["d", "2"]]);
  assert.deepEqual(read('""\n'), [[""]]);
  assert.deepEqual(read('"'), [['"']]);
});

Deno.test("CsvRows returns an empty field where a short row has none", () => {
  const bytes = encoder.encode("a,b,c\n1\n");
  const rows = new CsvRows(bytes, detectCsvShape(bytes));
  rows.next();
  rows.next();
  assert.equal(rows.fieldCount, 1);
  assert.equal(rows.text(2), "");
  assert.equal(rows.start(2), rows.end(2));
});

Deno.test("CsvRows keeps only the requested length of a field", () => {
  const bytes = encoder.encode('"a""b""c",plain,"open,"x"\n');
  const rows = new CsvRows(bytes, { delimiter: 0x2c, skippedBytes: 0 });
  rows.next();
  assert.deepEqual([0, 1, 9].map((field) => rows.text(field, 5)), ['a"b', "plain", ""]);
  assert.deepEqual([0, 1].map((field) => rows.text(field, 3)), ['a"', "pla"]);
  assert.deepEqual([0, 1].map((field) => rows.text(field, 9)), ['a"b"c', "plain"]);
});
