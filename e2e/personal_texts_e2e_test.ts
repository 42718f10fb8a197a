/** Many phones, many personal texts: the phones' own log has each recipient's own text, once. */
import assert from "node:assert/strict";
import { untilOnline } from "../bench/house.ts";
import { logInAsAdmin } from "./head_office.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { until } from "./wait.ts";

const PHONES = Number(Deno.env.get("PERSONAL_PHONES") ?? 200);
const RECIPIENTS = Number(Deno.env.get("PERSONAL_RECIPIENTS") ?? 10_000);
const FIRST = 41_100_001;
/** A slow machine sends some ten a second. */
const PATIENCE_MS = 20 * 60_000;

const NAMES = ["נועה", "محمد", "Zoë", "אורית 👩‍👧", 'O\'Brien "Bo"', "{{עיר}}", "日本", "a\\b|c"];
const CITIES = ["חיפה", "", "الناصرة", "תל אביב-יפו", ""];
const MESSAGE = "שלום {{שם}}!\nהחנות ב{{עיר|אזור שלך}} מחכה לך, {{שם}} (מספר {{מספר}}).";

const nameOf = (index: number) => `${NAMES[index % NAMES.length]} ${index}`;
const cityOf = (index: number) => CITIES[index % CITIES.length]!;
const numberOf = (index: number) => String(1_000_000 + index);

/** What the recipient has to get, written out by hand. */
function textFor(index: number): string {
  const city = cityOf(index) || "אזור שלך";
  return `שלום ${nameOf(index)}!\nהחנות ב${city} מחכה לך, ${nameOf(index)} (מספר ${numberOf(index)}).`;
}

Deno.test(`${PHONES} phones give ${RECIPIENTS} recipients their own texts`, async () => {
  const product = await Product.start({
    devices: PHONES,
    speed: 100,
    rateLimit: 0,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, PHONES);
    const admin = await logInAsAdmin(product);
    const login = { username: "personal", password: "personal-password", role: "client" as const };
    const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
    await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: RECIPIENTS } });
    const client = await Caller.login(product.url, login);
    const campaign = await makeReadyCampaign(client, "אישי", RECIPIENTS, {
      first: FIRST,
      personal: {
        message: MESSAGE,
        valuesOf: (index) => ({ שם: nameOf(index), עיר: cityOf(index), מספר: numberOf(index) }),
      },
    });
    await client.read("POST", `/api/campaigns/${campaign}/send`);
    await until(
      async () => {
        const { status } = await client.read<{ status: string }>("GET", `/api/campaigns/${campaign}`);
        return !["processing", "active"].includes(status);
      },
      PATIENCE_MS,
      "the campaign has ended",
    );
    const sent = product.query<{ phone: number }>("SELECT phone FROM deliveries WHERE state = 'sent'");
    // One number in ten thousand is not on the app.
    assert.ok(sent.length >= 0.99 * RECIPIENTS, `${sent.length} were sent`);
    const tapped = new Map(product.taps().map(({ phone, text }) => [phone, text]));
    assert.equal(product.taps().length, tapped.size, "nobody got two");
    assert.equal(tapped.size, sent.length);
    for (const { phone } of sent) {
      assert.equal(tapped.get(`+${phone}`), textFor(phone - Number(`9725${FIRST}`)));
    }
    assert.equal(await product.audit(), "All rules hold.");
    assert.ok(!product.lines.some((line) => line.includes("נועה")), "no log has a text");
  } finally {
    await product.stop();
  }
});
