import assert from "node:assert/strict";
import { chooseFaults, filesChangedSince } from "./choose_faults.ts";
import { parsePatchFile } from "./patch_file.ts";

const FAULTS = Array.from({ length: 20 }, (_, index) =>
  parsePatchFile(
    `fault_${String(index).padStart(2, "0")}.patch`,
    `# invariant: ${
      index === 19 ? "I8" : "I1"
    }\n# caught by: edge/${index}_test.ts\n@@ edge/${index}.ts\n-a\n+b\n`,
  ));

function choose(...changed: string[]) {
  const { near, sample } = chooseFaults(FAULTS, new Set(changed));
  return { near: near.map(({ name }) => name), sample: sample.map(({ name }) => name) };
}

Deno.test("chooseFaults() takes every fault whose file, test or patch changed, and a fixed sample of the others", () => {
  const { near, sample } = choose("edge/3.ts", "edge/5_test.ts", "e2e/planted/fault_07.patch", "README.md");
  assert.deepEqual(near, ["fault_03", "fault_05", "fault_07"]);
  assert.deepEqual(sample, ["fault_00", "fault_08", "fault_16", "fault_19"], "I8 has one outside of the row");
});

Deno.test("chooseFaults() plants no fault twice", () => {
  assert.deepEqual(choose("edge/8.ts"), { near: ["fault_08"], sample: ["fault_00", "fault_16", "fault_19"] });
});

Deno.test("filesChangedSince() compares with the named commit, else with the previous one, else with none", async () => {
  const root = await Deno.makeTempDir();
  const git = async (...args: string[]) => {
    const person = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    const { success } = await new Deno.Command("git", { args: [...person, ...args], cwd: root }).output();
    assert.ok(success);
  };
  const commit = async (path: string) => {
    await Deno.writeTextFile(`${root}/${path}`, path);
    await git("add", path);
    await git("commit", "-qm", path);
  };
  const changed = async (base?: string) => {
    const since = await filesChangedSince(base, root);
    return since && [...since.paths].sort();
  };
  try {
    await git("init", "-q");
    await commit("a.ts");
    assert.equal(await changed(), null, "a commit without parent, as in a clone of depth 1");
    await git("tag", "first");
    await commit("b.ts");
    await commit("c.ts");
    assert.deepEqual(await changed(), ["c.ts"]);
    assert.deepEqual(await changed("first"), ["b.ts", "c.ts"]);
    assert.equal(await changed("no-such-commit"), null);
    await Deno.writeTextFile(`${root}/a.ts`, "not committed");
    assert.deepEqual(await changed(), ["a.ts", "c.ts"]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
