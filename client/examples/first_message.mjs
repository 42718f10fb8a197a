// The first message, and one that acts once although it runs twice.
import process from "node:process";
import { Shigur } from "@shigur/client";

const shigur = new Shigur({ url: process.env.SHIGUR_URL, key: process.env.SHIGUR_KEY });

const form = { name: "Order 1042", kind: "service", message: "Your order is ready." };
const { id } = await shigur.call("createCampaign", { form }, { idempotencyKey: "order-1042-draft" });
const body = { numbers: "050-123-4567" };
await shigur.call("addContacts", { path: { id }, body }, { idempotencyKey: "order-1042-numbers" });
await shigur.call("sendCampaign", { path: { id }, body: {} }, { idempotencyKey: "order-1042-send" });

const { status } = await shigur.call("readCampaign", { path: { id } });
console.log(status);
for await (const { phone, state } of shigur.pages("listDeliveries", { path: { id } })) {
  console.log(phone, state);
}
