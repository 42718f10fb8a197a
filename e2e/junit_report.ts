/** Builds one JUnit report from test files that ran in separate processes. */

export interface FileRun {
  file: string;
  code: number;
  /** Its output. */
  output: string;
  /** Its own report; empty when it ended before writing one. */
  xml: string;
}

const COUNTS = ["tests", "failures", "errors"] as const;
const OUTPUT_LENGTH = 4_000;

/** Returns the report of all runs. A failed run without a failed test counts as one failed test. */
export function junitReport(runs: readonly FileRun[]): string {
  const all = runs.map((run) => run.code !== 0 && failedOf(run.xml) === 0 ? reportOfEnd(run) : run.xml);
  const sums = COUNTS.map((name) => `${name}="${all.reduce((sum, xml) => sum + countOf(xml, name), 0)}"`);
  const suites = all.map((xml) => /<testsuites [^>]*>\n?([^]*)<\/testsuites>/.exec(xml)?.[1] ?? "");
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" ${sums.join(" ")}>
${suites.join("")}</testsuites>
`;
}

function failedOf(xml: string): number {
  return countOf(xml, "failures") + countOf(xml, "errors");
}

function countOf(xml: string, name: typeof COUNTS[number]): number {
  return Number(new RegExp(`<testsuites [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
}

function reportOfEnd({ file, code, output }: FileRun): string {
  const name = escape(`${file} ended with code ${code}`);
  return `<testsuites tests="1" failures="1" errors="0">
    <testsuite name="${escape(file)}" tests="1" disabled="0" errors="0" failures="1">
        <testcase name="${name}" classname="${escape(file)}">
            <failure message="${name}">${escape(output.slice(-OUTPUT_LENGTH))}</failure>
        </testcase>
    </testsuite>
</testsuites>`;
}

function escape(text: string): string {
  // XML allows no control characters except these three, not even escaped.
  return text.replace(/[^\P{Cc}\t\n\r]/gu, "").replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
