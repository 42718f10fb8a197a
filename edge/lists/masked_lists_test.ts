import assert from "node:assert/strict";
import { inflateRawSync } from "node:zlib";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { forgetConsents } from "../lawful/forget_consents.ts";
import { forgetContacts } from "../people/forget_contacts.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, OPT_IN } from "../testing/advertising.ts";
import {
  findAll,
  loadFile,
  makeList,
  page,
  readContact,
  readOneList,
  takeChoice,
} from "../testing/list_acts.ts";
import { readTable } from "../tables/read_table.ts";
import { packedBytesOf, readZipDirectory } from "../tables/zip_directory.ts";
import { PROOF } from "../testing/test_app.ts";

const DAY_MS = 24 * 60 * 60_000;
const PEOPLE = ["טלפון,שם,סכום", "054-371-0968,דנה כהן,150", "0501234567,=1+1,-5"];

Deno.test("an administrator sees a list masked, numbers and values, until they say why; then for some minutes", async () => {
  await using house = await openAdminHouse();
  const { edge, admin, fleet } = house;
  const client = await edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, PEOPLE);
  assert.deepEqual((await (await admin.ask(`/api/lists?client=${client.id}`)).json()).items.length, 1);
  const masked = (await page(admin, list)).items;
  assert.deepEqual(masked.map(({ phone, fields }) => [phone, fields]), [
    ["+97250•••4567", { שם: "•••", סכום: "•••" }],
    ["+97254•••0968", { שם: "•••", סכום: "•••" }],
  ]);
  assert.deepEqual((await page(admin, list, { q: "דנה" })).items, [], "values are not searched");
  assert.deepEqual((await page(admin, list, { q: "05437109" })).items, [], "nor digit by digit");
  assert.equal((await page(admin, list, { q: "054-371-0968" })).items.length, 1, "whole numbers are");
  const card = await readContact(admin, list, masked[1]!.id);
  assert.ok(!JSON.stringify(card).includes("דנה") && !JSON.stringify(card).includes("3710968"));
  const csv = await (await admin.ask(`/api/lists/${list}/contacts.csv`)).text();
  assert.ok(!csv.includes("דנה") && !csv.includes("371"));
  const change = { method: "PATCH", json: { name: "x" } };
  assert.equal((await admin.ask(`/api/lists/${list}`, change)).status, 403);

  const show = { method: "POST", json: { reason: "בדיקה של תלונה 0543710968", proof: PROOF } };
  assert.equal((await admin.ask(`/api/admin/lists/${list}/numbers`, show)).status, 200);
  assert.equal((await page(admin, list, { q: "דנה" })).items[0]!.phone, "+972543710968");
  assert.ok((await readOneList(admin, list)).shownUntil! > edge.clock.now);
  const { data } = await fleet.one("SELECT data FROM audit_log WHERE kind = 'list_shown'");
  assert.ok(String(data).includes("בדיקה של תלונה") && !String(data).includes("0543710968"));
  assert.equal((await admin.ask(`/api/admin/lists/${list}/numbers`, { method: "DELETE" })).status, 204);
  assert.deepEqual((await page(admin, list, { q: "דנה" })).items, []);
  assert.equal((await admin.ask(`/api/admin/lists/${list}/numbers`, show)).status, 200);
  edge.clock.now += 16 * 60_000;
  assert.deepEqual((await page(admin, list, { q: "דנה" })).items, []);
});

Deno.test("an export holds the whole list: CSV that begins no formula, and a workbook of texts", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, [
    ...PEOPLE,
    ...Array.from({ length: 600 }, (_, row) => `05${60_000_000 + row},ש,${row}`),
  ]);
  const csv = await client.ask(`/api/lists/${list}/contacts.csv`);
  assert.equal(csv.headers.get("content-disposition"), `attachment; filename="list-${list}.csv"`);
  const lines = (await csv.text()).trim().split("\r\n");
  assert.equal(lines.length, 603);
  assert.equal(lines[0], '"מספר","שם","סכום"');
  assert.equal(lines[1], '"050-123-4567","\'=1+1","\'-5"');
  const workbook = await client.ask(`/api/lists/${list}/contacts.xlsx`);
  const bytes = new Uint8Array(await workbook.arrayBuffer());
  const rows = await Array.fromAsync(readTable(bytes));
  assert.equal(rows.length, 603);
  assert.deepEqual(rows.slice(0, 3).map(({ cells }) => cells), [
    ["מספר", "שם", "סכום"],
    ["050-123-4567", "=1+1", "-5"],
    ["054-371-0968", "דנה כהן", "150"],
  ]);
  // Strict readers refuse a fill without a pattern (ECMA-376, 18.8.20).
  const styles = inflateRawSync(packedBytesOf(bytes, readZipDirectory(bytes).get("xl/styles.xml")!));
  assert.doesNotMatch(styles.toString(), /<fill ?\/>/);
  const back = await makeList(client, "שוב");
  const again = await client.ask(`/api/lists/${list}/contacts.xlsx`);
  const loaded = await loadFile(client, back, new Uint8Array(await again.arrayBuffer()));
  assert.deepEqual([loaded.added, loaded.invalid], [602, 0]);
  assert.deepEqual(await findAll(client, back, "דנה"), await findAll(client, list, "דנה"));
});

Deno.test("forgetContacts() removes who was not used for two years, or for the days in the settings; taking is use", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const client = await edge.addPerson();
  const list = await makeList(client);
  await loadFile(client, list, PEOPLE, OPT_IN);
  const forget = async () => {
    for (const _ of [1, 2]) while (await forgetContacts(edge.ctx) > 0);
    return Number((await house.fleet.one("SELECT count(*) AS n FROM contacts")).n);
  };
  const draft = await makeDraft(client, "service");
  edge.clock.now += 729 * DAY_MS;
  assert.equal(await forget(), 2);
  await house.fleet.one(
    `UPDATE sessions SET created_at = ${edge.clock.now}, last_seen_at = ${edge.clock.now} RETURNING 1`,
  );
  await takeChoice(client, draft.id, {
    lists: [list],
    where: [{ field: "שם", kind: "is", value: "דנה כהן" }],
  });
  edge.clock.now += 2 * DAY_MS;
  assert.equal(await forget(), 1, "who was taken into a campaign was used");
  const { data } = await house.fleet.one("SELECT data FROM audit_log WHERE kind = 'contacts_forgotten'");
  assert.equal(data, '{"count":1}');
  await forgetConsents(edge.ctx, edge.clock.now);
  const consents = await house.fleet.one("SELECT count(*) AS n FROM consents WHERE phone > 0");
  assert.equal(consents.n, 1, "a consent stays while its person is in a list");

  const json = { ...DEFAULT_SETTINGS, contactsKeptDays: 30, proof: PROOF };
  assert.equal((await admin.ask("/api/admin/settings", { method: "PUT", json })).status, 200);
  edge.clock.now += 31 * DAY_MS;
  assert.equal(await forget(), 0);
  for (const table of ["list_members", "contact_keys", "contact_blocks"]) {
    assert.equal((await house.fleet.one(`SELECT count(*) AS n FROM ${table}`)).n, 0, table);
  }
});
