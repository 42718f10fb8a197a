import examples from "libphonenumber-js/mobile/examples";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import assert from "node:assert/strict";
import { SEED } from "shared/testing/seed.ts";
import { buildPhoneTable } from "./build_phone_table.ts";
import { parsePhone, readPlainPhone } from "./parse_phone.ts";
import { PHONE_TABLE } from "./phone_table.ts";
import { mulberry32 } from "shared/random.ts";

const NUMBERS = Number(Deno.env.get("NUMBERS") ?? 20_000);

Deno.test("parsePhone() reads every way one number is written", () => {
  const ways = [
    "050-123-4567",
    "(050) 1234567",
    "0501234567",
    " 050 123 4567 ",
    "050.123.4567",
    "050־123־4567",
    "+972501234567",
    "+972 50-123-4567",
    "+972 (0)50-123-4567",
    "972501234567",
    "972-0-50-123-4567",
    "00972501234567",
    "501234567",
    "٠٥٠١٢٣٤٥٦٧",
    "०५०१२३४५६७",
    "０５０１２３４５６７",
    "＋９７２５０１２３４５６７",
    "𝟎𝟓𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕",
    "\u202a+972 50-123-4567\u202c",
    "\u200f050-1234567\u200e",
    "'0501234567",
    '="0501234567"',
  ];
  for (const way of ways) assert.deepEqual(parsePhone(way), { phone: 972501234567 }, way);
});

Deno.test("parsePhone() reads landlines, numbers from abroad, and Israeli numbers of unusual lengths", () => {
  assert.deepEqual(parsePhone("04-601-0042"), { phone: 97246010042 });
  assert.deepEqual(parsePhone("077-000-0000"), { phone: 972770000000 });
  assert.deepEqual(parsePhone("1-800-123-456"), { phone: 9721800123456 });
  assert.deepEqual(parsePhone("+44 20 7946 0958"), { phone: 442079460958 });
  assert.deepEqual(parsePhone("001 650 253 0000"), { phone: 16502530000 });
  assert.deepEqual(parsePhone("012 44 20 7946 0958"), { phone: 442079460958 });
});

Deno.test("parsePhone() returns the reason why a text is not a number", () => {
  const wrong = {
    "": "empty",
    " \u200f ": "empty",
    "דני": "not_a_number",
    "050-CALLNOW": "not_a_number",
    "050+1234567": "not_a_number",
    "12": "too_short",
    "050-123-456": "too_short",
    "50123456": "too_short",
    "03-123-456": "too_short",
    "050-123-45678": "too_long",
    "+97250123456789": "too_long",
    "0501234567 / 0527654321": "too_long",
    "+44 20 7946 0958 0000": "too_long",
    "+999 123 456 789": "not_valid",
    "0601234567": "too_long",
    "060-123-456": "not_valid",
    "012 972 0023456478": "too_long",
    "9.725E+11": "excel_exponent",
    "9,72501E+11": "excel_exponent",
    '="5.01E+08"': "excel_exponent",
  };
  for (const [text, problem] of Object.entries(wrong)) assert.deepEqual(parsePhone(text), { problem }, text);
});

Deno.test("parsePhone() agrees with libphonenumber on numbers drawn by chance", () => {
  const random = mulberry32(SEED);
  const count = { all: 0, valid: 0, israeli: 0 };
  for (const text of numbers(NUMBERS, random)) {
    const expected = byLibrary(text);
    assert.equal(parsePhone(text).phone, expected, `${text} (SEED=${SEED})`);
    const bytes = new TextEncoder().encode(text);
    const plain = readPlainPhone(bytes, 0, bytes.length);
    assert.ok(plain === 0 || plain === expected, `readPlainPhone() of ${text} (SEED=${SEED})`);
    count.all++;
    if (expected !== undefined) count.valid++;
    if (expected !== undefined && `${expected}`.startsWith("972")) count.israeli++;
  }
  assert.ok(count.valid > NUMBERS * 0.2 && count.valid < NUMBERS * 0.9, JSON.stringify(count));
  Deno.stdout.writeSync(new TextEncoder().encode(`SEED=${SEED} ${JSON.stringify(count)} `));
});

Deno.test("phone_table.ts is the output of build_phone_table.ts for the library's metadata", () => {
  assert.ok(buildPhoneTable().includes(PHONE_TABLE), "Run edge/numbers/build_phone_table.ts");
});

/** Returns the library's result, with our one exception: every Israeli mobile number of the right length is valid. */
function byLibrary(text: string): number | undefined {
  const found = parsePhoneNumberFromString(text, { defaultCountry: "IL", extract: false });
  if (found === undefined || found.number.length > 16) return undefined;
  return found.isValid() || /^\+9725\d{8}$/.test(found.number) ? Number(found.number.slice(1)) : undefined;
}

/** Half of them are one digit away from valid Israeli numbers, the others from an example of each region in turn. */
function* numbers(count: number, random: () => number): Generator<string> {
  const regions = Object.keys(examples) as (keyof typeof examples)[];
  const abroad = regions.map((region) =>
    parsePhoneNumberFromString(String(examples[region]), region)!.number.slice(1)
  );
  for (const digits of abroad) yield* forms(digits);
  for (let i = 0; i < count; i += 2) {
    const israeli = validIsraeli(random);
    yield pick(forms(oneDigitAway(israeli, random)), random);
    const foreign = abroad[(i / 2) % abroad.length]!;
    const away = oneDigitAway(oneDigitAway(foreign, random), random);
    yield pick(forms(random() < 0.2 ? foreign : away), random);
  }
}

function validIsraeli(random: () => number): string {
  for (;;) {
    const beginning = pick(HOME_BEGINNINGS, random);
    const digits = "972" + beginning.replaceAll("#", () => String(Math.floor(random() * 10)));
    if (byLibrary(`+${digits}`) !== undefined) return digits;
  }
}

/** Mobile, voice-over-IP, landlines, toll-free and other numbers of the plan; # is any digit. */
const HOME_BEGINNINGS = [
  "5########",
  "5########",
  "5########",
  "7########",
  "2#######",
  "3#######",
  "4#######",
  "8#######",
  "9#######",
  "1800######",
  "1700######",
  "1599######",
  "1255###",
  "12########",
  "153########",
  "151#########",
];

/** Changes, adds or removes one digit after the first. */
function oneDigitAway(digits: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (digits.length - 1));
  const digit = String(Math.floor(random() * 10));
  const act = random();
  if (act < 0.1) return digits.slice(0, at) + digits.slice(at + 1);
  if (act < 0.2) return digits.slice(0, at) + digit + digits.slice(at);
  return digits.slice(0, at) + digit + digits.slice(at + 1);
}

function forms(digits: string): string[] {
  const national = digits.slice(3);
  return [
    `+${digits}`,
    `00${digits}`,
    digits,
    `+${digits.slice(0, 3)} (0)${national}`,
    `${digits.slice(0, 3)}0${national}`,
    national,
    `0${national}`,
    `0${national.slice(0, 2)}-${national.slice(2, 5)} ${national.slice(5)}`,
    `012${digits}`,
  ];
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!;
}
