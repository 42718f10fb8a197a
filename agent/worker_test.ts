import assert from "node:assert/strict";
import { numbers, startTestSite } from "./testing/site.ts";

Deno.test("runWorker() sends every delivery once, and reports each", async () => {
  await using site = await startTestSite();
  const phones = numbers(12);
  const text = "שלום 'עולם'\nשורה שנייה & 🙂";
  site.edge.queue(1, { text }, phones);
  await site.edge.until(() => site.edge.states().sent === phones.length);
  const taps = site.taps();
  assert.deepEqual(taps.map(({ phone }) => phone).sort(), phones);
  assert.ok(taps.every((tap) => tap.text === text));
});
