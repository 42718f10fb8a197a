import assert from "node:assert/strict";
import { dirname } from "node:path";
import { openFleet } from "../testing/fleet.ts";
import { startHranaServer } from "../testing/hrana_server.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

Deno.test("restored.ts stops all sending until every site has reported its outcomes (rule 17)", async () => {
  await using fleet = await openFleet({ under: DISK });
  await sendNew(fleet, 1);
  const site = await fleet.addSite();
  const before = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...EDGE_PERMISSIONS, new URL("restored.ts", import.meta.url).pathname],
    env: { DATABASE_URL: fleet.database.url, DATA_DIR: dirname(fleet.database.url.slice("file:".length)) },
    stderr: "inherit",
  }).output();
  assert.ok(success);
  assert.notDeepEqual(await fleet.one("SELECT value FROM system WHERE key = 'generation'"), before);
  await fleet.reconnect(site);
  assert.equal(await pull(fleet, site), null);
});

Deno.test("restored.ts writes nothing on a machine where the edge keeps no files", async () => {
  await using fleet = await openFleet();
  const server = startHranaServer({ path: fleet.database.path });
  const cwd = await Deno.makeTempDir({ prefix: "shigur-restored-" });
  try {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...EDGE_PERMISSIONS, new URL("restored.ts", import.meta.url).pathname],
      env: { DATABASE_URL: server.url, DATA_DIR: "none", APP_KEY: "a key of tests, long enough to be one" },
      cwd,
      stderr: "inherit",
    }).output();
    assert.ok(success);
    assert.deepEqual([...Deno.readDirSync(cwd)], []);
  } finally {
    await server.close();
    await Deno.remove(cwd, { recursive: true });
  }
});
