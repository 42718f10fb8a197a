import assert from "node:assert/strict";
import { foldValue, keyOf } from "../people/value_keys.ts";
import { findAll, loadFile, makeList, readOneList } from "../testing/list_acts.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";

const VALUES = [
  "דנה",
  "דן",
  "דניאל",
  "שָׂרה",
  "Anna",
  "ANNABEL",
  "تمارا",
  "😀 שמח",
  "user",
  "150",
  "054",
  "צ׳רלי",
  "",
];
const LONG = "ערך ארוך מאוד מאוד ";

/** Returns numbers from 0 to below `most`, the same in every run with this seed. */
function draws(seed: number): (most: number) => number {
  return (most) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % most;
}

/** A list as the client believes it to be. */
type Known = Map<string, Record<string, string>>;

async function addMany(
  client: TestPerson,
  list: number,
  known: Known,
  draw: (most: number) => number,
  rows: number,
) {
  const lines = ["טלפון,שם,מזהה"];
  const seen = new Set<string>();
  for (let row = 0; row < rows; row++) {
    const phone = `05${String(40_000_000 + draw(3_000)).padStart(8, "0")}`;
    const name = VALUES[draw(VALUES.length)]!;
    const no = draw(4) === 0 ? `${LONG}${draw(5)}` : draw(3) === 0 ? "" : `user${draw(2_000)}`;
    lines.push(`${phone},${name},${no}`);
    if (seen.has(phone)) continue;
    seen.add(phone);
    const given = Object.fromEntries(
      Object.entries({ שם: name, מזהה: no.trim() }).filter(([, value]) => value),
    );
    known.set(`+972${phone.slice(1)}`, { ...known.get(`+972${phone.slice(1)}`), ...given });
  }
  await loadFile(client, list, lines);
}

/** Compares searches by both ways: a short list is looked through, a long one goes by the index. */
async function compare(edge: TestApp, client: TestPerson, list: number, known: Known): Promise<void> {
  assert.equal((await readOneList(client, list)).size, known.size);
  await compareFound(client, list, known);
  await edge.ctx.db.execute("UPDATE lists SET size = size + 1000000");
  await compareFound(client, list, known);
  await edge.ctx.db.execute("UPDATE lists SET size = size - 1000000");
}

async function compareFound(client: TestPerson, list: number, known: Known): Promise<void> {
  const queries = [
    "ד",
    "דנ",
    "דני",
    "שר",
    "ann",
    "annab",
    "تم",
    "😀",
    "user",
    "user12",
    "15",
    LONG + "3",
    LONG,
    "צ'",
    "zz",
  ];
  for (const q of queries) {
    const found = await findAll(client, list, q, 37);
    const digits = /^\d+$/.test(q) ? q.replace(/^0/, "972") : null;
    const expected = [...known].filter(([phone, fields]) =>
      Object.values(fields).some((value) => foldValue(value).startsWith(foldValue(q.trim()))) ||
      (digits !== null && phone.slice(1).startsWith(digits))
    );
    assert.deepEqual(found.map(({ phone }) => phone).sort(), expected.map(([phone]) => phone).sort(), q);
  }
  const all = await findAll(client, list, "", 200);
  assert.deepEqual(new Map(all.map(({ phone, fields }) => [phone, fields])), new Map([...known].sort()));
}

/** Returns the rows of the index: blocks and single keys. */
async function sizesOf({ ctx }: TestApp): Promise<Record<string, number>> {
  const { rows: [row] } = await ctx.db.execute(`SELECT (SELECT count(*) FROM contact_runs) AS runs,
    (SELECT count(*) FROM contact_blocks) AS blocks, (SELECT count(*) FROM contact_keys) AS keys`);
  return { ...row } as Record<string, number>;
}

Deno.test("a search finds what a look at every contact finds, through loads, changes and removals in any order", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  const draw = draws(Number(Deno.env.get("SEED") ?? 1057593997));
  const known: Known = new Map();
  for (const rows of [1_500, 40, 900, 700]) {
    await addMany(client, list, known, draw, rows);
    await compare(edge, client, list, known);
    const all = await findAll(client, list, "", 200);
    const some = all.filter(() => draw(5) === 0).slice(0, 300);
    await client.ask(`/api/lists/${list}/contacts`, {
      method: "DELETE",
      json: { ids: some.map(({ id }) => id) },
    });
    for (const { phone } of some) known.delete(phone);
    for (const { id, phone } of all.filter(({ phone }) => known.has(phone)).slice(0, 20)) {
      const fields = { שם: `${VALUES[draw(VALUES.length)]}ה` };
      await client.ask(`/api/lists/${list}/contacts/${id}`, { method: "PATCH", json: { fields } });
      known.set(phone, fields);
    }
    await compare(edge, client, list, known);
  }
  assert.ok((await sizesOf(edge)).runs! > 1);
  assert.equal((await client.ask(`/api/lists/${list}`, { method: "DELETE" })).status, 204);
  assert.deepEqual(await sizesOf(edge), { runs: 0, blocks: 0, keys: 0 });
});

Deno.test("a removed value leaves nothing in the index, not even as the bound of its block", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  // So many that they are indexed in blocks.
  const many = Array.from({ length: 700 }, (_, row) => `05${41_000_000 + row},דנה`);
  await loadFile(client, list, ["טלפון,שם", "0543710968,תתסודית", ...many]);
  const [one] = await findAll(client, list, "תתסו");
  const bounds = async () =>
    (await edge.ctx.db.execute("SELECT last FROM contact_blocks")).rows.map(({ last }) => last);
  assert.deepEqual(await bounds(), [keyOf("תתסודית")]);
  const path = `/api/lists/${list}/contacts/${one!.id}`;
  assert.equal((await client.ask(path, { method: "PATCH", json: { fields: { שם: "אחר" } } })).status, 200);
  assert.deepEqual(await bounds(), [keyOf("דנה")]);
  assert.equal((await findAll(client, list, "דנ")).length, many.length);
});

Deno.test("a search in a list longer than is looked through finds the same by the index, each contact once", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const [list, other] = [await makeList(client), await makeList(client, "אחרת")];
  const phone = (row: number) => `05${40_000_000 + row}`;
  const lines = Array.from(
    { length: 6_000 },
    (_, row) => `${phone(row)},שם ${row},שם ${row % 10},${LONG}${row}`,
  );
  await loadFile(client, list, ["טלפון,א,ב,ג", ...lines.slice(0, 3_000)]);
  await loadFile(client, list, ["טלפון,א,ב,ג", ...lines.slice(3_000)]);
  await loadFile(client, other, [
    "טלפון,א",
    ...Array.from({ length: 800 }, (_, row) => `${phone(90_000 + row)},שם`),
  ]);
  const phonesOf = async (q: string) => (await findAll(client, list, q, 190)).map(({ phone }) => phone);
  const all = await phonesOf("שם");
  assert.deepEqual([all.length, new Set(all).size], [6_000, 6_000]);
  assert.equal((await phonesOf("שם 5999")).length, 1);
  assert.equal((await phonesOf("שם 59")).length, 111);
  assert.deepEqual(await phonesOf(`${LONG}4321`), [`+972${phone(4_321).slice(1)}`]);
  assert.deepEqual(await phonesOf("אין כזה"), []);
});
