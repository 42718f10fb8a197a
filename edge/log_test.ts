import assert from "node:assert/strict";
import { createLog } from "./log.ts";

Deno.test("createLog() writes one line of printable characters, whatever a field contains", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", now: () => 0, write: (line) => lines.push(line) });
  const fields = {
    ansi: "\u001b[31mred",
    c1: "\u009b31mred\u0085",
    lines: 'a\r\n{"level":"error"}\u2028b\u2029',
    direction: "\u202etxt.exe\u2066\u200f",
    tag: "\u{e0041}",
    words: 'שלום, "עולם" 👋',
  };
  log.info("event", fields);
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines[0]!, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.ok(lines[0]!.includes("שלום") && lines[0]!.includes("👋"), "words stay words");
  const { at: _at, level: _level, event: _event, ...read } = JSON.parse(lines[0]!);
  assert.deepEqual(read, fields, "the same, once it is read");
});
