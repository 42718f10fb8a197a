import assert from "node:assert/strict";
import { activityPageSchema } from "shared/admin_api.ts";
import type { ActivityItem } from "shared/activity.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { recordInventory } from "../devices/record_inventory.ts";
import { type AdminHouse, openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft } from "../testing/advertising.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { wordActivity } from "../text/activity_words.ts";
import { watchSites } from "./watch_sites.ts";
import { PROOF } from "../testing/test_app.ts";

async function lines(house: AdminHouse, query = ""): Promise<ActivityItem[]> {
  return activityPageSchema.parse(await house.read(`/api/admin/activity${query}`)).items;
}

/** Returns the lines written since the last call, oldest first: [type, message, detail]. */
async function shown(house: AdminHouse): Promise<(string | null)[][]> {
  const items = await lines(house, "?limit=500");
  await house.fleet.ctx.db.execute("DELETE FROM activity");
  return items.reverse().map(({ type, message, detail }) => [type, message, detail]);
}

Deno.test("the activity list shows administrators' logins, users and quotas", async () => {
  await using house = await openAdminHouse();
  const [created, login] = await shown(house);
  assert.deepEqual(created, ["info", "נוצר משתמש person-1, מנהל", null]);
  assert.deepEqual(login, ["info", "כניסת מנהל: person-1", null]);
  const client = await house.edge.addPerson({ messageQuota: 1_240 });
  const patch = (change: Record<string, unknown>) =>
    house.admin.ask(`/api/users/${client.id}`, { method: "PATCH", json: { proof: PROOF, ...change } });
  for (const json of [{ disabled: true }, { disabled: false }, { password: "another password" }]) {
    await patch(json);
  }
  assert.deepEqual((await shown(house)).map(([, message]) => message), [
    "נוצר משתמש person-2, לקוח",
    "טעינת 1,240 הודעות ללקוח person-2",
    "המשתמש person-2 הושבת",
    "המשתמש person-2 הופעל מחדש",
    "למשתמש person-2 נקבעה סיסמה חדשה",
  ]);
});

Deno.test("the activity list shows a campaign's whole life, and a queue reset in one line", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(2);
  const campaign = await sendNew(house.fleet, 2);
  await shown(house);
  const admin = { client: house.admin.id, person: house.admin.id, role: "admin" } as const;
  await pauseCampaign(house.fleet.ctx, {
    client: campaign.client.id,
    person: campaign.client.id,
    role: "client",
  }, campaign.id);
  await resumeCampaign(house.fleet.ctx, admin, campaign.id);
  await pauseCampaign(house.fleet.ctx, admin, campaign.id);
  await resumeCampaign(house.fleet.ctx, admin, campaign.id);
  const lease = await take(house.fleet, site);
  await report(house.fleet, site, { ...lease, items: lease.items.slice(0, 1) }, "sent");
  await report(house.fleet, site, { ...lease, items: lease.items.slice(1) }, "failed");
  const cancelled = await sendNew(house.fleet, 1);
  await cancelCampaign(house.fleet.ctx, admin, cancelled.id);
  assert.deepEqual(await shown(house), [
    ["warning", "הקמפיין ״מבצע״ הושהה על ידי הלקוח", "client2"],
    ["info", "הקמפיין ״מבצע״ ממשיך לשלוח", "client2"],
    ["warning", "הקמפיין ״מבצע״ הושהה על ידי מנהל המערכת", "client2"],
    ["info", "הקמפיין ״מבצע״ ממשיך לשלוח", "client2"],
    ["warning", "הקמפיין ״מבצע״ הסתיים. נשלחו: 1, נכשלו: 1, לא ידוע: 0", "client2"],
    ["info", "טעינת הודעה אחת ללקוח client3", "client3"],
    ["info", "הקמפיין ״מבצע״ יצא לדרך: הודעה אחת", "client3"],
    ["warning", "הקמפיין ״מבצע״ בוטל על ידי מנהל המערכת. לא נשלחו: 1", "client3"],
  ]);
  for (let n = 0; n < 3; n++) await sendNew(house.fleet, 2);
  await shown(house);
  await house.admin.ask("/api/admin/queues/clear", { method: "POST" });
  assert.deepEqual(await shown(house), [
    ["warning", "התורים אופסו בידי person-1. בוטלו: 3 קמפיינים, 6 הודעות", null],
  ]);
});

