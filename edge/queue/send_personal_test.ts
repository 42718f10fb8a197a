import assert from "node:assert/strict";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import type { HttpError } from "../http/http_error.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { addPersonal, sendPersonal } from "../testing/personal.ts";
import { balanceOf, pull, statusOf } from "../testing/queue_acts.ts";
import { auditQueue } from "./audit.ts";
import { sendCampaign, type SendOptions } from "./send.ts";
import { takeBackSend } from "./take_back.ts";

async function refusal(sent: Promise<unknown>): Promise<[string, string]> {
  const error = await sent.then(() => null, (error: HttpError) => error);
  assert.ok(error !== null, "it was sent");
  return [error.code, error.body.error];
}

function trySend(
  fleet: Fleet,
  message: string,
  values: (Record<string, string> | null)[],
  options?: SendOptions,
) {
  return refusal(sendPersonal(fleet, { message, values, options }));
}

Deno.test("sendCampaign() refuses placeholders that are not well written, and sends nothing", async () => {
  await using fleet = await openFleet();
  for (const message of ["שלום {{שם", "{{ }} שלום", "{{שם|}} שלום", "{{שם}} {{"]) {
    const [code, text] = await trySend(fleet, message, [{ שם: "נועה" }]);
    assert.equal(code, "placeholder_faulty", message);
    assert.match(text, /[א-ת]/);
  }
  const counts = await fleet.one(
    "SELECT count(*) AS n FROM campaigns WHERE status <> 'ready' OR reserved > 0",
  );
  assert.equal(counts.n, 0);
});

Deno.test("sendCampaign() refuses a field that nobody has, with the nearest name", async () => {
  await using fleet = await openFleet();
  const [code, text] = await trySend(fleet, "שלום {{שפ|לקוחות}}", [{ שם: "נועה", עיר: "חיפה" }, null]);
  assert.equal(code, "field_unknown");
  assert.match(text, /״שפ״.*״שם״/);
  const [, far] = await trySend(fleet, "שלום {{constructor|לקוחות}}", [{ שם: "נועה" }]);
  assert.match(far, /״constructor״/);
});

Deno.test("sendCampaign() refuses missing values until the request leaves these recipients out", async () => {
  await using fleet = await openFleet();
  const campaign = await addPersonal(fleet, {
    message: "שלום {{שם}}",
    values: [{ שם: "נועה" }, { שם: "" }, null],
  });
  const send = (options?: SendOptions) => sendCampaign(fleet.ctx, campaign.client, campaign.id, options);
  const [code, text] = await refusal(send());
  assert.equal(code, "values_missing");
  assert.match(text, /שני אנשי קשר/);
  assert.equal(await statusOf(fleet, campaign), "ready");
  await send({ leaveOutEmpty: true });
  assert.equal(await statusOf(fleet, campaign), "processing");
});

Deno.test("sendCampaign() never sends to nobody: all without the value are refused either way", async () => {
  await using fleet = await openFleet();
  const [code] = await trySend(fleet, "שלום {{שם}} {{עיר}}", [{ שם: "נועה" }, { עיר: "חיפה" }], {
    leaveOutEmpty: true,
  });
  assert.equal(code, "values_missing");
});

Deno.test("sendCampaign() refuses a text that is too long for one recipient, the lines of the law included", async () => {
  await using fleet = await openFleet();
  const message = `{{שם}}${"א".repeat(MAX_MESSAGE_CHARS - 5)}`;
  const [code, text] = await trySend(fleet, message, [{ שם: "דן" }, { שם: "אלכסנדרה" }]);
  assert.equal(code, "text_too_long");
  assert.match(text, /4,099/);
  await sendPersonal(fleet, { message, values: [{ שם: "דן" }, { שם: "נועהה" }] });
});

