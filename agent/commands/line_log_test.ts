import assert from "node:assert/strict";
import { lineLog } from "./line_log.ts";

function linesOf(format: "json" | "text"): string[] {
  const lines: string[] = [];
  const log = lineLog({ level: "info", format, write: (line) => lines.push(line) });
  log("debug", "delivery", { phone: "hidden" });
  log("warn", "phone_lost", { device: "972501230968", why: "Cannot open wa.me/972501230968", tries: 2 });
  return lines;
}

Deno.test("lineLog() writes one JSON object a line, masks numbers and drops entries below its level", () => {
  const [line, ...more] = linesOf("json");
  assert.deepEqual(more, []);
  const { at, ...rest } = JSON.parse(line!);
  assert.match(at, /^\d{4}-\d\d-\d\dT/);
  const why = "Cannot open wa.me/97250•••0968";
  assert.deepEqual(rest, { level: "warn", event: "phone_lost", device: "972501230968", why, tries: 2 });
});

Deno.test("lineLog() writes text for people", () => {
  assert.match(
    linesOf("text")[0]!,
    /^\d{4}-\d\d-\d\d [\d:]{8} warn {2}phone_lost device=972501230968 why="Cannot open wa\.me\/97250•••0968" tries=2$/,
  );
});

Deno.test("lineLog() writes one line of printable characters, whatever a phone returns", () => {
  for (const format of ["json", "text"] as const) {
    const lines: string[] = [];
    const log = lineLog({ level: "info", format, write: (line) => lines.push(line) });
    log("warn", "phone_lost", { device: "\u001b[2Jשלום", why: "a\u202e\u009b\r\nb\u2028" });
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines[0]!, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, format);
    assert.ok(lines[0]!.includes("שלום"));
  }
});
