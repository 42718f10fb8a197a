import assert from "node:assert/strict";
import type { FileItem } from "shared/admin_api.ts";
import type { Consent } from "shared/consent.ts";
import { runImports } from "../files/run_imports.ts";
import { auditQueue } from "../queue/audit.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, OPT_IN, paste, saveProfile, show } from "../testing/advertising.ts";
import { openTestApp, type TestPerson } from "../testing/test_app.ts";

const CUSTOMERS: Consent = { basis: "existing_customer", source: "" };

async function send(caller: TestPerson, id: number) {
  const answer = await caller.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  return [answer.status, (await answer.json()).remainingQuota];
}

Deno.test("numbers without a declared consent are left out of marketing: counted, shown, and never charged", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 10 });
  await saveProfile(dana);
  const { id } = await makeDraft(dana, "marketing");
  const bare = await paste(dana, id, "0540000001\n0540000002\n0540000003\n0540000001");
  assert.deepEqual([bare.total, bare.duplicatesRemoved, bare.withoutConsent], [0, 1, 3]);
  const again = await paste(dana, id, "0540000002\n0540000003");
  assert.deepEqual([again.total, again.withoutConsent], [0, 2], "pasted again they are left out again");
  assert.deepEqual((await show(dana, id)).notices, [{ code: "without_consent", count: 3 }, {
    code: "no_contacts",
  }]);
  assert.deepEqual((await send(dana, id))[0], 409);

  const declared = await paste(dana, id, "0540000001\n0540000004", OPT_IN);
  assert.deepEqual([declared.total, declared.withoutConsent], [2, 0]);
  const campaign = await show(dana, id);
  assert.deepEqual([campaign.totalContacts, campaign.notices], [2, [{ code: "without_consent", count: 2 }]]);
  assert.deepEqual(await send(dana, id), [200, 8]);
  assert.deepEqual(await auditQueue(test.ctx.db), []);
  const sent = await show(dana, id);
  assert.equal(sent.counts.skipped, 0);
  assert.deepEqual(sent.notices.find(({ code }) => code === "without_consent"), {
    code: "without_consent",
    count: 2,
    since: sent.startedAt,
  });
});

Deno.test("a suppressed number counts as suppressed, and not also as one without consent", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  await suppressPhone(test.ctx, { phone: "+972540000001", client: 0, source: "manual" });
  const { id } = await makeDraft(dana, "marketing");
  const { suppressed, withoutConsent, duplicatesRemoved } = await paste(dana, id, "0540000001\n0540000002");
  assert.deepEqual([suppressed, withoutConsent, duplicatesRemoved], [1, 1, 0]);
  const { notices } = await show(dana, id);
  assert.equal(notices.find(({ code }) => code === "without_consent")?.count, 1);
});

Deno.test("a declared consent holds for the client's later campaigns, and for no other client's", async () => {
  await using test = await openTestApp();
  const [dana, avi] = [await test.addPerson(), await test.addPerson()];
  const first = await makeDraft(dana, "marketing");
  await paste(dana, first.id, "0540000001\n0540000002", CUSTOMERS);
  const second = await makeDraft(dana, "marketing");
  assert.deepEqual((await paste(dana, second.id, "0540000001\n0540000003")).withoutConsent, 1);
  const copy = await dana.ask(`/api/campaigns/${first.id}/duplicate`, {
    method: "POST",
    json: { contacts: "all" },
  });
  assert.equal((await copy.json()).totalContacts, 2);
  const other = await makeDraft(avi, "marketing");
  assert.deepEqual((await paste(avi, other.id, "0540000001")).withoutConsent, 1);
  const service = await makeDraft(avi, "service");
  assert.deepEqual((await paste(avi, service.id, "0540000001")).total, 1);
});

Deno.test("an uploaded file carries its consent as a field of the form", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  const upload = async (consent?: string) => {
    const form = new FormData();
    form.set("file", new File(["טלפון\n0540000001\n0540000002\n"], "מועדון.csv"));
    if (consent !== undefined) form.set("consent", consent);
    return await dana.ask(`/api/campaigns/${id}/contacts`, { method: "POST", body: form });
  };
  const long = JSON.stringify(OPT_IN) + " ".repeat(100_000);
  for (const wrong of ["opt_in", "{}", '{"basis":"opt_in","source":"טופס"}', '{"basis":"bought"}', long]) {
    assert.equal((await upload(wrong)).status, 400, wrong.slice(0, 100));
  }
  assert.equal((await (await upload()).json()).withoutConsent, 2);
  assert.equal((await (await upload(JSON.stringify(OPT_IN))).json()).total, 2);
  assert.deepEqual((await show(dana, id)).notices, [{ code: "advertiser_missing" }]);
});

Deno.test("a consent of a future day, of an unknown source, or for a service campaign is refused", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const [marketing, service] = [await makeDraft(dana, "marketing"), await makeDraft(dana, "service")];
  const refused = async (campaign: number, consent: unknown) => {
    const json = { numbers: "0540000001", consent };
    const answer = await dana.ask(`/api/campaigns/${campaign}/contacts/manual`, { method: "POST", json });
    return answer.status === 400 ? (await answer.json()).error : answer.status;
  };
  assert.equal(await refused(service.id, OPT_IN), "בסיס להסכמה נחוץ רק בקמפיין שיווקי.");
  assert.equal(
    await refused(marketing.id, { ...OPT_IN, obtainedOn: "2026-11-23" }),
    "מועד ההסכמה לא יכול להיות בעתיד.",
  );
  const wrong = [
    { ...OPT_IN, obtainedOn: "2026-02-30" },
    { ...OPT_IN, source: " " },
    { ...OPT_IN, source: "א".repeat(201) },
    { basis: "none" },
  ];
  for (const consent of wrong) assert.match(await refused(marketing.id, consent), /הבקשה לא תקינה/);
  assert.equal(await refused(marketing.id, { ...OPT_IN, obtainedOn: "2026-11-22" }), 200);
});