Deno.test("sendCampaign() looks at the values again when contacts came after it had looked", async () => {
  await using fleet = await openFleet();
  const campaign = await addPersonal(fleet, { message: "שלום {{שם}}", values: [{ שם: "נועה" }] });
  const { db } = fleet.ctx;
  let loads = 1;
  // Between the look at the rows and the transaction, an import ends.
  const ctx: EdgeContext = {
    ...fleet.ctx,
    db: new Proxy(db, {
      get: (target, key) =>
        key !== "batch"
          ? Reflect.get(target, key).bind?.(target) ?? Reflect.get(target, key)
          : async (statements: unknown[], mode: "write" | "read") => {
            if (mode === "write" && loads-- > 0) {
              await target.batch([
                `INSERT INTO imports (campaign, file_name, status, added, created_at, updated_at)
                  VALUES (${campaign.id}, 'a.csv', 'completed', 1, 0, 0)`,
                `INSERT INTO deliveries (campaign, phone, updated_at) VALUES (${campaign.id}, 972549999999, 0)`,
                `UPDATE campaigns SET queued_count = 2 WHERE id = ${campaign.id}`,
                `INSERT INTO quota_ledger (client, at, kind, delta) VALUES (${campaign.client.id}, 0, 'grant', 1)`,
              ], "write");
            }
            return await target.batch(statements as never, mode);
          },
    }),
  };
  const [code] = await refusal(sendCampaign(ctx, campaign.client, campaign.id));
  assert.equal(code, "values_missing");
  assert.equal(await balanceOf(fleet, campaign.client), 2);
});

Deno.test("sendCampaign() keeps braces of the values and of the advertiser as they are", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await addPersonal(fleet, {
    message: "שלום {{שם}}",
    values: [{ שם: "{{עיר}}", עיר: "חיפה" }],
  });
  await fleet.ctx.db.batch([
    `UPDATE campaigns SET kind = 'marketing' WHERE id = ${campaign.id}`,
    `INSERT INTO advertisers (client, name, address, contact_phone, contact_email, updated_at)
      VALUES (${campaign.client.id}, '{{שם}} בע״מ', '', '04-601-0042', '', 0)`,
    `INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('sendingHoursEnforced', 'false', 0)`,
  ], "write");
  await sendCampaign(fleet.ctx, campaign.client, campaign.id);
  const lease = await pull(fleet, site);
  assert.deepEqual(lease?.items.map(({ text }) => text), [
    'פרסומת\nשלום {{עיר}}\n{{שם}} בע״מ, 04-601-0042\nלהסרה השיבו "הסר"',
  ]);
  const { sent_text: readable } = await fleet.one(
    `SELECT sent_text FROM campaigns WHERE id = ${campaign.id}`,
  );
  assert.match(String(readable), /^פרסומת\nשלום \{\{שם\}\}\n/);
});

Deno.test("takeBackSend() takes the frozen parts back with the words", async () => {
  await using fleet = await openFleet();
  const campaign = await sendPersonal(fleet, {
    message: "שלום {{שם}}",
    values: [{ שם: "נועה" }],
    options: { delaySeconds: 10 },
  });
  const parts = async () =>
    (await fleet.one(`SELECT sent_parts FROM campaigns WHERE id = ${campaign.id}`)).sent_parts;
  assert.deepEqual(JSON.parse(String(await parts())), ["שלום ", { field: "שם", fallback: null }]);
  await takeBackSend(fleet.ctx, campaign.client, campaign.id);
  assert.equal(await parts(), null);
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  await fleet.ctx.db.execute(`UPDATE campaigns SET message = 'שלום' WHERE id = ${campaign.id}`);
  await sendCampaign(fleet.ctx, campaign.client, campaign.id);
  assert.equal(await parts(), null);
});

Deno.test("a campaign with braces that an earlier release sent stays as it is", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const campaign = await addPersonal(fleet, { message: "שלום", values: [{ שם: "נועה" }] });
  await sendCampaign(fleet.ctx, campaign.client, campaign.id);
  await fleet.ctx.db.execute(`UPDATE campaigns SET message = 'שלום {{שם}}' WHERE id = ${campaign.id}`);
  const lease = await pull(fleet, site);
  assert.deepEqual([lease?.text, lease?.items[0]?.text], ["שלום {{שם}}", undefined]);
});
