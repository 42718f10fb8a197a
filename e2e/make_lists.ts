/** Fills a client's lists, saved messages, and a campaign with personal texts, through the calls of the screens. */
import type { Caller } from "./caller.ts";
import type { World } from "./seeded_edge.ts";

interface ListPlan {
  name: string;
  fields: string[];
  people: number;
  valueOf(field: string, person: number): string;
}

/** The beginning of a personal campaign's name. */
export const PERSONAL = "אישי: ";
const LONG_NAME = "לקוחות המועדון בסניפי הצפון והמרכז, כולל מי שהצטרף בקיץ האחרון".slice(0, 60);
const LONG_VALUE =
  "רחוב שדרות ירושלים 120, כניסה ב׳, קומה שלישית, דירה 7, ליד המכולת; לא לצלצל אחרי 20:00 🙏 ";
const NAMES = ["נועה כהן", "محمد خوري", "Zoë O'Brien", "אורית 👩‍👧", ""];

const ordinary = (name: string, people: number): ListPlan => ({
  name,
  fields: ["שם", "עיר"],
  people,
  valueOf: (field, person) => field === "שם" ? NAMES[person % NAMES.length]! : `עיר ${person % 7}`,
});

/** The lists of each world: none, ordinary ones, one of many pages, and one as long and wide as it may be. */
const PLANS: Record<World, readonly ListPlan[]> = {
  empty: [],
  small: [ordinary("לקוחות", 4), ordinary("רשימה ריקה", 0)],
  busy: [ordinary("לקוחות", 2_000)],
  storm: [ordinary("רשימה ריקה", 0), {
    name: LONG_NAME,
    fields: Array.from({ length: 20 }, (_, n) => `שדה עם כותרת ארוכה מאוד ${n} `.repeat(2).slice(0, 60)),
    people: 120,
    valueOf: (_, person) => `${person} ${LONG_VALUE.repeat(2)}`.slice(0, 200),
  }],
};

/** Saved messages of each world: their number, and a text that fills a message to its limit in the storm. */
const SAVED: Record<World, { count: number; message: string }> = {
  empty: { count: 0, message: "" },
  small: { count: 3, message: "שלום {{שם}}, מחכים לכם בחנות!" },
  busy: { count: 12, message: "שלום {{שם|לקוח יקר}}, מחכים לכם בחנות!" },
  storm: { count: 60, message: LONG_VALUE.repeat(20) },
};

/** Makes the lists and saved messages of a world, and a personal campaign of each list that has people. */
export async function makeLists(client: Caller, world: World): Promise<void> {
  for (let no = 0; no < SAVED[world].count; no++) {
    const form = new FormData();
    form.set("name", no % 2 === 0 ? `${LONG_NAME} ${no}` : `הזמנה ${no}`);
    form.set("message", SAVED[world].message);
    form.set("kind", no % 3 === 0 ? "marketing" : "service");
    await client.read("POST", "/api/saved-messages", { form });
  }
  for (const { name, fields, people, valueOf } of PLANS[world]) {
    const { id } = await client.read<{ id: number }>("POST", "/api/lists", { json: { name } });
    if (people === 0) continue;
    const rows = Array.from(
      { length: people },
      (_, person) =>
        [`05${41_200_000 + person}`, ...fields.map((field) => `"${valueOf(field, person)}"`)].join(),
    );
    const form = new FormData();
    form.set("file", new File([[["טלפון", ...fields].join(), ...rows].join("\n")], "list.csv"));
    await client.read("POST", `/api/lists/${id}/file`, { form });
    await makePersonal(client, { list: id, name, field: fields[0]! });
  }
}

async function makePersonal(
  client: Caller,
  { list, name, field }: { list: number; name: string; field: string },
): Promise<void> {
  const form = new FormData();
  form.set("name", PERSONAL + name);
  form.set("message", `שלום {{${field}}},\nמחכים לך ב{{${field}|חנות}}!`);
  form.set("kind", "service");
  const { id } = await client.read<{ id: number }>("POST", "/api/campaigns", { form });
  await client.read("POST", `/api/campaigns/${id}/contacts/lists`, { json: { lists: [list] } });
}
