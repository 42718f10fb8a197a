/**
 * `deno task test [option of deno test …]`: runs every test. The files of a group share a worker, because a worker of
 * its own would load and compile the application for every file.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Most expensive first, so that nothing expensive runs alone at the end. A file belongs to the first that fits. */
const PARTS = [
  // They measure memory and processor time, which other files of their worker would change.
  { name: "worst", files: "{agent,edge,shared}/**/worst_*_test.ts", inGroup: 1 },
  // They wait for phones more than they compute, so they go on beside all others.
  { name: "agent", files: "agent/**/*_test.ts", inGroup: 5 },
  { name: "edge", files: "edge/**/*_test.ts", inGroup: 15 },
  // Their page is in the globals, where no other test may see it.
  { name: "pages", files: "web/**/*_test.tsx", inGroup: 3 },
  { name: "others", files: "{bench,checks,client,shared,simulator,web}/**/*_test.ts", inGroup: 15 },
];

const root = new URL("../", import.meta.url).pathname;
const folder = await Deno.makeTempDir({ prefix: "shigur-tests-" });
try {
  writeGroups();
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--parallel", ...Deno.args, folder],
    cwd: root,
    env: { DENO_JOBS: "8" },
  });
  Deno.exitCode = (await command.spawn().status).code;
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Writes one file a group; `deno test` starts them in the order of their names. */
function writeGroups(): void {
  const dealt = new Set<string>();
  for (const [at, { name, files, inGroup }] of PARTS.entries()) {
    const paths = globSync(files, { cwd: root, exclude: ["**/node_modules/**"] })
      .filter((path) => !dealt.has(path)).toSorted();
    const groups = Math.ceil(paths.length / inGroup);
    for (let group = 0; group < groups; group++) {
      // Files next to each other take about the same time: distribute them over the groups.
      const own = paths.filter((_, index) => index % groups === group);
      const imports = own.map((path) => `import "${pathToFileURL(join(root, path))}";\n`);
      Deno.writeTextFileSync(join(folder, `${at}_${name}_${group + 1}_test.ts`), imports.join(""));
    }
    for (const path of paths) dealt.add(path);
  }
}
