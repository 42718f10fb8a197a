import assert from "node:assert/strict";
import { MAX_FRAME_BYTES } from "shared/agent_protocol.ts";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { encodeFrame } from "shared/cbor.ts";
import { MAX_LEASE_TEXT_BYTES } from "../personal/sent_parts.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendPersonal } from "../testing/personal.ts";
import { balanceOf, pull, report, statusOf, take } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import type { LeaseFrame } from "./lease.ts";

const NAMES = ["נועה", "محمد", 'Dana "D" O\'Neil', "👩‍👧 אורית", "a\\b{{שם}}", "constructor"];

Deno.test("leaseDeliveries() gives each recipient its own text, and the lease none", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(2);
  const campaign = await sendPersonal(fleet, {
    message: "שלום {{שם}}, {{עיר|אצלכם}} מחכים לך. {{שם}}!",
    values: NAMES.map((name, place) => ({ שם: name, ...(place % 2 === 0 && { עיר: `עיר ${place}` }) })),
  });
  const lease = await take(fleet, site);
  assert.equal(lease.text, undefined);
  assert.ok(!("text" in lease));
  assert.deepEqual(
    textsOf(lease),
    NAMES.map((name, place) => [
      campaign.phones[place],
      `שלום ${name}, ${place % 2 === 0 ? `עיר ${place}` : "אצלכם"} מחכים לך. ${name}!`,
    ]),
  );
  await report(fleet, site, lease, "sent");
  assert.equal(await statusOf(fleet, campaign), "completed");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() skips who lacks a value that the message needs, and returns the unit", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(2);
  const campaign = await sendPersonal(fleet, {
    message: "שלום {{שם}} {{ברכה|טוב}}",
    values: [{ שם: "נועה" }, { שם: "" }, null, { ברכה: "יפה" }, { שם: "דן", ברכה: "" }],
    options: { leaveOutEmpty: true },
  });
  assert.equal(await balanceOf(fleet, campaign.client), 0);
  const lease = await take(fleet, site);
  assert.deepEqual(textsOf(lease).map(([, text]) => text), ["שלום נועה טוב", "שלום דן טוב"]);
  const { rows } = await fleet.ctx.db.execute(
    "SELECT state, reason FROM deliveries WHERE state = 'skipped' ORDER BY id",
  );
  assert.deepEqual(
    rows.map(({ state, reason }) => `${state} ${reason}`),
    Array(3).fill("skipped value_missing"),
  );
  assert.equal(await balanceOf(fleet, campaign.client), 3);
  await report(fleet, site, lease, "sent");
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
});

Deno.test("leaseDeliveries() leases no more long texts than one frame carries, and goes on with the others", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(100);
  const rest = "ש".repeat(MAX_MESSAGE_CHARS - 200);
  const count = 290;
  const campaign = await sendPersonal(fleet, {
    message: `{{שם}}${rest}`,
    values: Array.from({ length: count }, (_, place) => ({ שם: `${place} `.padEnd(200, "א") })),
  });
  const seen = new Map<string, string>();
  let frames = 0;
  while (seen.size < count) {
    const lease = await pull(fleet, site, 3);
    assert.ok(lease !== null, `nothing more after ${seen.size}`);
    assert.ok(encodeFrame(lease).length < MAX_FRAME_BYTES * 0.8);
    for (const [phone, text] of textsOf(lease)) seen.set(phone!, text!);
    frames++;
    await fleet.ctx.db.execute(
      "UPDATE deliveries SET acked_at = 1, lease_until = NULL WHERE state = 'leased'",
    );
    await report(fleet, site, lease, "sent");
  }
  const bytes = 2 * MAX_MESSAGE_CHARS * count;
  assert.ok(
    frames >= bytes / MAX_LEASE_TEXT_BYTES && frames <= 2 * bytes / MAX_LEASE_TEXT_BYTES,
    `${frames} frames`,
  );
  campaign.phones.forEach((phone, place) => assert.ok(seen.get(phone)!.startsWith(`${place} א`)));
});

Deno.test("leaseDeliveries() gives a personal campaign to no agent that takes no item texts, and passes over it", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1);
  const client = await fleet.addClient(10);
  await sendPersonal(fleet, { message: "שלום {{שם}}", values: [{ שם: "נועה" }], client });
  const plain = await sendPersonal(fleet, { message: "שלום", values: [null], client });
  await fleet.reconnect(site, { features: ["follows_stops", "reports_trials"] });
  await fleet.show(site);
  const lease = await take(fleet, site);
  assert.deepEqual([lease.campaign, lease.text], [plain.id, "שלום"]);
  await report(fleet, site, lease, "sent");
  assert.equal(await pull(fleet, site), null);
  await fleet.reconnect(site);
  assert.deepEqual(textsOf(await take(fleet, site)).map(([, text]) => text), ["שלום נועה"]);
});

function textsOf(lease: LeaseFrame): [phone: string, text: string | undefined][] {
  return lease.items.map(({ phone, text }) => [phone, text]);
}
