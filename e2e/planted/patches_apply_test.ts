/** Part of `deno task ok`: code changes, and a fault that no longer applies proves nothing. */
import { deepStrictEqual } from "node:assert/strict";
import { whatIsMissing } from "./coverage.ts";
import { trackedFiles } from "./find_files.ts";
import { applyEdit, type PlantedFault } from "./patch_file.ts";
import { readFaults } from "./read_faults.ts";

const files = await trackedFiles(new URL("../../", import.meta.url).pathname);

Deno.test("every planted fault still applies to the code", async () => {
  const stale: string[] = [];
  for (const fault of await readFaults(files)) {
    await plant(fault).catch((error) => stale.push(`${fault.name}: ${error.message}`));
  }
  deepStrictEqual(stale, []);
});

Deno.test("each invariant, verb of the queue and step of the journal has a planted fault", async () => {
  deepStrictEqual(whatIsMissing(await readFaults(files), files.paths), []);
});

async function plant({ edits }: PlantedFault): Promise<void> {
  const planted = new Map<string, string>();
  for (const edit of edits) {
    planted.set(edit.path, applyEdit(edit, planted.get(edit.path) ?? await files.read(edit.path)));
  }
}
