import assert from "node:assert/strict";
import { readStatus, type SiteStatus, STATUS_MAX_AGE_MS, whyUnwell, writeStatus } from "./site_status.ts";
import { WELL } from "../testing/well_status.ts";

Deno.test("whyUnwell() names the first thing that stops a site from sending", () => {
  const { worksite } = WELL;
  const edge = { ...worksite!.edge, isConnected: false };
  const cases: [SiteStatus | null, ReturnType<typeof whyUnwell>][] = [
    [WELL, null],
    [null, "not_running"],
    [{ ...WELL, phase: "ended" }, "not_running"],
    [{ ...WELL, writtenAt: 1_000 - STATUS_MAX_AGE_MS - 1 }, "silent"],
    [{ ...WELL, phase: "journal_not_writable" }, "journal_not_writable"],
    [{ ...WELL, phase: "draining" }, "draining"],
    [{ ...WELL, phase: "enrolling", worksite: null }, "not_connected"],
    [{ ...WELL, worksite: { ...worksite!, edge } }, "not_connected"],
    [{ ...WELL, worksite: { ...worksite!, devices: [] } }, "no_phone"],
  ];
  for (const [status, unwell] of cases) assert.equal(whyUnwell(status, 1_000), unwell);
});

Deno.test("readStatus() returns the written status, and reports a missing process as ended", async () => {
  const folder = await Deno.makeTempDir();
  assert.equal(await readStatus(folder), null);
  await writeStatus(folder, WELL);
  assert.deepEqual(await readStatus(folder), WELL);
  const gone = await new Deno.Command("true").spawn();
  await gone.status;
  await writeStatus(folder, { ...WELL, pid: gone.pid });
  assert.equal((await readStatus(folder))?.phase, "ended");
  await Deno.writeTextFile(`${folder}/status.json`, `{"version":"0.1"`);
  assert.equal(await readStatus(folder), null);
  await Deno.remove(folder, { recursive: true });
});
