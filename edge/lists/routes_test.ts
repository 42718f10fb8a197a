import assert from "node:assert/strict";
import { contactsAddedSchema, contactSchema } from "shared/lists_api.ts";
import { stagedFileSchema } from "shared/staged_api.ts";
import { makeDraft, OPT_IN } from "../testing/advertising.ts";
import {
  countOfChoice,
  findAll,
  loadFile,
  makeList,
  page,
  readContact,
  readOneList,
  takeChoice,
} from "../testing/list_acts.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";

const PEOPLE = [
  "טלפון,שם,עיר,סכום",
  "054-371-0968,דנה כהן,חיפה,150",
  "0501234567,Yael,תל אביב,90",
  "+972521111111,משה,חיפה,",
  "0501234567,שוב,חיפה,1",
  "123,קצר,חיפה,1",
];

async function rowsOf({ ctx }: TestApp, sql: string): Promise<Record<string, unknown>[]> {
  return (await ctx.db.execute(sql)).rows.map((row) => ({ ...row }));
}

async function codeOf(asked: Promise<Response>): Promise<unknown[]> {
  const answer = await asked;
  return [answer.status, answer.status < 400 ? null : (await answer.json()).code];
}

async function addByHand(caller: TestPerson, list: number, phone: string, fields: Record<string, string>) {
  const answer = await caller.ask(`/api/lists/${list}/contacts`, { method: "POST", json: { phone, fields } });
  assert.equal(answer.status, 201, await answer.clone().text());
  return contactSchema.parse(await answer.json());
}

Deno.test("a list is made, loaded from a file, and taken into a campaign with a filter and its values", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  const added = await loadFile(client, list, PEOPLE);
  assert.deepEqual(added, {
    added: 3,
    known: 0,
    duplicates: 1,
    invalid: 1,
    blocked: 0,
    ignoredColumns: [],
    problems: [{ row: 6, text: "123", problem: "too_short" }],
  });
  const { size, fields } = await readOneList(client, list);
  assert.deepEqual([size, fields], [3, ["שם", "עיר", "סכום"]]);
  assert.deepEqual((await page(client, list)).items.map(({ phone, fields }) => [phone, fields]), [
    ["+972501234567", { שם: "Yael", עיר: "תל אביב", סכום: "90" }],
    ["+972521111111", { שם: "משה", עיר: "חיפה" }],
    ["+972543710968", { שם: "דנה כהן", עיר: "חיפה", סכום: "150" }],
  ]);

  const campaign = await makeDraft(client, "service");
  const choice = { lists: [list], where: [{ field: "עיר", kind: "is" as const, value: "חיפה" }] };
  const counts = await countOfChoice(client, campaign.id, choice);
  assert.deepEqual([counts.total, counts.fitting, counts.chosen, counts.added], [3, 2, 2, 2]);
  const taken = await takeChoice(client, campaign.id, choice);
  assert.deepEqual([taken.total, taken.duplicatesRemoved], [2, 0]);
  assert.deepEqual(
    await rowsOf(edge, `SELECT phone, fields FROM deliveries WHERE campaign = ${campaign.id} ORDER BY phone`),
    [
      { phone: 972521111111, fields: '{"שם":"משה","עיר":"חיפה"}' },
      { phone: 972543710968, fields: '{"שם":"דנה כהן","עיר":"חיפה","סכום":"150"}' },
    ],
  );
  const again = await countOfChoice(client, campaign.id, { lists: [list] });
  assert.deepEqual([again.chosen, again.alreadyHere, again.added], [3, 2, 1]);
  const imports = await (await client.ask(`/api/campaigns/${campaign.id}/imports`)).json();
  assert.equal(imports.items[0].source, "lists");
  const path = `/api/campaigns/${campaign.id}/imports/${imports.items[0].id}`;
  assert.equal((await client.ask(path, { method: "DELETE" })).status, 204);
  assert.deepEqual(await rowsOf(edge, "SELECT 1 FROM deliveries"), []);
});

