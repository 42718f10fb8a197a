import assert from "node:assert/strict";
import { deliver } from "../delivery/deliver.ts";
import { ACCOUNT, startTestPhone } from "../testing/test_phone.ts";
import { goHome } from "./go_home.ts";
import type { Phone } from "./phone.ts";
import { type HeldPhone, takePhoneFence } from "./phone_fence.ts";

const TO = { phone: "+972501234567", text: "שלום", imagePath: null };

/** Returns the same phone, and records its commands. */
function noting(phone: Phone, commands: string[]): Phone {
  return {
    ...phone,
    run(command, options) {
      commands.push(command);
      return phone.run(command, options);
    },
  };
}

Deno.test("goHome() leaves the chat under the fence of a proven delivery, with one command", async () => {
  await using test = await startTestPhone();
  const commands: string[] = [];
  const held: HeldPhone[] = [];
  const phone = noting(test.phone, commands);
  await deliver(phone, ACCOUNT, TO, test.gate({ proven: (one) => void held.push(one) }));
  assert.equal(test.inside.screen.kind, "chat");
  commands.length = 0;
  await goHome(phone, held[0]!);
  assert.equal(test.inside.screen.kind, "home");
  assert.equal(commands.length, 1);
});

Deno.test("goHome() takes a fence of its own when another was taken since, or none is left", async () => {
  await using test = await startTestPhone();
  const old = await takePhoneFence(test.phone);
  test.inside.wake();
  test.inside.dismissKeyguard();
  for (const held of [old, null]) {
    await takePhoneFence(test.phone);
    test.inside.openChat(test.inside.accounts[0]!, TO.phone.slice(1), "");
    await goHome(test.phone, held);
    assert.equal(test.inside.screen.kind, "home");
  }
});

Deno.test("deliver() passes on no fence under which its tap may still run", async () => {
  await using test = await startTestPhone();
  let tap: string | null = null;
  // The tap's answer is lost, and the tap happens before the first look for its row.
  const deaf: Phone = {
    ...test.phone,
    async run(command, options) {
      if (command.includes("echo tapped")) {
        tap = command;
        throw new Error("The connection is gone");
      }
      if (tap !== null) await test.phone.run(tap);
      tap = null;
      return await test.phone.run(command, options);
    },
  };
  const held: HeldPhone[] = [];
  const gate = test.gate({ proven: (one) => void held.push(one) });
  assert.deepEqual(await deliver(deaf, ACCOUNT, TO, gate), { kind: "sent" });
  assert.deepEqual(held, []);
});
