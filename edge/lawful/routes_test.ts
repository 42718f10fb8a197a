import assert from "node:assert/strict";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { advertiserSchema } from "shared/http_api.ts";
import { composeMarketing } from "shared/marketing.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { ADVERTISER, makeDraft, OPT_IN, paste, saveProfile, show } from "../testing/advertising.ts";
import { pull } from "../testing/queue_acts.ts";
import { openTestApp } from "../testing/test_app.ts";

Deno.test("PUT /api/profile stores the caller's advertiser details within bounds, and is audited", async () => {
  await using test = await openTestApp();
  const [dana, avi] = [await test.addPerson(), await test.addPerson()];
  const read = async (caller: typeof dana) => (await (await caller.ask("/api/profile")).json()).advertiser;
  const save = async (changes: Record<string, unknown>) =>
    (await dana.ask("/api/profile", { method: "PUT", json: { ...ADVERTISER, ...changes } })).status;
  assert.equal(await read(dana), null);
  const wrong = [
    { name: "" },
    { name: "א" },
    { name: "א".repeat(61) },
    { name: "שורה\nושנייה" },
    { name: "הפוך\u202e" },
    { phone: "", email: "" },
    { phone: "לא מספר" },
    { phone: "--" },
    { email: "בלי כרוכית" },
    { email: "a@b" },
    { address: "א".repeat(101) },
    { address: undefined },
  ];
  for (const changes of wrong) assert.equal(await save(changes), 400, JSON.stringify(changes));
  assert.equal(await read(dana), null);
  for (const right of [{}, { phone: "*2700" }, { phone: "+972 (4) 601-0042" }]) {
    assert.equal(await save(right), 200);
  }
  const kept = { name: "משק הדר", address: "", phone: "", email: "dana@hadar.example", removalLink: true };
  assert.equal(await save({ ...kept, name: " משק הדר " }), 200);
  assert.deepEqual(await read(dana), kept);
  assert.equal(await read(avi), null);
  const { rows } = await test.ctx.db.execute(
    "SELECT actor, data FROM audit_log WHERE kind = 'advertiser_changed' ORDER BY id DESC LIMIT 1",
  );
  assert.deepEqual({ ...rows[0] }, { actor: dana.id, data: '{"name":"משק הדר"}' });
});

Deno.test("PUT /api/profile matches no pattern against a text that is too long: an address took seconds", () => {
  const parts = { phone: "1".repeat(60_000), email: `a@${"a.".repeat(30_000)}@` };
  for (const [field, text] of Object.entries(parts)) {
    const { error } = advertiserSchema.safeParse({ ...ADVERTISER, [field]: text });
    assert.deepEqual(error?.issues.map(({ code, path }) => [code, ...path]), [["too_big", field]]);
  }
});

Deno.test("POST …/send refuses marketing without advertiser details, and says what to do", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 5 });
  const { id, composed } = await makeDraft(dana, "marketing");
  assert.equal(composed, null);
  await paste(dana, id, "0540000001", OPT_IN);
  const tag = async () => (await dana.ask("/api/campaigns")).headers.get("etag");
  const before = await tag();
  assert.deepEqual((await show(dana, id)).notices, [{ code: "advertiser_missing" }]);
  const refused = await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.deepEqual([refused.status, await refused.json()], [409, {
    code: "advertiser_missing",
    error: "הודעה שיווקית חייבת לומר מי המפרסם. נא למלא את פרטי המפרסם בעמוד החשבון, ואז לשלוח.",
  }]);
  const tried = await dana.ask(`/api/campaigns/${id}/test`, {
    method: "POST",
    json: { phone: "0540000009" },
  });
  assert.equal((await tried.json()).code, "advertiser_missing");
  assert.equal((await (await dana.ask("/api/auth/me")).json()).messageQuota, 5);

  await saveProfile(dana);
  assert.notEqual(await tag(), before, "the list is asked again");
  const ready = await show(dana, id);
  assert.deepEqual([ready.composed, ready.notices], [composeMarketing("שלום", ADVERTISER), []]);
  const sent = await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.deepEqual(await sent.json(), { remainingQuota: 4 });
});