Deno.test("later changes of a list change nothing that a campaign took", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, PEOPLE);
  const campaign = await makeDraft(client, "service");
  await takeChoice(client, campaign.id, { lists: [list] });
  const before = await rowsOf(edge, "SELECT * FROM deliveries ORDER BY id");
  const { id } = (await findAll(client, list, "Yael"))[0]!;
  const json = { fields: { שם: "אחרת" } };
  assert.equal(
    (await client.ask(`/api/lists/${list}/contacts/${id}`, { method: "PATCH", json })).status,
    200,
  );
  assert.equal((await client.ask(`/api/lists/${list}`, { method: "DELETE" })).status, 204);
  assert.deepEqual(await rowsOf(edge, "SELECT * FROM deliveries ORDER BY id"), before);
});

Deno.test("a search finds by the beginning of a number or of a value, without capitals and vowel points", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, [
    ...PEOPLE,
    '0541111111,שָׂרָה,Haifa,"a, ""b"""',
    "0542222222,محمد,😀 עיר,050",
    "0541111112,Noé,פריז,",
  ]);
  const found = async (q: string) => (await findAll(client, list, q, 1)).map(({ phone }) => phone.slice(4));
  assert.deepEqual(await found("054-37"), ["543710968"]);
  assert.deepEqual(await found("050"), ["501234567", "542222222"]);
  assert.deepEqual(await found("דנ"), ["543710968"]);
  assert.deepEqual(await found("YAE"), ["501234567"]);
  assert.deepEqual(await found("שרה"), ["541111111"]);
  assert.deepEqual(await found("haif"), ["541111111"]);
  assert.deepEqual(await found('a, "B'), ["541111111"]);
  assert.deepEqual(await found("محم"), ["542222222"]);
  assert.deepEqual(await found("😀"), ["542222222"]);
  assert.deepEqual((await found("חיפה")).sort(), ["521111111", "543710968"]);
  assert.deepEqual(
    await found("Noe\u0301"),
    ["541111112"],
    "an accent that stands alone, as some keyboards write it",
  );
  assert.deepEqual(await found("כהן"), [], "in the middle of a value");
  assert.deepEqual(await found("דנה כהןן"), []);
  assert.equal((await findAll(client, list)).length, 6);
});

Deno.test("a contact is added by hand, edited, and found by its new value alone", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  const one = await addByHand(client, list, "054-371-0968", { שם: " דנה\u202e ", עיר: "" });
  assert.deepEqual(one, { id: one.id, phone: "+972543710968", fields: { שם: "דנה" } });
  await addByHand(client, list, "0543710968", { עיר: "חיפה" });
  const path = `/api/lists/${list}/contacts/${one.id}`;
  assert.deepEqual((await readContact(client, list, one.id)).fields, { שם: "דנה", עיר: "חיפה" });
  assert.equal((await client.ask(path, { method: "PATCH", json: { fields: { שם: "דינה" } } })).status, 200);
  assert.deepEqual((await findAll(client, list, "דנה")).length, 0);
  assert.deepEqual((await findAll(client, list, "דינה")).map(({ id }) => id), [one.id]);
  assert.equal((await readOneList(client, list)).size, 1);
  const fields = { שם: "דינה", constructor: "קבלן" };
  assert.equal((await client.ask(path, { method: "PATCH", json: { fields } })).status, 200);
  assert.ok((await readOneList(client, list)).fields.includes("constructor"));
  const bad = { method: "POST", json: { phone: "12", fields: {} } };
  assert.deepEqual(await codeOf(client.ask(`/api/lists/${list}/contacts`, bad)), [400, "invalid_input"]);
});

Deno.test("a contact that leaves its last list is gone with its values; one of another list stays", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const [one, two] = [await makeList(client, "אחת"), await makeList(client, "שתיים")];
  await loadFile(client, one, PEOPLE);
  await loadFile(client, two, ["טלפון,דרגה", "0501234567,זהב"]);
  const all = await findAll(client, one);
  const json = { ids: all.map(({ id }) => id) };
  const removed = await client.ask(`/api/lists/${one}/contacts`, { method: "DELETE", json });
  assert.deepEqual(await removed.json(), { removed: 3 });
  assert.deepEqual(await rowsOf(edge, "SELECT phone, fields FROM contacts"), [
    { phone: 972501234567, fields: '{"שם":"Yael","עיר":"תל אביב","סכום":"90","דרגה":"זהב"}' },
  ]);
  assert.deepEqual(
    await rowsOf(edge, "SELECT DISTINCT phone FROM contact_keys"),
    [{ phone: 972501234567 }],
  );
  assert.deepEqual([(await readOneList(client, one)).size, (await readOneList(client, two)).size], [0, 1]);
  assert.equal((await client.ask(`/api/lists/${two}`, { method: "DELETE" })).status, 204);
  for (const table of ["contacts", "contact_keys", "list_members", "contact_runs", "contact_blocks"]) {
    assert.deepEqual(await rowsOf(edge, `SELECT * FROM ${table}`), [], table);
  }
  assert.deepEqual(await codeOf(client.ask(`/api/lists/${two}`)), [404, "not_found"]);
});

