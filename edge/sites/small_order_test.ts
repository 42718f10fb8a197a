import assert from "node:assert/strict";
import { createSite } from "./create_site.ts";
import { enrollSite } from "./enroll.ts";
import { hasSmallOrder } from "./small_order.ts";
import { makeKey, openFleet } from "../testing/fleet.ts";

const encode = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

Deno.test("enrollSite() refuses a key of small order, and leaves the join token valid", async () => {
  await using fleet = await openFleet();
  const { joinToken } = await createSite(fleet.ctx, "חיפה");
  const zero = new Uint8Array(32);
  const identity = new Uint8Array(32).fill(1, 0, 1);
  const signed = identity.slice().fill(0x80, 31);
  for (const key of [zero, identity, signed]) {
    await assert.rejects(enrollSite(fleet.ctx, { joinToken, publicKey: encode(key) }), {
      code: "invalid_input",
    });
  }
  const { publicKey } = await makeKey();
  assert.equal(hasSmallOrder(publicKey), false);
  await enrollSite(fleet.ctx, { joinToken, publicKey });
});