Deno.test("a consent of today's date in Israel is accepted", async () => {
  await using test = await openTestApp();
  test.clock.now = Date.parse("2026-11-23T00:30:00+02:00");
  const dana = await test.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001", { basis: "opt_in", source: "טופס", obtainedOn: "2026-11-23" });
});

async function importFile(house: AdminHouse, target: number, consent?: Consent) {
  const form = new FormData();
  form.set("file", new File(["טלפון\n0540000001\n0540000002\n0540000002\n12\n"], "רשימה.csv"));
  form.set("target", String(target));
  if (consent) form.set("consent", JSON.stringify(consent));
  const answer = await house.admin.ask("/api/admin/files", { method: "POST", body: form });
  if (answer.status !== 202) return answer.status;
  while (await runImports(house.edge.ctx) > 0);
  return await house.read(`/api/admin/files/${(await answer.json()).id}`) as FileItem;
}

Deno.test("a file that an administrator loads for a client's marketing needs a consent too, and records who declared it", async () => {
  await using house = await openAdminHouse();
  const { edge } = house;
  const dana = await edge.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  const bare = await importFile(house, id) as FileItem;
  assert.deepEqual([bare.added, bare.withoutConsent, bare.duplicates, bare.invalid], [0, 2, 1, 1]);
  assert.deepEqual((await show(dana, id)).status, "draft");
  const declared = await importFile(house, id, OPT_IN) as FileItem;
  assert.deepEqual([declared.added, declared.withoutConsent, declared.duplicates], [2, 0, 1]);
  const campaign = await show(dana, id);
  assert.deepEqual([campaign.status, campaign.notices], ["ready", [{ code: "advertiser_missing" }]]);
  const { rows } = await edge.ctx.db.execute(
    "SELECT client, user, source, obtained_on FROM consent_declarations",
  );
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { client: dana.id, user: house.admin.id, source: "טופס באתר", obtained_on: "2026-10-01" },
  ]);
  const service = await makeDraft(dana, "service");
  assert.equal(await importFile(house, service.id, OPT_IN), 400);
  assert.equal(
    (await show(dana, service.id)).notices[0]!.code,
    "no_contacts",
    "and the campaign is not held",
  );
});

Deno.test("GET /api/consents.csv returns a client's whole evidence without formulas; masked for administrators", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const [dana, avi] = [await edge.addPerson({ username: "dana" }), await edge.addPerson()];
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001", { ...OPT_IN, source: '=HYPERLINK("x"), התקשרו מ־050-123-4567' });
  await paste(dana, id, "0540000001\n0540000002", CUSTOMERS);
  const csv = async (caller: Pick<TestPerson, "ask">) => await (await caller.ask("/api/consents.csv")).text();
  const lines = (await csv(dana)).trimEnd().split("\r\n").slice(1);
  assert.deepEqual(lines, [
    `"dana","054-000-0001","הסכמה מראש","'=HYPERLINK(""x""), התקשרו מ־•••","2026-10-01","2026-11-22 10:00:00","dana",` +
    `"מספרים שהוקלדו","סתיו",""`,
    ...["1", "2"].map((no) =>
      `"dana","054-000-000${no}","לקוחות קיימים","","","2026-11-22 10:00:00","dana","מספרים שהוקלדו","סתיו",""`
    ),
  ]);
  assert.equal((await csv(avi)).trimEnd().split("\r\n").length, 1);
  assert.match(await csv(admin), /"dana","054-•••-••••"/);
  const { rows: [row] } = await edge.ctx.db.execute(
    "SELECT count(*) AS n FROM audit_log WHERE kind = 'exported' AND data LIKE '%consents%'",
  );
  assert.equal(row!.n, 3);
});

Deno.test("GET /api/consents.csv states that a list is gone, and nothing that is no longer known of it", async () => {
  await using test = await openTestApp();
  const [dana, avi] = [await test.addPerson(), await test.addPerson()];
  for (const caller of [dana, avi, dana]) {
    const { id } = await makeDraft(caller, "marketing");
    await paste(caller, id, "0540000001", OPT_IN);
    assert.equal((await caller.ask(`/api/campaigns/${id}`, { method: "DELETE" })).status, 204);
  }
  const csv = await (await dana.ask("/api/consents.csv")).text();
  assert.equal(csv.match(/"הרשימה נמחקה",""/g)?.length, 2);
  assert.doesNotMatch(csv, /שהוקלדו/);
});

Deno.test("consents are append-only: no number changes its declaration, and only an erasure removes one", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001\n0540000002", OPT_IN);
  const acts = [
    "UPDATE consent_declarations SET basis = 'existing_customer'",
    "DELETE FROM consent_declarations",
    "UPDATE consents SET phone = phone + 5",
    "UPDATE consents SET declaration = 7",
    "UPDATE consents SET phone = -id",
    "DELETE FROM consents",
  ];
  for (const act of acts) await assert.rejects(test.ctx.db.execute(act), /append-only/, act);
});

Deno.test("removing the contacts or the campaign deletes the numbers that it left out", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001");
  await dana.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE" });
  assert.deepEqual((await show(dana, id)).notices.map(({ code }) => code), [
    "advertiser_missing",
    "no_contacts",
  ]);
  await paste(dana, id, "0540000001");
  assert.equal((await dana.ask(`/api/campaigns/${id}`, { method: "DELETE" })).status, 204);
  const { rows } = await test.ctx.db.execute("SELECT * FROM unconsented");
  assert.deepEqual(rows, []);
});
