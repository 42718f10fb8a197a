import assert from "node:assert/strict";
import { maskPhonesIn } from "./log.ts";

Deno.test("maskPhonesIn() hides numbers in any way of writing, and keeps serials and counts", () => {
  const cases: [string, string][] = [
    ["to +972501230968 now", "to +97250•••0968 now"],
    ["'https://wa.me/972501230968?text=x'", "'https://wa.me/97250•••0968?text=x'"],
    ["972501230968", "97250•••0968"],
    ["0501230968", "050•••0968"],
    ["R58M972501230968", "R58M972501230968"],
    ["heard nothing for 30000 ms", "heard nothing for 30000 ms"],
    ["emulator-5554", "emulator-5554"],
  ];
  for (const [text, masked] of cases) assert.equal(maskPhonesIn(text), masked);
});