Deno.test("a marketing campaign's text is fixed at send, and phones receive that text", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, read } = house;
  const dana = await edge.addPerson({ messageQuota: 5 });
  const site = await fleet.addSite();
  await saveProfile(dana);
  const { id } = await makeDraft(dana, "marketing", "סל ירקות");
  await paste(dana, id, "0540000001\n0540000002", OPT_IN);
  assert.equal((await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" })).status, 200);
  const text = composeMarketing("סל ירקות", ADVERTISER);
  assert.equal((await pull(fleet, site, 1))!.text, text);

  await saveProfile(dana, { name: "שם אחר", phone: "03-555-0101" });
  assert.equal((await pull(fleet, site, 2))!.text, text);
  const { composed, message } = await show(dana, id);
  assert.deepEqual([composed, message], [text, "סל ירקות"]);
  const seen = await read(`/api/admin/campaigns/${id}`) as { kind: string; composed: string };
  assert.deepEqual([seen.kind, seen.composed], ["marketing", text]);
});

Deno.test("service and undeclared campaigns are sent with the text as written", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const site = await fleet.addSite();
  const dana = await edge.addPerson({ messageQuota: 5 });
  await saveProfile(dana);
  for (const kind of ["service", undefined]) {
    const { id, composed } = await makeDraft(dana, kind, "התור שלך מחר");
    await paste(dana, id, "0540000001");
    await dana.ask(`/api/campaigns/${id}/send`, { method: "POST" });
    const lease = await pull(fleet, site, 1);
    assert.deepEqual([composed, lease!.campaign, lease!.text], [null, id, "התור שלך מחר"]);
    fleet.pass(60_000);
    await dana.ask(`/api/campaigns/${id}/cancel`, { method: "POST" });
  }
});

Deno.test("a marketing message may use the length that the words added by law leave", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson({ messageQuota: 5 });
  const room = MAX_MESSAGE_CHARS - composeMarketing("", ADVERTISER).length;
  const early = await makeDraft(dana, "marketing", "א".repeat(room + 3));
  await paste(dana, early.id, "0540000001", OPT_IN);
  await saveProfile(dana);
  const refused = await dana.ask(`/api/campaigns/${early.id}/send`, { method: "POST" });
  assert.deepEqual([refused.status, (await refused.json()).error], [
    400,
    "עם השורות שהחוק מוסיף ההודעה ארוכה מדי ב־3 תווים: אפשר עד 4096. נא לקצר אותה.",
  ]);
  const edit = async (length: number) => {
    const json = { message: "א".repeat(length) };
    const answer = await dana.ask(`/api/campaigns/${early.id}`, { method: "PATCH", json });
    return [answer.status, /ארוכה מדי ([^:]+):/.exec((await answer.json()).error)?.[1]];
  };
  assert.deepEqual(await edit(room + 2), [400, "בשני תווים"]);
  assert.deepEqual(await edit(room + 1), [400, "בתו אחד"]);
  assert.deepEqual(await edit(room), [200, undefined]);
  assert.equal((await dana.ask(`/api/campaigns/${early.id}/send`, { method: "POST" })).status, 200);
});

Deno.test("a marketing message without an address on the internet for a refusal says so before it is sent", async () => {
  await using test = await openTestApp({ publicUrl: new URL("https://shigur.example") });
  const dana = await test.addPerson({ messageQuota: 5 });
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001", OPT_IN);
  const codes = async () => (await show(dana, id)).notices.map(({ code }) => code);
  await saveProfile(dana, { email: "" });
  assert.deepEqual(await codes(), ["no_online_refusal"]);
  await saveProfile(dana, { email: "", removalLink: true });
  assert.deepEqual(await codes(), []);
  await saveProfile(dana);
  assert.deepEqual(await codes(), []);
});
