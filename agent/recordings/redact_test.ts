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

/** A part whose words are the app's own. */
const OK = '<node resource-id="android:id/button1" text="OK" />';

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
      const file = await fileOf(xml(`<node ${attribute}="${canary}" />${OK}`));
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
    "in a comment and between the nodes": xml(`<!-- Zephyrine --><node />Zephyrine${OK}`),
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

Deno.test("redact: words of the app and of Android stay in a dialog's own parts", () => {
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
    ]
  ) assert.equal(one.label(text), text);
});

Deno.test("redact: every word that the simulated app shows stays, except a new question that nobody knows", () => {
  const lost = (["he", "en", "ar"] as const).flatMap((language) => {
    const { news: _, ...known } = wordsOf(language);
    return Object.values(known);
  })
    .filter((words) => typeof words === "string")
    .filter((words) => redactor().label(words) !== words);
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
  assert.equal(one.label("+972 50-123-4567"), "+972 54-555-1234");
  assert.equal(one.label("0501234567"), "0545551234");
  assert.equal(one.label("٠٥٠-١٢٣-٤٥٦٧"), "٠٥٤-٥٥٥-١٢٣٤");
  const digits = (text: string) => one.label(text).replace(/\D/g, "");
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

/** The nodes of the recording of one node. */
function nodeOf(attributes: Record<string, string>) {
  const all = { package: "com.whatsapp", class: "android.widget.TextView", ...attributes };
  return redactor().node({ attributes: new Map(Object.entries(all)), nodes: [] });
}

Deno.test("redact: a time stays where a row shows it, alone, and nowhere else", () => {
  const date = "com.whatsapp:id/date";
  for (const text of ["14:05", "2:05 PM", "١٤:٠٥", "05:01"]) {
    assert.equal(nodeOf({ "resource-id": date, text }).text, text);
  }
  const elsewhere = ["05:01", "05:01, 23:45, 06:07", "05-21-39", "OTP 12:34", "05.21.39.11"];
  const places = ["com.whatsapp:id/title_n", "com.whatsapp:id/date_n", "android:id/message", ""];
  for (const id of places) {
    for (const text of elsewhere) assertOtherDigits(nodeOf({ "resource-id": id, text }).text!, text);
  }
  for (const text of ["05:01 23:45", "0501:23", "05:01 12", "97:61", "dana 05:01"]) {
    assert.ok(!nodeOf({ "resource-id": date, text }).text!.includes(text), text);
  }
  assertOtherDigits(nodeOf({ "resource-id": date, text: "05:01 23:45" }).text!, "05:01 23:45");
});

/** No run of digits of the text is where it was. */
function assertOtherDigits(kept: string, text: string): void {
  for (const [digits] of text.matchAll(/\d+/g)) assert.ok(!kept.includes(digits), `${text} → ${kept}`);
}

Deno.test("redact: public words do not stay where a person's words may be", () => {
  const texts = [
    "Will Page",
    "will you pay today? call me at home",
    "צור",
    "לא נמצא בבית, להתקשר מחר",
    "Вера новая",
    "رقم جديد",
  ];
  const ids = ["title_n", "pinned_n", "name_n", "chat_header", "toolbar_title"].map((id) =>
    `com.whatsapp:id/${id}`
  );
  for (const id of [...ids, "", "send_n"]) {
    for (const text of texts) {
      const { text: kept, description } = nodeOf({ "resource-id": id, text, "content-desc": text });
      for (const [word] of text.matchAll(/\p{L}{3,}/gu)) {
        assert.ok(!kept!.includes(word) && !description!.includes(word), `${text} → ${kept} in "${id}"`);
      }
    }
  }
  // Nor in a dialog that asks about a person, nor with a capital inside a sentence of an unknown dialog.
  for (const text of ["Send to Will Page?", "Did you want to call Mark Chase today?", "לשלוח אל צור חיים?"]) {
    const kept = nodeOf({ "resource-id": "android:id/message", text }).text!;
    for (const name of ["Will", "Page", "Mark", "Chase", "צור", "חיים"]) {
      assert.ok(!kept.includes(name), kept);
    }
  }
});

Deno.test("redact: known phrases and buttons stay, so that a replay sees what the phone saw", () => {
  for (
    const [text, kept] of [
      ["Voice message", "Voice message"],
      ["שליחה", "שליחה"],
      ["This account is not allowed to use WhatsApp, Dana", /not allowed to use WhatsApp, [A-Z][a-z]{3}$/],
      ["החשבון שלך הוגבל זמנית, דנה", /הוגבל זמנית, [א-ת]{3}$/],
      ["Attach, Dana", /^Attach, [A-Z][a-z]{3}$/],
    ] as const
  ) {
    const found = nodeOf({ "resource-id": "com.whatsapp:id/any_n", text }).text!;
    if (typeof kept === "string") assert.equal(found, kept);
    else assert.match(found, kept);
    assert.ok(!/Dana|דנה/.test(found), found);
  }
});

Deno.test("redact: a name of a part stays only when it is known or of technical words; its family always", () => {
  const one = redactor();
  const named = (id: string, className: string, app = "com.whatsapp") =>
    one.node({
      attributes: new Map([["resource-id", id], ["class", className], ["package", app]]),
      nodes: [],
    });
  for (
    const id of ["entry", "voice_note_btn_n", "conversation_contact_name", "send_media_btn", "wds_entry"]
  ) {
    assert.equal(named(`com.whatsapp:id/${id}`, "").id, `com.whatsapp:id/${id}`);
  }
  assert.equal(named("android:id/button1", "").id, "android:id/button1");
  assert.equal(named("entry_n", "").id, "entry_n");
  const first = named(
    "com.whatsapp:id/chat_DanaLevi_052_13_57_911",
    "com.DanaLevi.DanaEditText",
    "dana.levi",
  );
  assert.deepEqual(first, {
    id: "com.whatsapp:id/id_1",
    class: "com.name_1.name_2EditText",
    app: "app_1",
  });
  assert.equal(named("com.whatsapp:id/chat_052", "X.0ab").id, "com.whatsapp:id/id_2");
  assert.equal(named("com.whatsapp:id/chat_DanaLevi_052_13_57_911", "").id, "com.whatsapp:id/id_1");
  assert.equal(
    one.window("com.whatsapp/com.whatsapp.Conversation.Dana_Levi"),
    "com.whatsapp/com.whatsapp.Conversation.name_5",
  );
  for (
    const window of [
      "com.whatsapp/com.whatsapp.registration.verifyphone.VerifyPhoneNumber",
      "NotificationShade",
      "Application Not Responding: com.whatsapp",
    ]
  ) {
    assert.equal(one.window(window), window);
  }
});

const NAMES =
  "דנה יעל אבישג מיכאל לוי כהן Dana Levi Zephyrine Maria Gonzalez Müller محمد فاطمة زينب Иван Мария Ольга ประภาพร 田中 さくら"
    .split(" ");

Deno.test("redact: names and numbers in any form are in no name of a part, no window and no text", async () => {
  const latin = fc.array(fc.constantFrom(..."abcdefghiklmnoprstuvyz"), { minLength: 4, maxLength: 9 })
    .map((letters) => `q${letters.join("")}`);
  const name = fc.oneof(latin, fc.constantFrom(...NAMES));
  const number = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 9, maxLength: 12 }).map((digits) =>
    digits.join("")
  );
  const form = fc.constantFrom(
    (n: string, d: string) => `chat_${n}_${d}`,
    (n: string, d: string) => `${capital(n)}${capital(n)}_${d.match(/../g)!.join("_")}`,
    (n: string, d: string) => `row.${n}.${d.match(/.{1,3}/g)!.join(".")}`,
    (n: string) => `Conversation.${capital(n)}_${capital(n)}`,
    (n: string, d: string) => `title_${n}${d.slice(0, 2)}`,
    (n: string, d: string) => `${d.match(/../g)!.join(":")} ${n}`,
    (n: string) => [...n].join("_"),
  );
  const place = fc.constantFrom(
    (made: string) => xml(`<node resource-id="com.whatsapp:id/${made}" package="com.whatsapp" />`),
    (made: string) => xml(`<node resource-id="${made}" />`),
    (made: string) => xml(`<node class="com.whatsapp.${made}" />`),
    (made: string) => xml(`<node package="com.${made}" />`),
    (made: string) =>
      xml(`<node pane-title="${made}" content-desc="${made}" text="${made}" hint="${made}" />`),
    (made: string) => xml(`<node ${made.replace(/[^\p{L}\p{Nd}_]/gu, "")}="true" />`),
    (made: string) => xml("<node />").replace("com.whatsapp.Conversation", `com.whatsapp.${made}`),
    (made: string) =>
      xml("<node />").replace("com.whatsapp/com.whatsapp.Conversation", `com.${made}/a.${made}`),
    (made: string) => xml("<node />").replace("com.whatsapp/com.whatsapp.Conversation", made),
  );
  await fc.assert(
    fc.asyncProperty(name, number, form, place, async (who, digits, make, put) => {
      const made = make(who, digits);
      const { steps } = parseRecording(await fileOf(put(made)));
      const kept = JSON.stringify([steps[0]!.answer.dump ?? [], steps[0]!.answer.focus ?? null]);
      assert.ok(!kept.includes(made), `${made} in ${kept}`);
      assert.ok(!kept.toLowerCase().includes(who.toLowerCase()), `${who} in ${kept}`);
      assert.ok(!kept.replace(/[^\d]/g, "").includes(digits), `${digits} in ${kept}`);
    }),
    { numRuns: 600 },
  );
});

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
