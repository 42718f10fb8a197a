import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "shared/testing/fast_check.ts";
import { readContacts } from "../contacts/read_contacts.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import { digitRuns, mayHold, numbersIn, type StoredText } from "./numbers_in_files.ts";

const noYield = () => {};

async function numbersOf(file: StoredText): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const runs of digitRuns(file, noYield)) for (const one of numbersIn(runs)) found.add(one);
  return found;
}

/** Asserts that an erasure finds the number in the file, and so does the search after a restore. */
async function assertFound(file: StoredText, phone: number, what: string): Promise<void> {
  assert.ok(await mayHold(file, phone, noYield), `not found: ${what}`);
  assert.ok((await numbersOf(file)).has(phone), `not among its numbers: ${what}`);
}

// Every character that stands between two digits of a number, as the reader itself says.
const SEPARATORS = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code))
  .concat("\ufeff", "\ufe63", "\uff0d", "\ufe58", "\u{e0001}", "\u{1d173}")
  .filter((sign) => !/\p{Nd}/u.test(sign) && parsePhone(`054000${sign}0001`).phone === 972540000001);
const ZEROS = Array.from({ length: 0x1_ff00 }, (_, code) => code)
  .filter((code) => parsePhone(`054000000${String.fromCodePoint(code)}`).phone === 972540000000);

/** Digits without separators, each as an import accepts it. */
const FORMS = [
  "0540000001",
  "540000001",
  "972540000001",
  "+972540000001",
  "00972540000001",
  "+9720540000001",
  "012972540000001",
  "031234567",
  "31234567",
  "1255123",
  "1800123456",
  "+442079460018",
  "+4402079460018",
  "00442079460018",
  "013442079460018",
  "+4903012345",
  "+493012345",
  "+12125550123",
  "+540343154555121",
  "+29022158",
  "+39066982",
];

const writing = fc.record({
  form: fc.constantFrom(...FORMS),
  zeros: fc.array(fc.constantFrom(...ZEROS), { minLength: 1, maxLength: 3 }),
  between: fc.array(fc.array(fc.constantFrom(...SEPARATORS), { maxLength: 2 }), {
    minLength: 20,
    maxLength: 20,
  }),
  isPlusWide: fc.boolean(),
}).map(({ form, zeros, between, isPlusWide }) =>
  [...form].map((sign, index) => {
    const written = sign === "+"
      ? (isPlusWide ? "＋" : sign)
      : String.fromCodePoint(zeros[index % zeros.length]! + Number(sign));
    return (between[index] ?? []).join("") + written;
  }).join("")
);

const ENCODINGS: Record<string, (text: string) => Uint8Array> = {
  utf8: (text) => Buffer.from(text),
  utf8_marked: (text) => Buffer.from(`\ufeff${text}`),
  utf16le: (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
  utf16be: (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
};

Deno.test("whatever an import reads as a person's number is found by an erasure of it, in every writing", async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(
      writing,
      fc.constantFrom(...Object.keys(ENCODINGS)),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("", "רחוב 12", '"א 5"', "7", "=1"),
      fc.boolean(),
      async (text, encoding, delimiter, beside, isQuoted) => {
        const cell = isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
        const line = (number: string) => [beside, number, beside].join(delimiter);
        const rows = ["0521111111", "0522222222", cell, "0523333333", "0524444444"];
        const bytes = ENCODINGS[encoding]!(rows.map(line).join("\n"));
        const { phones } = await readContacts(bytes, { seed: 1, yieldToEventLoop: noYield }).catch(() => ({
          phones: [],
        }));
        if (phones.length > 4) read++;
        for (const phone of phones) await assertFound({ kind: "raw", bytes }, phone, JSON.stringify(text));
        const alone = parsePhone(text).phone;
        const rejected = Buffer.from(JSON.stringify([{ row: 1, text, problem: "not_valid" }]));
        if (alone !== undefined) await assertFound({ kind: "rejected", bytes: rejected }, alone, text);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(read > 100, `an import read only ${read} of the writings`);
});

Deno.test("the forms of the test above are numbers for an import, and so are their separators and digits", () => {
  assert.deepEqual(FORMS.filter((form) => parsePhone(form).phone === undefined), []);
  for (const sign of ["\u00a0", "\u2011", "\u200e", "\u200f", "\u202b", "\u2212", "\n", "\t", "/"]) {
    assert.ok(SEPARATORS.includes(sign), JSON.stringify(sign));
  }
  assert.ok(ZEROS.includes(0x660) && ZEROS.includes(0xff10) && ZEROS.length > 50);
});

Deno.test("a number is found in a text, a column too many, a long cell, and at the seam of two pieces", async () => {
  const at = (text: string): StoredText => ({ kind: "staged", bytes: Buffer.from(text) });
  const phone = 972540000001;
  for (
    const text of [
      "נא לחזור אל ٠٥٤-٠٠٠-٠٠٠١ בערב",
      `${"א,".repeat(700)}054 000 0001,ב\nג`,
      `"${"א".repeat(90_000)}054\u200e0000001"`,
    ]
  ) await assertFound(at(text), phone, text.slice(-40));
  for (let pad = 4_050; pad < 4_110; pad++) {
    await assertFound(at(`${"1".repeat(pad)}-0540000001\n2`), phone, `after ${pad} digits`);
    await assertFound(at(`${"1\n".repeat(pad / 2)}0540000001\n2`), phone, `after ${pad} signs`);
  }
});

Deno.test("two rows of numbers make no third one", async () => {
  const rows = Array.from({ length: 200 }, (_, i) => `05400001${i % 10}5\n0521111111`).join("\n");
  assert.equal(await mayHold({ kind: "staged", bytes: Buffer.from(rows) }, 972501505211, noYield), false);
});
