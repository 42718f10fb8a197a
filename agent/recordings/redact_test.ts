import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { SEED } from "shared/testing/seed.ts";
import { seededRandom } from "../../simulator/phone/random.ts";
import { wordsOf } from "../../simulator/phone/screen_words.ts";
import { type Phone, PhoneCommandError } from "../phone/phone.ts";
import { formatRecording, parseRecording } from "./recording.ts";
import { recordPhone } from "./record_phone.ts";
import { Redactor } from "./redact.ts";
import { isPublicWord } from "./vocabulary.ts";

const FACTS = {
  app: "com.whatsapp",
  user: 0,
  appVersion: null,
  androidVersion: null,
  model: null,
  language: null,
};
const OWN = { phone: "+972501234567", text: "מבצע לכבוד החג", isPicture: false };
const AFTER = "mCurrentFocus=Window{1a u0 com.whatsapp/com.whatsapp.Conversation}\n" +
  "5000.10 1.00\n8c1d0e6a-0000-4000-8000-000000000001\n";

const redactor = (seed = "redact") => new Redactor({ ...OWN, random: seededRandom(`${SEED}/${seed}`) });

/** Returns the file of a recording of one reading, with this output of the phone. */
async function fileOf(output: string): Promise<string> {
  const phone: Phone = {
    device: "R58M",
    clock: { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
    run: () => Promise.resolve(output),
    push: () => Promise.resolve(),
  };
  const recorded = recordPhone(phone, { facts: FACTS, delivery: OWN, random: seededRandom(`${SEED}`) });
  await recorded.phone.run("uiautomator dump");
  return formatRecording(recorded.end(null)!);
}

function xml(node: string): string {
  return `<?xml version='1.0' ?><hierarchy rotation="0">${node}</hierarchy>\n${AFTER}`;
}

const CANARIES: Record<string, string> = {
  "a name in Hebrew": "אבישגית",
  "a name in English": "Zephyrine",
  "a name in Arabic": "زعفرانة",
  "a name in Russian": "Ярополк",
  "a name with points": "אֲבִישַׁגִית",
  "a name of another script": "ประภาพร",
  "an international number": "+972 52-987-6543",
  "a local number": "052-9876543",
  "Arabic digits": "٠٥٢٩٨٧٦٥٤٣",
  "full-width digits": "０５２９８７６５４３",
  "a code": "839-214",
  "an address": "yael.levi@example.org",
  "letters and digits": "AB12CD34",
  "signs": "🦄🦚🦜🦩",
};

const ATTRIBUTES = [
  "text",
  "content-desc",
  "hint",
  "resource-id",
  "class",
  "package",
  "bounds",
  "index",
  "tooltip-text",
  "clickable",
  "rotation",
];

for (const [what, canary] of Object.entries(CANARIES)) {
  Deno.test(`redact: ${what} is not in the file, in no attribute`, async () => {
    for (const attribute of ATTRIBUTES) {
      const file = await fileOf(xml(`<node ${attribute}="${canary}" /><node text="OK" />`));
      assertGone(file, canary);
      assert.match(file, /"OK"/);
    }
  });
}

/** No part of four characters between blanks and signs may be left. */
function assertGone(file: string, canary: string): void {
  for (const part of canary.normalize("NFC").split(/[^\p{L}\p{M}\p{Nd}\p{So}\p{Emoji_Presentation}]+/u)) {
    if ([...part].length >= 4) assert.ok(!file.normalize("NFC").includes(part), `${part} is in ${file}`);
  }
}

for (
  const [what, output] of Object.entries({
    "in decimal and hexadecimal entities": xml(
      `<node text="${[..."Zephyrine"].map((c) => `&#${c.charCodeAt(0)};`).join("")}" />` +
        `<node text="${[..."Zephyrine"].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join("")}" />`,
    ),
    "between marks of direction": xml(
      `<node text="\u2067Zephy\u2069\u200frine" /><node text="Zep&#8206;hyrine" />`,
    ),
    "with an invisible character inside": xml(
      `<node text="Zephy\u00adrine" /><node text="Zephy\u{e0061}rine" />`,
    ),
    "split over nodes": xml(`<node text="Zep" /><node text="hyr" /><node text="ine" />`),
    "in a dialog": xml(
      `<node resource-id="android:id/message" package="com.whatsapp" text="Send to Zephyrine?" />`,
    ),
    "in a notification": xml(
      `<node package="com.android.systemui" resource-id="android:id/title" text="Zephyrine" /><node text="Zephyrine: 3 new messages" />`,
    ),
    "in the title of a window": xml("<node />").replace(
      "com.whatsapp/com.whatsapp.Conversation",
      "Zephyrine's window",
    ),
    "in a name of an attribute": xml(`<node Zephyrine="true" text="x" />`),
    "beside the dump": `Starting: Intent { dat=https://wa.me/972501234567?text=Zephyrine }\n${
      xml("<node />")
    }Zephyrine`,
    "in a comment and between the nodes": xml(`<!-- Zephyrine --><node />Zephyrine<node text="OK" />`),
    "in a dump that is cut off": `<?xml ?><hierarchy><node text="Zephyrine`,
    "in an attribute given twice": xml(
      `<node text="Zephyrine" text="OK" content-desc="OK" content-desc="Zephyrine" />`,
    ),
  })
) {
  Deno.test(`redact: a name ${what} is not in the file`, async () => {
    const file = await fileOf(output);
    const { steps } = parseRecording(file);
    const together = steps.flatMap(({ answer }) => answer.dump ?? []).map(({ text }) => text ?? "").join("");
    for (const text of [file, together]) assert.ok(!text.includes("Zephyrine"), text);
    assert.ok(!/hyr[\W]*ine|Zephy/u.test(file), file);
    assert.ok(!file.includes("972501234567"));
  });
}

Deno.test("redact: an output that fails is not kept either", async () => {
  const phone: Phone = {
    device: "R58M",
    clock: { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
    run: (command) => Promise.reject(new PhoneCommandError(command, 1, "Zephyrine 0529876543")),
    push: () => Promise.resolve(),
  };
  const recorded = recordPhone(phone, { facts: FACTS, delivery: null });
  await assert.rejects(recorded.phone.run("am start -d 'https://wa.me/972529876543?text=Zephyrine'"));
  assertGone(formatRecording(recorded.end(null)!), "Zephyrine 972529876543 0529876543");
});

Deno.test("redact: words of the app, of Android and clock times stay", () => {
  const one = redactor();
  for (
    const text of [
      "Allow WhatsApp to send you notifications?",
      "Enter the 6-digit code",
      "נא להזין את הקוד בן 6 הספרות",
      "החשבון שלך הוגבל זמנית ולא ניתן לפתוח שיחות חדשות",
      "לאפשר ל-WhatsApp לשלוח לך התראות?",
      "هل تريد السماح لتطبيق واتساب بإرسال إشعارات؟",
      "Разрешить приложению WhatsApp отправлять уведомления?",
      "14:05",
      "2:05 PM",
      "١٤:٠٥",
    ]
  ) assert.equal(one.text(text), text);
});

Deno.test("redact: every word that the simulated app shows stays, except a new question that nobody knows", () => {
  const lost = (["he", "en", "ar"] as const).flatMap((language) => {
    const { news: _, ...known } = wordsOf(language);
    return Object.values(known);
  })
    .filter((words) => typeof words === "string")
    .filter((words) => redactor().text(words) !== words);
  assert.deepEqual(lost, []);
});

Deno.test("redact: one word has one stand-in of its length and script, two words have two", () => {
  const one = redactor();
  const [a, b, again] = one.personal("אבישג Zephyrine אבישג").split(" ");
  assert.equal(a, again);
  assert.match(a!, /^[א-ת]{5}$/);
  assert.match(b!, /^[A-Z][a-z]{8}$/);
  assert.equal(new Set(["גג", "דד", "הה", "א", "ב", "ג"].map((word) => one.personal(word))).size, 6);
});

Deno.test("redact: a number with and without its country code stays one number", () => {
  const one = redactor();
  assert.equal(one.text("+972 50-123-4567"), "+972 54-555-1234");
  assert.equal(one.text("0501234567"), "0545551234");
  assert.equal(one.text("٠٥٠-١٢٣-٤٥٦٧"), "٠٥٤-٥٥٥-١٢٣٤");
  const digits = (text: string) => one.text(text).replace(/\D/g, "");
  const local = digits("052-987-6543");
  assert.equal(digits("+972529876543").slice(-9), local.slice(1));
  assert.equal(local[0], "0");
});

Deno.test("redact: a row that is cut off still shows the beginning of the text", () => {
  const text = "מבצעים נפלאים ".repeat(40);
  const one = new Redactor({ text, random: seededRandom("cut") });
  const whole = one.personal(text);
  const row = one.personal(`${text.slice(0, 300)}… קראו עוד`);
  assert.ok(row.endsWith("… קראו עוד"), row);
  assert.ok(whole.startsWith(row.replace("… קראו עוד", "")), row);
});

Deno.test("redact: no canary of four or more letters or digits survives, wherever it is", async () => {
  const letters = fc.constantFrom(..."abcxyzABCאבגדהבتثجحбвгджзñéü漢字かなกขค0123456789٠١٢٣０１２".split(""));
  const canaries = fc.array(letters, { minLength: 4, maxLength: 12 }).map((each) => each.join(""))
    .filter((canary) => !new RegExp("[\\p{L}]+", "u").exec(canary)?.some((word) => isPublicWord(word)));
  const place = fc.constantFrom(
    (canary: string) => `<node text="${canary}" />`,
    (canary: string) => `<node content-desc="x ${canary}: y" />`,
    (canary: string) => `<node hint="${canary}" resource-id="com.whatsapp:id/entry" />`,
    (canary: string) => `<node text="${canary}" resource-id="com.whatsapp:id/message_text" />`,
    (canary: string) => `<node text="OK ${[...canary].map((c) => `&#${c.codePointAt(0)};`).join("")}" />`,
    (canary: string) => `<node new-attribute="${canary}" />`,
    (canary: string) => `<node resource-id="${canary}" />`,
    (canary: string) => `<node><node text="\u200f${canary}\u200e" /></node>`,
  );
  await fc.assert(
    fc.asyncProperty(canaries, place, async (canary, put) => {
      const file = await fileOf(xml(put(canary)));
      const kept = JSON.stringify(parseRecording(file).steps[0]!.answer.dump ?? []);
      assert.ok(!kept.includes(canary), `${canary} in ${kept}`);
    }),
    { numRuns: 400 },
  );
});

Deno.test("the mark of one's own chat stays, so that a replay still reads its number", () => {
  const kept = redactor().personal("+972 50-123-4567 (את/ה)");
  assert.match(kept, /^\+972 54-555-1234 \(את\/ה\)$/);
  assert.ok(!redactor().personal("אבישגית (את/ה)").includes("אבישגית"));
});
