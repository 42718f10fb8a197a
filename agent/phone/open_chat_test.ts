import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import { openChat } from "./open_chat.ts";
import { takePhoneFence } from "./phone_fence.ts";

const NUMBER = "972501234567";
/** Texts with characters that a link, a shell or a query would interpret. */
const PARTS = [
  "&text=",
  "?",
  "#",
  "%",
  "%27",
  "+",
  "=",
  "/",
  "'",
  "!'()*~",
  '"',
  "$(reboot)",
  "`id`",
  ";",
  "\\",
];
const TEXTS = fc.array(fc.constantFrom(...PARTS, "שלום", "💬", "\n", " "), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""));

Deno.test("openChat() puts any text unchanged into the draft of its number's chat only", async () => {
  await using test = await startTestPhone();
  const held = await takePhoneFence(test.phone);
  const account = test.inside.accounts[0]!;
  for (const text of [PARTS.join(""), ...fc.sample(TEXTS, 40)]) {
    account.drafts.clear();
    await openChat(held, ACCOUNT, { number: `+${NUMBER}`, text });
    assert.deepEqual([...account.drafts], [[NUMBER, text]]);
  }
});
