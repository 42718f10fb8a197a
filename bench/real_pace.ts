/** A site whose simulated phones work at a real phone's speed. */
import { makeReadyCampaign } from "../e2e/caller.ts";
import { Product } from "../e2e/product.ts";
import { clientWithQuota, untilOnline } from "./house.ts";

/** A phone at its own speed takes about 7.5 s per message: open the chat, read the screen twice, tap. */
export const PACE_SECONDS = 10;

/**
 * Starts the product with phones that are online; stop it after use.
 *
 * @throws {Error} when they are not online after one minute
 */
export async function startAtRealPace(phones: number): Promise<Product> {
  const product = await Product.start({
    devices: phones,
    speed: 1,
    rateLimit: PACE_SECONDS,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, phones);
    return product;
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/** Sends a campaign that keeps the phones at work for longer than `ms`. */
export async function sendForLongerThan(product: Product, phones: number, ms: number): Promise<void> {
  const contacts = Math.ceil(1.5 * phones * ms / 1000 / PACE_SECONDS);
  const client = await clientWithQuota(product, contacts);
  const campaign = await makeReadyCampaign(client, "קצב אמיתי", contacts);
  await client.read("POST", `/api/campaigns/${campaign}/send`);
}
