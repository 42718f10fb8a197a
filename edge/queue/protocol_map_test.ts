import assert from "node:assert/strict";
import { AGENT_FEATURES, EDGE_FEATURES } from "shared/features.ts";

const ROOT = new URL("../../", import.meta.url);
const PROTOCOL = await Deno.readTextFile(new URL("docs/protocol.md", ROOT));
/** By rule: the test files that docs/protocol.md names for it, from the root. */
const MAP = new Map(
  Array.from(PROTOCOL.matchAll(/^\| ([\w→ ]+?) +\| (`.*`) +\|(.*)\|$/gm), ([, rule, edge, agent]) => {
    const files = (folder: string, cell: string) =>
      Array.from(cell.matchAll(/`(.+?)`/g), ([, file]) => `${folder}/${file}`);
    return [rule!, [...files("edge", edge!), ...files("agent", agent!)]];
  }),
);
const OTHER_RULES = ["settle", "ledger before send", "caps", "tries", "processing → active"];

Deno.test("docs/protocol.md names the tests of every rule", () => {
  const rules = Array.from(PROTOCOL.matchAll(/^(\d+)\. \*\*/gm), ([, number]) => number!);
  assert.equal(rules.length, 20);
  assert.deepEqual([...MAP.keys()], [...rules, ...OTHER_RULES]);
});

Deno.test("docs/protocol.md names every feature of agents and edges", () => {
  const rows = Array.from(PROTOCOL.matchAll(/^\| `(\w+)` +\| (agent|edge) +\|/gm));
  const named = (side: string) => rows.flatMap(([, feature, of]) => of === side ? [feature] : []);
  assert.deepEqual(named("agent"), AGENT_FEATURES);
  assert.deepEqual(named("edge"), EDGE_FEATURES);
});

for (const [rule, files] of MAP) {
  const name = OTHER_RULES.includes(rule) ? rule : `rule ${rule}`;
  Deno.test(`${name} has the tests that docs/protocol.md names`, async () => {
    for (const file of files) {
      assert.ok(
        namesRule(await Deno.readTextFile(new URL(file, ROOT)), rule),
        `${file} has no test of ${name}`,
      );
    }
  });
}

/**
 * Returns whether a test's name, or a group of the table, carries the rule: "(rule 9)", "(rules 3 and 8)", "rule 9:
 * [".
 */
function namesRule(source: string, rule: string): boolean {
  const names = source.matchAll(/Deno\.test\(\s*["`](.*?)["`]|^ {2}"?([\w→ ]+)"?: \[$/gm);
  const wanted = OTHER_RULES.includes(rule)
    ? RegExp(`\\b${rule}\\b`)
    : RegExp(`\\brules? (\\d+ and )?${rule}\\b`);
  return Array.from(names).some(([, test, group]) =>
    wanted.test(test?.match(/\(([^()]*)\)$/)?.[1] ?? group ?? "")
  );
}
