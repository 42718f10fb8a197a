import assert from "node:assert/strict";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { GAP_CHARS, holdsPhrase, phraseOf, plainWords } from "./phrase.ts";

const holds = (text: string, words: string, isWhole = false) =>
  holdsPhrase(plainWords(text), phraseOf(words, { isWhole }));

Deno.test("holdsPhrase() finds words in any case, with any blanks, apostrophes, vowel signs and marks of direction", () => {
  assert.ok(holds("The number  +972 ISN’T on\u200e WhatsApp.", "isn't on WhatsApp"));
  assert.ok(holds("حسابك مقيد مؤقتًا", "مقيد مؤقتا"));
  assert.ok(!holds("is on WhatsApp", "isn't on WhatsApp"));
  assert.ok(!holds("isn't\non WhatsApp", "isn't on WhatsApp"), "a line is a line");
});

Deno.test("holdsPhrase() bounds each gap, and keeps it on one line", () => {
  const gap = (chars: number) => `not found ${"x".repeat(chars)} on app`;
  assert.ok(holds(gap(GAP_CHARS - 2), "not found*on app"));
  assert.ok(!holds(gap(GAP_CHARS), "not found*on app"));
  assert.ok(!holds("not found\non app", "not found*on app"));
  assert.ok(
    holds(`not found ${"x".repeat(200)} not found here on app`, "not found*on app"),
    "the nearest begins it",
  );
  assert.ok(holds("a1b a2b b2c", "a2*b2*c"));
});

Deno.test("holdsPhrase() of a whole phrase takes nothing before and nothing after it", () => {
  assert.ok(holds("Send to +972 50-123-4567?", "send to *?", true));
  assert.ok(!holds("Send to Dana? It costs 5", "send to *?", true));
  assert.ok(!holds("Not sure. Send to Dana?", "send to *?", true));
  assert.ok(!holds(`Send to ${"x".repeat(GAP_CHARS + 1)}?`, "send to *?", true));
});

Deno.test("a star is the only sign with a meaning: a file brings no regular expression", () => {
  assert.ok(!holds("aaaaaaaa on WhatsApp", "(a+)+ on WhatsApp"));
  assert.ok(holds("is (a+)+ on WhatsApp?", "(a+)+ on WhatsApp?"));
});

Deno.test("holdsPhrase() takes linear time on hostile text", () => {
  const cpuOf = (text: string) => {
    const before = threadCpuMs();
    holds(text, "aaaaa*aaaaa*aaaaa*b");
    return threadCpuMs() - before;
  };
  const cpuMs = cpuOf("a".repeat(400_000));
  assert.ok(isWithinCpu(cpuMs, 2_000), `${cpuMs} ms`);
});
