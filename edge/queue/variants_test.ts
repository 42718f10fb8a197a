/** Several texts of one campaign: each recipient gets exactly one of them, and a person chooses the one for the rest. */
import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import {
  type CampaignTexts,
  campaignTextsSchema,
  proposeText,
  type TextFigures,
} from "shared/variants_api.ts";
import { watchCampaigns } from "../health/check_campaigns.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, show } from "../testing/advertising.ts";
import { report, take } from "../testing/queue_acts.ts";
import type { TestSite } from "../testing/fleet.ts";
import type { TestPerson } from "../testing/test_app.ts";
import { auditQueue } from "./audit.ts";
import type { LeaseFrame } from "./lease.ts";
import { resolveDeliveries } from "./resolve.ts";
import { takeBackSend } from "./take_back.ts";

const TEXTS = ["נוסח ראשון", "נוסח שני", "נוסח שלישי"];
const MINUTE_MS = 60_000;

type House = Awaited<ReturnType<typeof openAdminHouse>>;

interface Opened {
  house: House;
  client: TestPerson;
  site: TestSite;
  id: number;
}

/** A ready campaign with `texts`, `people` recipients and a wave of `wave` of them. */
async function openReady(
  { texts = TEXTS, people = 24, wave = 12, rows }: {
    texts?: string[];
    people?: number;
    wave?: number | null;
    rows?: string[];
  } = {},
): Promise<Opened> {
  const house = await openAdminHouse();
  await house.edge.ctx.db.execute(
    "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('rateLimit', '0', 0), ('sendingHoursEnforced', 'false', 0)",
  );
  const client = await house.edge.addPerson({ messageQuota: 100 });
  const site = await house.fleet.addSite(8);
  const { id } = await makeDraft(client, "service", texts[0]!);
  await ask(client, id, "texts", "PUT", { messages: texts.slice(1) });
  const numbers = Array.from({ length: people }, (_, n) => `05410000${String(n).padStart(2, "0")}`);
  if (rows === undefined) await ask(client, id, "contacts/manual", "POST", { numbers: numbers.join("\n") });
  else await loadRows(client, id, rows);
  if (wave !== null) await ask(client, id, "", "PATCH", { pilot: { count: wave, waitMinutes: 1 } });
  return { house, client, site, id };
}

async function loadRows(client: TestPerson, id: number, rows: string[]): Promise<void> {
  const form = new FormData();
  form.set("file", new File([["טלפון,שם,עיר", ...rows].join("\n")], "people.csv"));
  const staged = await (await client.ask("/api/staged-files", { method: "POST", body: form })).json();
  const choice = { phone: 1, fields: [{ no: 2, name: "שם" }, { no: 3, name: "עיר" }] };
  await ask(client, id, "contacts/staged", "POST", { file: staged.id, choice });
}

