import assert from "node:assert/strict";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, paste, show } from "../testing/advertising.ts";
import { openTestApp } from "../testing/test_app.ts";

Deno.test("a campaign created without a kind is undeclared, visible to administrators and in the audit log", async () => {
  await using house = await openAdminHouse();
  const { edge, read } = house;
  const dana = await edge.addPerson();
  const kinds = [undefined, "service", "marketing"];
  for (const kind of kinds) assert.equal((await makeDraft(dana, kind)).kind, kind ?? "undeclared");
  const { items } = await read("/api/admin/campaigns") as { items: { kind: string }[] };
  assert.deepEqual(items.map(({ kind }) => kind), ["marketing", "service", "undeclared"]);
  const audit = await read("/api/admin/audit?kind=campaign_undeclared") as {
    items: Record<string, unknown>[];
  };
  assert.deepEqual(audit.items.map(({ actorName, text }) => [actorName, text]), [
    [dana.username, "הקמפיין ״סתיו״ נוצר בלי להצהיר אם הוא שיווקי או שירות, ונחשב לשירות"],
  ]);
});

Deno.test("POST /api/campaigns accepts only the two kinds that a person may declare", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  for (const kind of ["undeclared", "advert", ""]) {
    const form = new FormData();
    for (const [name, value] of [["name", "סתיו"], ["message", "שלום"], ["kind", kind]]) {
      form.set(name, value);
    }
    assert.equal((await dana.ask("/api/campaigns", { method: "POST", body: form })).status, 400, kind);
  }
});

Deno.test("PATCH changes the kind, audited; to marketing only while there are no contacts", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const { id } = await makeDraft(dana, undefined);
  const declare = async (kind: string) => {
    const answer = await dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json: { kind } });
    const body = await answer.json();
    return [answer.status, body.code ?? body.kind];
  };
  assert.deepEqual(await declare("marketing"), [200, "marketing"]);
  assert.deepEqual(await declare("service"), [200, "service"]);
  await paste(dana, id, "0540000001");
  assert.deepEqual(await declare("marketing"), [409, "kind_needs_no_contacts"]);
  assert.deepEqual(await declare("service"), [200, "service"]);
  assert.equal((await dana.ask(`/api/campaigns/${id}/contacts`, { method: "DELETE" })).status, 204);
  assert.deepEqual(await declare("marketing"), [200, "marketing"]);
  const { rows } = await test.ctx.db.execute(
    "SELECT data FROM audit_log WHERE kind = 'campaign_kind_changed' ORDER BY id",
  );
  assert.deepEqual(rows.map(({ data }) => JSON.parse(String(data))), [
    { kind: "marketing", was: "undeclared" },
    { kind: "service", was: "marketing" },
    { kind: "marketing", was: "service" },
  ]);
});

Deno.test("PATCH to service still counts the numbers that the advertisement left out, until they are added again", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const [{ id }, other] = [await makeDraft(dana, "marketing"), await makeDraft(dana, "marketing")];
  for (const campaign of [id, other.id]) await paste(dana, campaign, "0540000001\n0540000002");
  const edit = (json: unknown) => dana.ask(`/api/campaigns/${id}`, { method: "PATCH", json });
  const without = async () => (await show(dana, id)).notices.find(({ code }) => code === "without_consent");
  await edit({ name: "חורף" });
  assert.equal((await without())?.count, 2);
  assert.equal((await edit({ kind: "service" })).status, 200);
  assert.equal((await without())?.count, 2, "they were never loaded");
  await paste(dana, id, "0540000002");
  assert.equal((await without())?.count, 1);
  await paste(dana, id, "0540000001");
  assert.equal(await without(), undefined);
  assert.equal((await show(dana, id)).totalContacts, 2);
  const { rows } = await test.ctx.db.execute("SELECT campaign, phone FROM unconsented ORDER BY phone");
  assert.deepEqual(rows.map(({ campaign }) => campaign), [other.id, other.id]);
});
