import assert from "node:assert/strict";
import type { OutgoingRow } from "./app_screen.ts";
import { awaitOwnMinute } from "./own_minute.ts";
import type { Phone } from "./phone.ts";

const row = (text: string, minute: number | null): OutgoingRow => ({ text, fingerprint: text, minute });

Deno.test("awaitOwnMinute() waits for the next minute only where two rows would look the same", async () => {
  for (
    const [inSight, waits] of [
      [[], []],
      [[row("אחר", 5)], []],
      [[row("שלום", 4)], []],
      [[row("שלום", 5)], [3_000]],
      [[row("*שלום*", null)], [3_000]],
      [[row("אחר", 4), row("שלום", 5)], []],
      [[row("שלום", 5), row("אחר", 5)], []],
    ] as const
  ) {
    const { phone, slept } = phoneAt("05:58");
    assert.equal(await awaitOwnMinute(phone, [...inSight], "שלום"), waits.length > 0);
    assert.deepEqual(slept, waits);
  }
});

function phoneAt(time: string) {
  const slept: number[] = [];
  const phone: Phone = {
    device: "SIM0001",
    clock: { now: () => 0, monotonic: () => 0, sleep: (ms) => Promise.resolve(void slept.push(ms)) },
    run: () => Promise.resolve(`${time}\n`),
    push: () => Promise.resolve(),
  };
  return { phone, slept };
}