Deno.test("a name stands for one list of a client, in any case", async () => {
  await using edge = await openTestApp();
  const [client, other] = [await edge.addPerson(), await edge.addPerson()];
  const list = await makeList(client, "VIP");
  await makeList(other, "VIP");
  const again = { method: "POST", json: { name: "vip" } };
  assert.deepEqual(await codeOf(client.ask("/api/lists", again)), [400, "invalid_input"]);
  const second = await makeList(client, "אחרת");
  const rename = (name: string) => client.ask(`/api/lists/${second}`, { method: "PATCH", json: { name } });
  assert.deepEqual(await codeOf(rename("Vip")), [400, "invalid_input"]);
  assert.deepEqual(await codeOf(rename("רשימה")), [200, null]);
  assert.equal((await client.ask(`/api/lists/${list}`, { method: "DELETE" })).status, 204);
  assert.deepEqual(await codeOf(rename("VIP")), [200, null], "the name is free again");
});

Deno.test("a client reaches nothing of another's lists, contacts and campaigns", async () => {
  await using edge = await openTestApp();
  const [owner, other] = [await edge.addPerson(), await edge.addPerson()];
  const list = await makeList(owner);
  await loadFile(owner, list, PEOPLE);
  const { id: contact } = (await findAll(owner, list, "דנה"))[0]!;
  const campaign = await makeDraft(owner, "service");
  await takeChoice(owner, campaign.id, { lists: [list] });
  const [own, draft] = [await makeList(other), await makeDraft(other, "service")];
  await loadFile(other, own, ["טלפון", "0543710968"]);
  const form = new FormData();
  form.set("file", new File(["0501111111"], "a.csv"));
  const before = await rowsOf(edge, "SELECT * FROM contacts");

  const asks: [string, string, unknown?][] = [
    ["GET", `/api/lists/${list}`],
    ["PATCH", `/api/lists/${list}`, { name: "x" }],
    ["DELETE", `/api/lists/${list}`],
    ["POST", `/api/lists/${list}/search`, {}],
    ["POST", `/api/lists/${list}/contacts`, { phone: "0501111111" }],
    ["POST", `/api/lists/${list}/numbers`, { numbers: "0501111111" }],
    ["POST", `/api/lists/${own}/campaign`, { campaign: campaign.id, states: ["queued"] }],
    ["DELETE", `/api/lists/${list}/contacts`, { ids: [contact] }],
    ["GET", `/api/lists/${list}/contacts/${contact}`],
    ["GET", `/api/lists/${own}/contacts/${contact}`],
    ["PATCH", `/api/lists/${own}/contacts/${contact}`, { fields: {} }],
    ["GET", `/api/lists/${list}/contacts.csv`],
    ["GET", `/api/lists/${list}/contacts.xlsx`],
    ["POST", `/api/campaigns/${campaign.id}/contacts/lists`, { lists: [own] }],
    ["POST", `/api/campaigns/${draft.id}/contacts/lists`, { lists: [list] }],
    ["POST", `/api/campaigns/${draft.id}/contacts/lists/count`, { lists: [own, list] }],
    ["POST", `/api/campaigns/${draft.id}/contacts/lists/count`, { lists: [own], except: { lists: [list] } }],
    ["POST", `/api/campaigns/${draft.id}/contacts/lists/count`, {
      lists: [own],
      except: { campaigns: [campaign.id] },
    }],
  ];
  for (const [method, path, json] of asks) {
    assert.deepEqual(
      await codeOf(other.ask(path, { method, json })),
      [404, "not_found"],
      `${method} ${path}`,
    );
  }
  assert.deepEqual(await codeOf(other.ask(`/api/lists/${list}/file`, { method: "POST", body: form })), [
    404,
    "not_found",
  ]);
  assert.deepEqual(await (await other.ask(`/api/lists?client=${owner.id}`)).json(), { items: [] });
  const removed = await other.ask(`/api/lists/${own}/contacts`, {
    method: "DELETE",
    json: { ids: [contact] },
  });
  assert.deepEqual(await removed.json(), { removed: 0 });
  assert.deepEqual(await findAll(other, own, "דנה"), []);
  assert.deepEqual(await rowsOf(edge, "SELECT * FROM contacts"), before);
});

