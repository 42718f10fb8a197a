import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Erasure } from "shared/privacy.ts";
import { foldValue } from "../edge/people/value_keys.ts";
import { readTable } from "../edge/tables/read_table.ts";
import { makeWorkbook, textRows } from "../edge/testing/make_workbook.ts";
import { untilOnline } from "../bench/house.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { filesWith, spellingsOf } from "./files_with.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const FIRST = 41_000_001;
const PHONE = 972541000001;
const TYPED = "054-100-0001";
const TESTED = "0541999999";
/** Words that nothing else in the product has. */
const NAME = "צפנת פענח־לבית אלקושי";
const TOWN = "Zyzzyvaville";
const NEIGHBOUR = "שכן 1";
const MESSAGE = "שלום {{שם}}, מחכים לך ב{{עיר|חנות}}!";
const TEXT = `שלום ${NAME}, מחכים לך ב${TOWN}!`;
/** 1×1 pixels. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Seconds between two messages of a phone: enough that a row stays in the agent's journal while the test looks. */
const RATE_LIMIT = 8;

/** What must not be in any file: the number, the values as they are and as keys, and the composed text. */
const NEEDLES = {
  number: spellingsOf(PHONE),
  name: wordsIn(NAME),
  town: wordsIn(TOWN),
  text: wordsIn(TEXT),
  keys: [NAME, TOWN].map((value) => Buffer.from(foldValue(value).slice(0, 10), "latin1")),
};

/** Returns a text as UTF-8 and as both orders of UTF-16. */
function wordsIn(text: string): Buffer[] {
  const littleEndian = Buffer.from(text, "utf16le");
  return [Buffer.from(text), littleEndian, Buffer.from(littleEndian).swap16()];
}

/** Returns "what file" for each file of the product that has something of the person. */
async function traces({ dataDir }: Product): Promise<string[]> {
  const found: string[] = [];
  for (const [what, spellings] of Object.entries(NEEDLES)) {
    for (const file of await filesWith(dataDir, spellings)) found.push(`${what} ${file}`);
  }
  return found;
}

/** Stages a file, as the screens do before a preview. */
async function stage(client: Caller, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  form.set("file", new File([bytes], name));
  return (await client.read<{ id: number }>("POST", "/api/staged-files", { form })).id;
}

/** Makes a list of the person and three others, and returns its id. */
async function addList(client: Caller, name: string, columns: string[], values: string[]): Promise<number> {
  const { id } = await client.read<{ id: number }>("POST", "/api/lists", { json: { name } });
  const others = [1, 2, 3].map((n) => [`054200000${n}`, ...columns.map((column) => `${column} ${n}`)]);
  const form = new FormData();
  const rows = [["טלפון", ...columns], [TYPED, ...values], ...others];
  form.set("file", new File([rows.map((cells) => cells.join()).join("\n")], "list.csv"));
  await client.read("POST", `/api/lists/${id}/file`, { form });
  return id;
}

/** Makes a personal campaign of `count` recipients in which the person is the one at `place`. */
async function addPersonal(client: Caller, name: string, count: number, place: number): Promise<number> {
  return await makeReadyCampaign(client, name, count, {
    first: FIRST - place,
    image: new File([PNG], "picture.png", { type: "image/png" }),
    personal: {
      message: MESSAGE,
      valuesOf: (index): Record<string, string> =>
        index === place ? { שם: NAME, עיר: TOWN } : { שם: `שכן ${index}`, עיר: "חיפה" },
    },
  });
}

/** Returns all that a person can download: a workbook as the cells of its rows. */
async function exportsOf(client: Caller, admin: Caller, lists: number[], campaigns: number[]) {
  const texts: string[] = [];
  const take = async (caller: Caller, path: string) => {
    const answer = await caller.call("GET", path);
    assert.equal(answer.status, 200, path);
    if (!path.endsWith(".xlsx")) return void texts.push(await answer.text());
    for await (const { cells } of readTable(new Uint8Array(await answer.arrayBuffer()))) {
      texts.push(cells.join());
    }
  };
  for (const list of lists) {
    await take(client, `/api/lists/${list}/contacts.csv`);
    await take(client, `/api/lists/${list}/contacts.xlsx`);
  }
  for (const campaign of campaigns) await take(client, `/api/campaigns/${campaign}/deliveries.csv`);
  await take(admin, "/api/admin/audit.csv");
  return texts.join("\n");
}