async function ask(client: TestPerson, id: number, path: string, method: string, json?: unknown) {
  const url = `/api/campaigns/${id}${path === "" ? "" : `/${path}`}`;
  const answer = await client.ask(url, { method, ...(json === undefined ? {} : { json }) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${url}: ${answer.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

async function textsOf(client: TestPerson, id: number): Promise<CampaignTexts> {
  return campaignTextsSchema.parse(await ask(client, id, "texts", "GET"));
}

/** Takes and reports everything that is due; returns the text that each number got. */
async function sendDue(
  { house, site }: Opened,
  outcome: (phone: string, text: string) => "sent" | "failed" | "unknown" = () => "sent",
): Promise<Map<string, string>> {
  const got = new Map<string, string>();
  for (;;) {
    let lease: LeaseFrame;
    try {
      lease = await take(house.fleet, site);
    } catch {
      return got;
    }
    assert.equal(lease.text, undefined, "no text of its own in the frame");
    for (const item of lease.items) {
      assert.ok(!got.has(item.phone), `${item.phone} twice`);
      got.set(item.phone, item.text!);
      const end = outcome(item.phone, item.text!);
      const reason = end === "failed" ? "not_on_app" : end === "unknown" ? "send_not_verified" : undefined;
      await report(house.fleet, site, { ...lease, items: [item] }, end, reason ? { reason } : {});
    }
  }
}

const countsOf = (got: ReadonlyMap<string, string>) =>
  TEXTS.map((text) => [...got.values()].filter((one) => one === text).length);

Deno.test("the wave gets each text by chance and alike; the rest waits for a person, and gets the chosen one", async () => {
  const open = await openReady();
  const { house, client, id } = open;
  await using _ = house;
  await ask(client, id, "send", "POST");
  const wave = await sendDue(open, (_, text) => text === TEXTS[0] ? "failed" : "sent");
  assert.equal(wave.size, 12);
  const counts = countsOf(wave);
  assert.ok(counts.every((count) => count >= 3 && count <= 5), counts.join());
  house.edge.clock.now += 10 * MINUTE_MS;
  await watchCampaigns(house.edge.ctx);
  house.edge.clock.now += 60 * MINUTE_MS;
  await watchCampaigns(house.edge.ctx);
  await house.fleet.show(open.site);
  assert.equal((await sendDue(open)).size, 0, "an hour later it still waits");
  const { notices } = await show(client, id);
  assert.ok(
    notices.some(({ code, count }) => code === "choose_text" && count === 12),
    JSON.stringify(notices),
  );
  const texts = await textsOf(client, id);
  assert.deepEqual(texts.sent.map(({ sent, failed }) => [sent, failed]), [
    [0, counts[0]],
    [counts[1], 0],
    [counts[2], 0],
  ]);
  assert.deepEqual([texts.proposed, texts.canChoose, texts.winner], [2, true, null]);
  await ask(client, id, "texts/choose", "POST", { no: 3 });
  const again = await client.ask(`/api/campaigns/${id}/texts/choose`, { method: "POST", json: { no: 1 } });
  assert.equal(again.status, 409, "chosen once");
  const rest = await sendDue(open);
  assert.deepEqual(countsOf(rest), [0, 0, 12]);
  assert.equal(new Set([...wave.keys(), ...rest.keys()]).size, 24);
  const audited = await house.fleet.one(
    "SELECT actor, data FROM audit_log WHERE kind = 'campaign_text_chosen'",
  );
  assert.deepEqual([audited.actor, JSON.parse(String(audited.data))], [client.id, { variant: 3 }]);
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("a row keeps its text when it is tried or sent again, also after another one was chosen", async () => {
  const open = await openReady({ people: 8, wave: 4 });
  const { house, client, site, id } = open;
  await using _ = house;
  await ask(client, id, "send", "POST");
  const first = await take(house.fleet, site);
  const text = new Map(first.items.map((item) => [item.phone, item.text]));
  const [retried, ...unknown] = first.items;
  await report(house.fleet, site, { ...first, items: [retried!] }, "void", { reason: "chat_not_opened" });
  await report(house.fleet, site, { ...first, items: unknown }, "unknown", { reason: "send_not_verified" });
  const chosen = TEXTS.indexOf(text.get(retried!.phone)!) === 0 ? 2 : 1;
  await ask(client, id, "texts/choose", "POST", { no: chosen });
  await resolveDeliveries(house.edge.ctx, client, id, { ids: "all", as: "resend" });
  house.edge.clock.now += 10 * MINUTE_MS;
  await house.fleet.show(site);
  const got = await sendDue(open);
  for (const [phone, kept] of text) assert.equal(got.get(phone), kept, phone);
  for (const [phone, own] of got) {
    if (!text.has(phone)) assert.equal(own, TEXTS[chosen - 1], phone);
  }
  await assert.rejects(
    house.edge.ctx.db.execute(`UPDATE deliveries SET variant = 1 + variant % 3 WHERE campaign = ${id}`),
    /the text of a delivery never changes/,
  );
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("empty fields are checked for each text, and a row is left out only where its own text needs them", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, n) => `05410000${String(n).padStart(2, "0")},${n % 2 ? "" : "דנה"},עכו`,
  );
  const open = await openReady({ texts: ["שלום לכולם", "שלום {{שם}}", "בואו ל{{עיר}}"], wave: 11, rows });
  const { house, client, id } = open;
  await using _ = house;
  const refused = await client.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.equal((await refused.json()).code, "values_missing");
  await ask(client, id, "send", "POST", { leaveOutEmpty: true });
  const got = await sendDue(open);
  assert.ok([...got.values()].every((text) => ["שלום לכולם", "שלום דנה", "בואו לעכו"].includes(text)));
  await ask(client, id, "texts/choose", "POST", { no: 3 });
  for (const [phone, text] of await sendDue(open)) got.set(phone, text);
  const { counts } = await show(client, id);
  assert.ok(counts.skipped > 0 && counts.sent === got.size);
  assert.equal(counts.sent + counts.skipped, 12);
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("a send with several texts needs a wave, different texts, and words that stay", async () => {
  const open = await openReady({ wave: null });
  const { house, client, id } = open;
  await using _ = house;
  const refused = await client.ask(`/api/campaigns/${id}/send`, { method: "POST" });
  assert.equal((await refused.json()).code, "pilot_needed");
  const equal = await client.ask(`/api/campaigns/${id}/texts`, {
    method: "PUT",
    json: { messages: [TEXTS[0]] },
  });
  assert.equal(equal.status, 400);
  const many = await client.ask(`/api/campaigns/${id}/texts`, {
    method: "PUT",
    json: { messages: ["א", "ב", "ג"] },
  });
  assert.equal(many.status, 400);
  await ask(client, id, "", "PATCH", { pilot: { count: 6, waitMinutes: 1 } });
  await ask(client, id, "send", "POST", { delaySeconds: 10 });
  const late = await client.ask(`/api/campaigns/${id}/texts`, { method: "PUT", json: { messages: ["אחר"] } });
  assert.equal((await late.json()).code, "campaign_not_editable");
  await takeBackSend(house.edge.ctx, client, id);
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
  await ask(client, id, "texts", "PUT", { messages: ["אחר"] });
  await ask(client, id, "send", "POST");
  const wave = await sendDue(open);
  assert.deepEqual(new Set(wave.values()), new Set([TEXTS[0], "אחר"]));
  assert.deepEqual(await auditQueue(house.edge.ctx.db), []);
});

Deno.test("a site whose agent takes no text for each recipient gets nothing of such a campaign", async () => {
  const open = await openReady();
  const { house, client, site, id } = open;
  await using _ = house;
  await house.fleet.reconnect(site, { features: [] });
  await ask(client, id, "send", "POST");
  assert.equal((await sendDue(open)).size, 0);
  const { notices } = await show(client, id);
  assert.ok(notices.some(({ code }) => code === "agents_too_old"));
});

Deno.test("proposeText() proposes the smallest share of failures and removals, and says when it may be chance", () => {
  const text = (no: number, sent: number, failed: number, removals = 0): TextFigures => ({
    no,
    text: "",
    sent,
    failed,
    unknown: 0,
    removals,
  });
  assert.deepEqual(proposeText([text(1, 0, 0), text(2, 0, 0)]), { proposed: null, isClose: true });
  assert.deepEqual(proposeText([text(1, 10, 0), text(2, 9, 1)]), { proposed: 1, isClose: true });
  assert.deepEqual(proposeText([text(1, 500, 100), text(2, 590, 10)]), { proposed: 2, isClose: false });
  assert.deepEqual(proposeText([text(1, 600, 0, 90), text(2, 600, 0, 1)]), { proposed: 2, isClose: false });
  fc.assert(fc.property(
    fc.array(fc.tuple(fc.nat(200), fc.nat(200), fc.nat(50)), { minLength: 2, maxLength: 3 }),
    (all) => {
      const texts = all.map(([sent, failed, removals], index) => text(index + 1, sent, failed, removals));
      const { proposed } = proposeText(texts);
      const shareOf = (one: TextFigures) =>
        Math.min(1, (one.failed + one.removals) / (one.sent + one.failed));
      const best = texts.find(({ no }) => no === proposed);
      if (best === undefined) return texts.every(({ sent, failed }) => sent + failed === 0);
      return texts.filter(({ sent, failed }) => sent + failed > 0).every((one) =>
        shareOf(best) <= shareOf(one)
      );
    },
  ));
});
