/** Measures personal messages: composing their texts, and leases that carry one for each recipient. */
import process from "node:process";
import { composeText, parseTemplate } from "shared/personal_text.ts";
import { encodeFrame } from "shared/cbor.ts";
import { type DispatchRun, type DispatchSize, openDispatchWorld } from "./dispatch_world.ts";
import type { Figure, Part } from "./figure.ts";

const TEXTS = 1_000_000;
const VALUES = {
  שם: "נועה לוי",
  עיר: "תל אביב",
  תאריך: "12 בדצמבר",
  יועץ: "אורית כהן",
  סניף: "רחוב הרצל 12",
};
const MESSAGE =
  "שלום {{שם}}, {{ברכה|מה שלומך}}? קבענו לך פגישה ב{{עיר}} בתאריך {{תאריך}} עם {{יועץ}}, ב{{סניף}}. להתראות, {{שם}}!";
/** Characters of each text of a lease. */
const LONG = 1_000;
const DELIVERIES = 10_000;
const BATCH = 20;
/** Repeated in turns; the least counts, because the machine's other work only adds. */
const ROUNDS = 6;

export const texts: Part = {
  name: "texts",
  about:
    `personal messages: ${TEXTS.toLocaleString("en")} texts composed from rows as the database holds them; ` +
    `${DELIVERIES.toLocaleString("en")} deliveries with texts of ${
      LONG.toLocaleString("en")
    } characters, personal and plain`,
  measure,
};

async function* measure(): AsyncGenerator<Figure> {
  yield { name: "texts composed", value: composeAll(), unit: "s of processor", bar: { atMost: 3 } };
  const { parts } = parseTemplate(padded(MESSAGE));
  const plain = { message: composeText(parts, VALUES, () => "")! };
  const personal = { message: padded(MESSAGE), parts, values: VALUES };
  // Warm-up: the first run would measure the compiler.
  for (const text of [plain, personal]) await run(text);
  const least = { plain: Infinity, personal: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    least.plain = Math.min(least.plain, (await run(plain)).cpuSeconds);
    least.personal = Math.min(least.personal, (await run(personal)).cpuSeconds);
  }
  yield {
    name: "plain texts, deliveries by processor time",
    value: DELIVERIES / least.plain,
    unit: "a CPU second",
  };
  yield {
    name: "personal texts, deliveries by processor time",
    value: DELIVERIES / least.personal,
    unit: "a CPU second",
  };
  yield {
    name: "personal against plain, processor time",
    value: 100 * (least.personal / least.plain - 1),
    unit: "% more",
    bar: { atMost: 15 },
  };
}

/** Returns seconds of processor for all texts, each from the JSON of its row. */
function composeAll(): number {
  const { parts } = parseTemplate(MESSAGE);
  const rows = Array.from(
    { length: 1_000 },
    (_, index) => JSON.stringify({ ...VALUES, שם: `נועה ${index}` }),
  );
  const before = process.cpuUsage();
  let chars = 0;
  for (let index = 0; index < TEXTS; index++) {
    chars += composeText(parts, JSON.parse(rows[index % rows.length]!), () => "")!.length;
  }
  const { user, system } = process.cpuUsage(before);
  if (chars < TEXTS * MESSAGE.length / 2) throw new Error("The texts are too short");
  return (user + system) / 1e6;
}

/** Adds words until a recipient's text has LONG characters. */
function padded(message: string): string {
  const { parts } = parseTemplate(message);
  return message + "א".repeat(LONG - composeText(parts, VALUES, () => "")!.length);
}

async function run(text: DispatchSize["text"]): Promise<DispatchRun> {
  await using world = await openDispatchWorld({ deliveries: DELIVERIES + BATCH, phones: BATCH, text });
  return await world.send(DELIVERIES, BATCH, (lease) => void encodeFrame(lease));
}
