import assert from "node:assert/strict";
import { type Campaign, campaignSchema } from "shared/http_api.ts";
import { type PersonalPreview, personalPreviewSchema } from "shared/personal_api.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, show } from "../testing/advertising.ts";
import { loadFile, makeList, takeChoice } from "../testing/list_acts.ts";
import type { RecipientGroup } from "shared/again_api.ts";
import { report, take } from "../testing/queue_acts.ts";
import { auditQueue } from "../queue/audit.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import type { TestPerson } from "../testing/test_app.ts";

const MESSAGE = "שלום {{שם}},\nמחכים לך ב{{עיר|חנות הקרובה}} עד {{ שעה | שמונה }}";
const PEOPLE = [
  "טלפון,שם,עיר,שעה",
  '0541000001,נועה,"חיפה, הכרמל",9',
  "0541000002,محمد,,",
  "0541000003,👩‍👧 {{עיר}},עכו,",
];
const TEXTS = [
  ["+972541000001", "שלום נועה,\nמחכים לך בחיפה, הכרמל עד 9"],
  ["+972541000002", "שלום محمد,\nמחכים לך בחנות הקרובה עד שמונה"],
  ["+972541000003", "שלום 👩‍👧 {{עיר}},\nמחכים לך בעכו עד שמונה"],
];

/** Opens a house with a client whose draft has the people of a list. */
async function openWithDraft() {
  const house = await openAdminHouse();
  const client = await house.edge.addPerson({ messageQuota: 100 });
  const site = await house.fleet.addSite();
  const list = await makeList(client);
  await loadFile(client, list, PEOPLE);
  const draft = await makeDraft(client, "service", MESSAGE);
  await takeChoice(client, draft.id, { lists: [list] });
  return { house, client, site, draft, list };
}

async function act(client: TestPerson, path: string, json?: unknown, method = "POST"): Promise<unknown> {
  const answer = await client.ask(`/api/campaigns/${path}`, { method, json });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return await answer.json();
}

async function copyOf(client: TestPerson, id: number, contacts: "none" | "all"): Promise<Campaign> {
  return campaignSchema.parse(await act(client, `${id}/duplicate`, { contacts }));
}

async function againTo(client: TestPerson, id: number, groups: RecipientGroup[]): Promise<Campaign> {
  return campaignSchema.parse(await act(client, `${id}/write-again`, { groups }));
}

const NOT_ON_APP: RecipientGroup = { state: "failed", reason: "not_on_app" };
const LEFT_OUT: RecipientGroup = { state: "skipped", reason: "value_missing" };

async function preview(client: TestPerson, id: number): Promise<PersonalPreview> {
  return personalPreviewSchema.parse(await (await client.ask(`/api/campaigns/${id}/personal`)).json());
}

const textsOf = (lease: LeaseFrame) => lease.items.map(({ phone, text }) => [phone, text]);