Deno.test("a person erased in the middle of personal campaigns is in no file: not the number, a value, or the text", async () => {
  const product = await Product.start({ devices: 1, speed: 50, rateLimit: RATE_LIMIT });
  try {
    await untilOnline(product, 1);
    const [client, admin] = await Promise.all(
      (["client", "admin"] as const).map((role) =>
        Caller.login(product.url, product.logins().find((login) => login.role === role)!)
      ),
    ) as [Caller, Caller];
    const lists = [
      await addList(client, "כולם", ["שם", "עיר"], [NAME, TOWN]),
      await addList(client, "חברי מועדון", ["שם פרטי"], [NAME]),
      await addList(client, "סניפים", ["סניף", "הערה"], [TOWN, `לחזור אל ${NAME}`]),
    ];
    const rows = [["טלפון", "שם", "עיר"], [TYPED, NAME, TOWN]];
    const csv = rows.map((cells) => cells.join()).join("\n");
    await stage(client, "אקסל.xlsx", await makeWorkbook({ sheets: { א: textRows(...rows) } }));
    await stage(client, "טבלה.csv", new TextEncoder().encode(csv));
    await stage(client, "רחב.csv", new Uint8Array(Buffer.from(`\ufeff${csv}`, "utf16le")));

    const campaigns = [
      await addPersonal(client, "נשלח", 4, 0),
      await addPersonal(client, "בטלפון", 30, 0),
      await addPersonal(client, "בתור", 60, 59),
    ];
    const statesOf = () =>
      product.query<{ state: string }>(
        `SELECT state FROM deliveries WHERE phone = ${PHONE} AND campaign IN (${campaigns}) ORDER BY campaign`,
      ).map(({ state }) => state).join();
    await client.read("POST", `/api/campaigns/${campaigns[0]}/send`);
    await until(() => Promise.resolve(statesOf().startsWith("sent")), PATIENCE_MS, "the first is sent", 20);
    for (const id of campaigns.slice(1)) await client.read("POST", `/api/campaigns/${id}/send`);
    await until(
      () => Promise.resolve(statesOf() === "sent,leased,queued"),
      2 * PATIENCE_MS,
      "the person is sent, leased and queued",
      20,
    );
    // A test to oneself has the person's values beside another number.
    const [{ id: row }] = product.query<{ id: number }>(
      `SELECT id FROM deliveries WHERE phone = ${PHONE} AND campaign = ${campaigns[2]}`,
    ) as [{ id: number }];
    const asked = { json: { phone: TESTED, row } };
    const test = await client.read<{ campaignId: number }>(
      "POST",
      `/api/campaigns/${campaigns[2]}/test`,
      asked,
    );
    const testState = () =>
      product.query<{ state: string }>(`SELECT state FROM deliveries WHERE campaign = ${test.campaignId}`)[0]!
        .state;
    await until(() => Promise.resolve(testState() !== "queued"), PATIENCE_MS, "the test is at the site", 20);
    const before = await traces(product);
    for (const trace of ["number agent/", "text agent/journal.db", "name shigur.db", "town shigur.db"]) {
      assert.ok(before.some((found) => found.startsWith(trace)), `${trace}: ${before}`);
    }
    assert.match(await exportsOf(client, admin, lists, campaigns), new RegExp(TOWN));

    const json = { phone: TYPED, reason: "בקשה של בעל המספר" };
    const { id: erasure } = await admin.read<Erasure>("POST", "/api/admin/erasures", { json });
    const done = await until(
      async () => {
        const certificate = await admin.read<Erasure>("GET", `/api/admin/erasures/${erasure}`);
        return certificate.doneAt !== null && certificate;
      },
      3 * PATIENCE_MS,
      "every site has answered",
    );
    const { contacts, list_members, deliveries, import_chunks } = done.removed;
    assert.deepEqual([contacts, list_members, deliveries], [1, 3, 3]);
    assert.ok(import_chunks! >= 3, "the staged files");

    await until(() => Promise.resolve(testState() === "sent"), PATIENCE_MS, "the test has gone");
    assert.deepEqual(await traces(product), []);
    const exported = await exportsOf(client, admin, lists, campaigns);
    assert.match(exported, /עיר 1/, "the others are still there");
    assert.doesNotMatch(product.lines.join("") + exported, new RegExp(`${PHONE}|41000001|100-?0001`));
    for (const words of [NAME, TOWN]) assert.ok(!exported.includes(words), words);
    for (const words of [NAME, TOWN, "שכן "]) assert.ok(!product.lines.join("").includes(words), words);
    assert.notDeepEqual(await filesWith(product.dataDir, wordsIn(NEIGHBOUR)), []);
    assert.equal(statesOf(), "", "only aliases are left");
    assert.equal(await product.audit(), "All rules hold.");
  } finally {
    await product.stop();
  }
});
