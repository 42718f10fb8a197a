import assert from "node:assert/strict";
import { readManualNumbers } from "./manual_numbers.ts";

async function phonesIn(text: string): Promise<number[]> {
  return [...(await readManualNumbers(text, { seed: 7 })).phones];
}

Deno.test("readManualNumbers() reads numbers separated by lines, commas, semicolons and tabs", async () => {
  const expected = [972501234567, 972527654321, 972543710968];
  for (const mark of ["\n", "\r\n", ",", ", ", ";", "\t", "\n\n"]) {
    assert.deepEqual(await phonesIn(["050-123-4567", "0527654321", "+972543710968"].join(mark)), expected);
  }
});

Deno.test("readManualNumbers() removes text around a number", async () => {
  assert.deepEqual(await phonesIn("דני 050-1234567"), [972501234567]);
  assert.deepEqual(await phonesIn("050-1234567 דני"), [972501234567]);
  assert.deepEqual(await phonesIn("tel:+972-50-123-4567 (בבית)"), [972501234567]);
  assert.deepEqual(await phonesIn("1. 050-1234567"), [972501234567]);
  assert.deepEqual(await phonesIn("דני כהן\nרות לוי\n"), []);
});

Deno.test("readManualNumbers() finds several numbers in a line", async () => {
  const expected = [972501234567, 972527654321];
  for (
    const line of [
      "0501234567 0527654321",
      "050 123 4567 052 765 4321",
      "050-1234567 / 052-7654321",
      "דני 050-1234567 רות 052-7654321",
      "+972 50 123 4567 +972 52 765 4321",
    ]
  ) assert.deepEqual(await phonesIn(line), expected, line);
});

Deno.test("readManualNumbers() removes repeated numbers and reports every line without a number", async () => {
  const list = await readManualNumbers("0501234567\n050-123-4567\nדני\n12345\n9.725E+11\n", { seed: 7 });
  assert.deepEqual([...list.phones], [972501234567]);
  assert.equal(list.duplicates, 1);
  assert.equal(list.invalid, 3);
  assert.deepEqual(list.rejected, [
    { row: 3, text: "דני", problem: "not_a_number" },
    { row: 4, text: "12345", problem: "too_short" },
    { row: 5, text: "9.725E+11", problem: "excel_exponent" },
  ]);
});

Deno.test("readManualNumbers() reads an endless line in pieces", async () => {
  const list = await readManualNumbers("0501234567 ".repeat(1_000) + "5".repeat(5_000), { seed: 7 });
  assert.deepEqual([...list.phones], [972501234567]);
  assert.equal(list.duplicates, 999);
});

Deno.test("readManualNumbers() counts each line of words once, and no blank line or word beside a number", async () => {
  const text = "רשימה, מעודכנת; היום\n\n \t \u200f\nדני, 050-1234567, חיפה\r\nרות\tלוי\r\n0527654321\nסוף";
  const list = await readManualNumbers(text, { seed: 7 });
  assert.deepEqual([...list.phones], [972501234567, 972527654321]);
  assert.deepEqual(list.rejected, [
    { row: 1, text: "רשימה, מעודכנת; היום", problem: "not_a_number" },
    { row: 5, text: "רות\tלוי", problem: "not_a_number" },
    { row: 7, text: "סוף", problem: "not_a_number" },
  ]);
  assert.equal(list.invalid, 3);
});

Deno.test("readManualNumbers() counts a long line of words once, though it is read in pieces", async () => {
  const list = await readManualNumbers(`${"מילה ".repeat(2_000)}\n0501234567`, { seed: 7 });
  assert.equal(list.invalid, 1);
  assert.equal(list.rejected[0]!.row, 1);
  assert.equal(list.rejected[0]!.text.length, 80);
});