Deno.test("a copy keeps the placeholders with their fallbacks and each person's values, and sends the same texts", async () => {
  const { house, client, site, draft } = await openWithDraft();
  await using _ = house;
  const copy = await copyOf(client, draft.id, "all");
  assert.equal(copy.message, draft.message);
  const [shown, original] = [await preview(client, copy.id), await preview(client, draft.id)];
  assert.deepEqual([shown.fields.sort(), shown.missing], [original.fields.sort(), 0]);
  assert.deepEqual(shown.rows.first?.values, original.rows.first?.values);
  for (const { id } of [draft, copy]) {
    await act(client, `${id}/send`);
    const lease = await take(house.fleet, site);
    assert.equal(lease.campaign, id);
    assert.deepEqual(textsOf(lease), TEXTS);
    await report(house.fleet, site, lease, "sent");
  }
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("a campaign of the unsent, and a copy of that, keep the values of people who got no message", async () => {
  const { house, client, site, draft } = await openWithDraft();
  await using _ = house;
  await act(client, `${draft.id}/send`);
  const lease = await take(house.fleet, site, 1);
  await report(house.fleet, site, lease, "sent");
  const rest = await take(house.fleet, site);
  await report(house.fleet, site, rest, "failed", { reason: "not_on_app" });
  const again = await copyOf(client, (await againTo(client, draft.id, [NOT_ON_APP])).id, "all");
  await act(client, `${again.id}/send`);
  const second = await take(house.fleet, site);
  assert.deepEqual(textsOf(second), TEXTS.filter(([phone]) => phone !== lease.items[0]!.phone));
});

Deno.test("a field of the list that nobody in the campaign has is known: the copy of those without it is sent", async () => {
  const { house, client, site, list } = await openWithDraft();
  await using _ = house;
  const draft = await makeDraft(client, "service", MESSAGE);
  await takeChoice(client, draft.id, {
    lists: [list],
    where: [{ field: "שעה", kind: "is_empty", value: "" }],
  });
  const copy = await copyOf(client, draft.id, "all");
  for (const { id } of [draft, copy]) {
    const { fields, unknown } = await preview(client, id);
    assert.deepEqual([fields.sort(), unknown], [["עיר", "שם", "שעה"], []]);
  }
  await act(client, `${copy.id}/send`);
  assert.deepEqual(textsOf(await take(house.fleet, site)), TEXTS.slice(1));
});

Deno.test("who was left out for a missing value is told apart, and a campaign of the unsent takes them only when asked", async () => {
  const { house, client, site, list } = await openWithDraft();
  await using _ = house;
  const draft = await makeDraft(client, "service", "שלום {{שם}} מ{{עיר}}");
  await takeChoice(client, draft.id, { lists: [list] });
  await act(client, `${draft.id}/send`, { leaveOutEmpty: true });
  const lease = await take(house.fleet, site);
  await report(house.fleet, site, lease, "failed", { reason: "not_on_app" });
  const ended = await show(client, draft.id);
  assert.deepEqual([ended.status, ended.counts.failed, ended.counts.skipped], ["failed", 2, 1]);
  assert.deepEqual(ended.notices, [{ code: "left_out_empty", count: 1 }]);
  const copies = [
    await againTo(client, draft.id, [NOT_ON_APP]),
    await againTo(client, draft.id, [NOT_ON_APP, LEFT_OUT]),
    await copyOf(client, draft.id, "all"),
  ];
  assert.deepEqual(copies.map(({ totalContacts }) => totalContacts), [2, 3, 3]);
  const withAll = copies[1]!;
  assert.equal((await preview(client, withAll.id)).missing, 1);
  await act(client, `${withAll.id}`, { message: "שלום {{שם}} מ{{עיר|אצלנו}}" }, "PATCH");
  await act(client, `${withAll.id}/send`);
  assert.deepEqual(textsOf(await take(house.fleet, site))[1], ["+972541000002", "שלום محمد מאצלנו"]);
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("a message that is sent again to somebody unknown has the same text, whatever became of the list", async () => {
  const { house, client, site, draft, list } = await openWithDraft();
  await using _ = house;
  await act(client, `${draft.id}/send`);
  const lease = await take(house.fleet, site);
  await report(house.fleet, site, lease, "unknown", { reason: "send_not_verified" });
  await client.ask(`/api/lists/${list}`, { method: "DELETE" });
  await act(client, `${draft.id}/deliveries/resolve`, { ids: "all", as: "resend" });
  const again = await take(house.fleet, site);
  assert.deepEqual(textsOf(again), TEXTS);
  assert.ok(again.items.every(({ attempt }) => attempt === 2));
});

Deno.test("editing a draft changes its words alone, and words that come back bring back the same texts", async () => {
  const { house, client, site, draft } = await openWithDraft();
  await using _ = house;
  const edit = async (json: unknown) => {
    await act(client, `${draft.id}`, json, "PATCH");
    return await preview(client, draft.id);
  };
  const named = await edit({ name: "שם אחר" });
  assert.equal(named.rows.first?.text, TEXTS[0]![1]);
  const plain = await edit({ message: "שלום" });
  assert.deepEqual([plain.isPersonal, plain.rows.first?.text], [false, "שלום"]);
  assert.deepEqual(plain.rows.first?.values, { שם: "נועה", עיר: "חיפה, הכרמל", שעה: "9" });
  const other = await edit({ message: "היי {{עיר|כאן}}" });
  assert.deepEqual([other.missing, other.rows.emptiest?.text], [0, "היי כאן"]);
  await edit({ message: draft.message });
  await act(client, `${draft.id}/send`);
  assert.deepEqual(textsOf(await take(house.fleet, site)), TEXTS);
});

Deno.test("a send that was taken back keeps the values, and the next send takes the new fallback", async () => {
  const { house, client, site, draft } = await openWithDraft();
  await using _ = house;
  await act(client, `${draft.id}/send`, { delaySeconds: 10 });
  await act(client, `${draft.id}/take-back`);
  await act(client, `${draft.id}`, { message: draft.message.replace("שמונה", "תשע") }, "PATCH");
  await act(client, `${draft.id}/send`);
  assert.deepEqual(
    textsOf(await take(house.fleet, site)),
    TEXTS.map(([phone, text]) => [phone, text!.replace("שמונה", "תשע")]),
  );
});