Deno.test("a contact bears its consent: declared with its list, it is enough for advertising", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, PEOPLE.slice(0, 2), OPT_IN);
  await loadFile(client, list, [PEOPLE[0]!, PEOPLE[2]!]);
  const campaign = await makeDraft(client, "marketing");
  const counts = await countOfChoice(client, campaign.id, { lists: [list] });
  assert.deepEqual([counts.chosen, counts.noConsent, counts.added], [2, 1, 1]);
  const taken = await takeChoice(client, campaign.id, { lists: [list] });
  assert.deepEqual([taken.total, taken.withoutConsent], [1, 1]);
  const { id } = (await findAll(client, list, "דנה"))[0]!;
  const { consents } = await readContact(client, list, id);
  assert.deepEqual(consents.map(({ basis, source, by }) => [basis, source, by]), [
    ["opt_in", OPT_IN.source, client.username],
  ]);
});

Deno.test("a file's columns are chosen before it goes into a list, and the choice is remembered", async () => {
  await using edge = await openTestApp();
  const [client, other] = [await edge.addPerson(), await edge.addPerson()];
  const list = await makeList(client);
  const lines = [
    "רשימת הלקוחות",
    "נייד,שם מלא,עיר,הערות",
    "054-371-0968,דנה,חיפה,x",
    "0501234567,יעל,,y",
    "12,ב,ג,ד",
  ];
  const stage = async () => {
    const body = new FormData();
    body.set("file", new File([lines.join("\n")], "לקוחות.csv"));
    const answer = await client.ask("/api/staged-files", { method: "POST", body });
    return stagedFileSchema.parse(await answer.json());
  };
  const { id: file, headingRow } = await stage();
  assert.equal(headingRow, 2);
  const choice = { phone: 1, fields: [{ no: 2, name: "שם" }, { no: 3, name: "עיר" }] };
  const add = (who: TestPerson, json: unknown) =>
    who.ask(`/api/lists/${list}/staged`, { method: "POST", json });
  const othersList = await makeList(other);
  const stolen = other.ask(`/api/lists/${othersList}/staged`, { method: "POST", json: { file, choice } });
  assert.deepEqual(await codeOf(stolen), [404, "not_found"]);

  const answer = await add(client, { file, choice, consent: OPT_IN });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { added, invalid, problems } = contactsAddedSchema.parse(await answer.json());
  assert.deepEqual([added, invalid], [2, 1]);
  assert.deepEqual(problems, [{ row: 5, text: "12", problem: "too_short" }]);
  assert.deepEqual((await readOneList(client, list)).fields, ["שם", "עיר"]);
  const { items } = await page(client, list);
  assert.deepEqual(items.map(({ fields }) => fields), [{ שם: "יעל" }, { שם: "דנה", עיר: "חיפה" }]);
  assert.equal((await readContact(client, list, items[0]!.id)).consents.length, 1);
  assert.deepEqual(await codeOf(add(client, { file, choice })), [404, "not_found"], "it was taken in");
  const again = await stage();
  assert.deepEqual([again.choice, again.isRemembered], [choice, true]);
});

Deno.test("no control or direction mark of a file is kept in a value, wherever it stands", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  const list = await makeList(client);
  const long = "a long beginning of a value";
  const marks = ["\u200f", "\u202e", "\u2066", "\u0085", "\ufeff", "\u0007"];
  const lines = marks.map((mark, row) => `05212345${10 + row},${long}${mark}end,${mark}ת${mark}`);
  await loadFile(client, list, ["טלפון,אנגלית,עברית", ...lines]);
  const { items } = await page(client, list);
  assert.deepEqual(items.map(({ fields }) => fields["עברית"]), marks.map(() => "ת"));
  // U+FEFF is a space to JavaScript, and becomes one.
  const ends = marks.map((mark) => mark === "\ufeff" ? `${long} end` : `${long}end`);
  assert.deepEqual(items.map(({ fields }) => fields["אנגלית"]), ends);
});