Deno.test("the activity list shows once the person who waived hours, restored them or undid a removal", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson({ messageQuota: 5 });
  const { id } = await sendNew(house.fleet, 1, client);
  await suppressPhone(house.fleet.ctx, { phone: "+972540000009", client: client.id, source: "reply" });
  const { id: removal } = await house.fleet.one("SELECT id FROM suppressions");
  await shown(house);
  const act = async (method: string, path: string, json?: unknown) =>
    (await house.admin.ask(`/api/admin/${path}`, { method, json })).status;
  const waiver = `campaigns/${id}/hours-waiver`;
  assert.equal(await act("DELETE", waiver), 204, "nothing was waived, so nothing is told");
  assert.equal(await act("POST", waiver, { reason: "ביטול תורים של מחר" }), 204);
  assert.equal(await act("DELETE", waiver), 204);
  assert.equal(await act("DELETE", waiver), 204);
  for (const status of [204, 404]) {
    assert.equal(await act("DELETE", `opt-outs/${removal}`, { reason: "ביקש לחזור" }), status);
  }
  const items = await lines(house);
  assert.deepEqual(items.slice(0, 3).map(({ campaignId, userId }) => [campaignId, userId]), [
    [null, client.id],
    [id, client.id],
    [id, client.id],
  ]);
  assert.deepEqual(await shown(house), [
    ["warning", "שליחת הקמפיין ״מבצע״ גם מחוץ לשעות השליחה אושרה בידי person-1", "person-2"],
    ["info", "הקמפיין ״מבצע״ הוחזר לשעות השליחה בידי person-1", "person-2"],
    ["warning", "בקשת הסרה של נמען של person-2 בוטלה בידי person-1", "person-2"],
  ]);
  await act("POST", waiver, { reason: "ביטול תורים של מחר" });
  await house.fleet.ctx.db.execute(`UPDATE campaigns SET status = 'completed' WHERE id = ${id}`);
  await shown(house);
  assert.equal(await act("POST", waiver, { reason: "ביטול תורים של מחר" }), 409);
  assert.deepEqual(await shown(house), []);
});

Deno.test("the activity list shows each change of sites, devices and accounts once", async () => {
  await using house = await openAdminHouse();
  const { ctx } = house.fleet;
  await shown(house);
  const site = await house.fleet.addSite(1);
  await watchSites(ctx);
  await watchSites(ctx);
  assert.deepEqual(await shown(house), [
    ["info", "נוסף אתר 1", "אתר 1"],
    ["info", "מחשב חדש רשום כאתר", "אתר 1"],
    ["info", "מכשיר חדש חובר", "\u2068Pixel\u2069 · \u2068אתר 1\u2069"],
    ["success", "האתר התחבר", "אתר 1"],
  ]);
  const inventory = (state: "online" | "low_battery" | "offline", account: "ok" | "banned" | "unreachable") =>
    recordInventory(ctx, site, {
      devices: [{
        device: site.devices[0]!,
        address: "usb:1",
        model: "Pixel",
        androidVersion: "14",
        state,
        batteryPercent: 14,
        proofAt: ctx.now(),
        addresses: [],
        stateDetail: null,
      }],
      accounts: [{
        account: `${site.devices[0]}/com.whatsapp/0`,
        state: account,
        appVersion: null,
        firstInstalledAt: 0,
        userKind: null,
        captions: null,
        ownNumber: null,
      }],
    });
  await inventory("online", "ok");
  await inventory("low_battery", "ok");
  await inventory("offline", "unreachable");
  await inventory("online", "ok");
  await inventory("online", "banned");
  await inventory("online", "banned");
  assert.deepEqual(await shown(house), [
    ["warning", "הסוללה ב־14%. המכשיר הפסיק לקבל הודעות", "\u2068Pixel\u2069 · \u2068אתר 1\u2069"],
    ["warning", "המכשיר התנתק", "\u2068Pixel\u2069 · \u2068אתר 1\u2069"],
    ["success", "המכשיר מחובר ומוכן לשליחה", "\u2068Pixel\u2069 · \u2068אתר 1\u2069"],
    ["error", "החשבון נחסם", "\u2068Pixel\u2069 · \u2068com.whatsapp/0\u2069 · \u2068אתר 1\u2069"],
  ]);
  house.fleet.pass(31_000);
  await watchSites(ctx);
  await revokeSite(ctx, site.site);
  await watchSites(ctx);
  assert.deepEqual((await shown(house)).map(([, message]) => message), ["האתר התנתק", "האתר נותק לצמיתות"]);
});

