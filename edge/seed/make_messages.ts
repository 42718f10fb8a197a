import type { EdgeContext } from "../context.ts";
import { messageRequestSchema } from "shared/messages_api.ts";
import { TEST_NUMBERS } from "shared/message.ts";
import { acceptMessage } from "../messages/accept_message.ts";
import { settleTests } from "../messages/settle_tests.ts";

const DAY_MS = 24 * 60 * 60_000;
const FIRST_PHONE = 972_529_000_001;
/** Messages by call of the first client that cost a unit each. */
export const SEEDED_MESSAGES = 30;
const TEXTS = [
  "התור שלך נקבע למחר בשעה 10:00. לביטול אפשר להשיב להודעה.",
  "ההזמנה שלך יצאה לדרך ותגיע היום בין 14:00 ל־18:00.",
  "קיבלנו את הפנייה. נחזור אליך עד סוף היום. ".repeat(20).trim(),
];

/** Hands over messages of a client through the verb: some wait for tomorrow, and some are of a test key. */
export async function makeMessages(ctx: EdgeContext, client: number): Promise<void> {
  const caller = { client, person: client };
  for (let index = 0; index < SEEDED_MESSAGES; index++) {
    const request = messageRequestSchema.parse({
      to: `+${FIRST_PHONE + index}`,
      text: TEXTS[index % TEXTS.length],
      kind: "service",
      reference: index % 2 === 0 ? `order-${1000 + index}` : null,
      sendAfter: index % 3 === 0 ? ctx.now() + DAY_MS : null,
    });
    await acceptMessage(ctx, caller, request);
  }
  const tester = { ...caller, key: { id: 0, isTest: true } };
  for (const { phone } of TEST_NUMBERS) {
    const request = messageRequestSchema.parse({ to: `+${phone}`, text: TEXTS[0], kind: "service" });
    await acceptMessage(ctx, tester, request);
  }
  await settleTests(ctx);
}
