import assert from "node:assert/strict";
import { type FileRun, junitReport } from "./junit_report.ts";

const ran = (code: number, tests: number, failures: number, output = ""): FileRun => ({
  file: "e2e/some_e2e_test.ts",
  code,
  output,
  xml: `<testsuites name="deno test" tests="${tests}" failures="${failures}" errors="0" time="0.008">
    <testsuite name="some" tests="${tests}" disabled="0" errors="0" failures="${failures}">
    </testsuite>
</testsuites>`,
});
const headOf = (xml: string) => /<testsuites [^>]*>/.exec(xml)?.[0];

Deno.test("junitReport() adds up the tests and failures of all files, and keeps every suite", () => {
  const xml = junitReport([ran(0, 3, 0), ran(1, 5, 2)]);
  assert.equal(headOf(xml), '<testsuites name="deno test" tests="8" failures="2" errors="0">');
  assert.equal(xml.match(/<testsuite name="some"/g)?.length, 2);
});

Deno.test("junitReport() counts a file that ended without a failed test as one failed test, with the end of its output", () => {
  const ended = ran(134, 0, 0, "\u001b[31merror: <out> of memory");
  for (const run of [ended, { ...ended, xml: "" }]) {
    const xml = junitReport([ran(0, 3, 0), run]);
    assert.equal(headOf(xml), '<testsuites name="deno test" tests="4" failures="1" errors="0">');
    assert.match(xml, /<failure message="e2e\/some_e2e_test\.ts ended with code 134">/);
    assert.match(xml, />\[31merror: &#60;out&#62; of memory<\/failure>/);
  }
});
