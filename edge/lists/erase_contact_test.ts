import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { erasureSchema } from "shared/privacy.ts";
import { foldValue } from "../people/value_keys.ts";
import { eraseNumbers } from "../privacy/erase_numbers.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft } from "../testing/advertising.ts";
import { findAll, loadFile, makeList, readOneList, takeChoice } from "../testing/list_acts.ts";
import { tablesThatHold } from "../testing/number_traces.ts";
import { report, take } from "../testing/queue_acts.ts";

const NAME = "צפנת־פענח";
const TOWN = "Zyzzyvaville";
const NUMBER = "054-371-0968";
const PHONE = "+972543710968";

/** Returns the places that hold the person: the number, or a value in any of its forms. */
async function traces({ edge }: AdminHouse): Promise<string[]> {
  const found = await tablesThatHold(edge.ctx.db, PHONE);
  const folded = Buffer.from(foldValue(NAME), "latin1");
  const asInteger = Buffer.alloc(6);
  asInteger.writeUIntBE(Number(PHONE.slice(1)), 0, 6);
  const asDouble = Buffer.alloc(8);
  asDouble.writeDoubleBE(Number(PHONE.slice(1)));
  const forms = {
    number: asInteger,
    inBlocks: asDouble,
    name: Buffer.from(NAME),
    key: folded.subarray(0, 8),
  };
  for (const suffix of ["", "-wal"]) {
    const bytes = await readFile(edge.database.path + suffix);
    for (const [form, part] of Object.entries(forms)) {
      if (bytes.includes(part)) found.push(`${form}${suffix}`);
    }
    for (const town of [TOWN, TOWN.toLowerCase().slice(0, 8)]) {
      if (bytes.includes(town)) found.push(`town${suffix}`);
    }
  }
  return found;
}

Deno.test("an erasure leaves no number and no value of a person in three lists and a running campaign", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  const client = await edge.addPerson({ messageQuota: 1_000 });
  const other = await edge.addPerson();
  const site = await fleet.addSite();
  const many = Array.from({ length: 700 }, (_, row) => `05${41_000_000 + row},שם ${row},עיר ${row % 9}`);
  const long = await makeList(client, "ארוכה");
  await loadFile(client, long, [
    "טלפון,שם,עיר",
    ...many.slice(0, 350),
    `${NUMBER},${NAME},${TOWN}`,
    ...many.slice(350),
  ]);
  const short = await makeList(client, "קצרה");
  await loadFile(client, short, ["טלפון,שם", `${NUMBER},${NAME}`]);
  const empty = await makeList(client, "בלי שדות");
  await client.ask(`/api/lists/${empty}/numbers`, { method: "POST", json: { numbers: NUMBER } });
  const others = await makeList(other);
  await loadFile(other, others, ["טלפון,שם", `${NUMBER},${NAME}`]);
  const campaign = await makeDraft(client, "service");
  await takeChoice(client, campaign.id, {
    lists: [long, short],
    where: [{ field: "עיר", kind: "is", value: TOWN }],
  });
  await takeChoice(client, campaign.id, { lists: [long], take: { kind: "first", count: 3 } });
  assert.equal((await client.ask(`/api/campaigns/${campaign.id}/send`, { method: "POST" })).status, 200);
  const draft = await makeDraft(client, "service");
  await takeChoice(client, draft.id, { lists: [short] });
  const lease = await take(fleet, site, 10);
  assert.ok(lease.items.some(({ phone }) => phone === PHONE), "its site holds it");
  assert.ok((await traces(house)).some((place) => place.startsWith("inBlocks")));

  const json = { phone: NUMBER, reason: "בקשה של בעל המספר", block: true };
  const begun = erasureSchema.parse(
    await (await admin.ask("/api/admin/erasures", { method: "POST", json })).json(),
  );
  assert.equal(begun.databaseAt, null, "until the site has told what became of it");
  assert.deepEqual([begun.removed.contacts, begun.removed.list_members], [2, 4], "lists do not wait");
  await report(fleet, site, lease, "sent", { tappedAt: edge.clock.now });
  edge.clock.now += 120_000;
  await eraseNumbers(edge.ctx);
  const ended = erasureSchema.parse(await house.read(`/api/admin/erasures/${begun.id}`));
  assert.ok(ended.databaseAt !== null && ended.scrubbedAt !== null);
  assert.deepEqual(await traces(house), []);
  assert.deepEqual(await auditQueue(edge.ctx.db), []);

  const sizes = await Promise.all([long, short, empty].map((list) => readOneList(client, list)));
  assert.deepEqual(sizes.map(({ size }) => size), [700, 0, 0]);
  assert.equal((await findAll(client, long, "שם 69")).length, 11, "the others are found as before");
  assert.deepEqual(await findAll(client, long, NAME), []);
  const again = await loadFile(client, short, ["טלפון,כינוי", `${NUMBER},שוב`, "0501234567,אחר"]);
  assert.deepEqual([again.added, again.blocked], [1, 1], "and nobody loads the person again");
  const byHand = { phone: NUMBER, fields: { כינוי_אחר: "שוב" } };
  const refused = await client.ask(`/api/lists/${short}/contacts`, { method: "POST", json: byHand });
  assert.equal(refused.status, 404);
  assert.ok(!(await readOneList(client, short)).fields.includes("כינוי_אחר"));
});