Deno.test("the activity list is read by kind, by words and names, and page by page", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(1);
  await sendNew(house.fleet, 1);
  const client = await house.edge.addPerson({ username: 'ס"מ 50%_' });
  const all = await lines(house);
  assert.ok(all.every(({ id }, index) => index === 0 || id < all[index - 1]!.id));
  assert.deepEqual(
    (await lines(house, "?q=" + encodeURIComponent('ס"מ 50%_'))).map(({ message }) => message),
    [
      `נוצר משתמש ${client.username}, לקוח`,
    ],
  );
  assert.deepEqual((await lines(house, "?q=%25%25")).length, 0, "a percent sign is one");
  assert.deepEqual((await lines(house, "?q=" + encodeURIComponent("חדש חובר"))).map(({ code }) => code), [
    "device_added",
  ]);
  assert.ok((await lines(house, "?kind=info")).every(({ type }) => type === "info"));
  assert.equal((await lines(house, "?kind=error")).length, 0);
  const paged: number[] = [];
  for (let query = "?limit=2"; query !== "";) {
    const page = activityPageSchema.parse(await house.read(`/api/admin/activity${query}`));
    paged.push(...page.items.map(({ id }) => id));
    query = page.nextCursor === null ? "" : `?limit=2&cursor=${page.nextCursor}`;
  }
  assert.deepEqual(paged, all.map(({ id }) => id));
  for (const wrong of ["kind=loud", "limit=0", "limit=501", "cursor=x"]) {
    assert.equal((await house.admin.ask(`/api/admin/activity?${wrong}`)).status, 400, wrong);
  }
});

Deno.test("no line of the activity list puts a number right after a name, which may be in Latin letters", async () => {
  await using house = await openAdminHouse();
  const client = await house.edge.addPerson();
  const campaign = await makeDraft(client, "service");
  const body = new FormData();
  body.set("file", new File(["phone\n054-000-0001\n0540000002\n"], "contacts.csv"));
  await client.ask(`/api/campaigns/${campaign.id}/contacts`, { method: "POST", body });
  const numbers = "054-000-0003\n054-000-0004\n054-000-0005";
  await house.admin.ask("/api/suppressions", { method: "POST", json: { numbers } });
  assert.deepEqual((await shown(house)).slice(-2).map(([, message]) => message), [
    "הקובץ contacts.csv נקלט: שני מספרים מתוך שתי שורות",
    "לרשימת ההסרה נוספו: 3 מספרים, בידי person-1",
  ]);
});

Deno.test("every line of activity is an event for administrators, in the same transaction and the same words", async () => {
  await using house = await openAdminHouse();
  await house.fleet.addSite(2);
  await sendNew(house.fleet, 1);
  await watchSites(house.fleet.ctx);
  const { rows: shown } = await house.fleet.ctx.db.execute(
    "SELECT data FROM events WHERE type = 'activity' ORDER BY id DESC",
  );
  assert.deepEqual(shown.map(({ data }) => wordActivity(JSON.parse(String(data)))), await lines(house));
  const { rows } = await house.fleet.ctx.db.execute(
    `SELECT (SELECT count(*) FROM activity) AS lines,
      (SELECT count(*) FROM events WHERE type = 'activity' AND for_admins = 1 AND client IS NULL) AS events`,
  );
  assert.ok(Number(rows[0]!.lines) > 0);
  assert.equal(rows[0]!.events, rows[0]!.lines);
});
