import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { type Fleet, fleetOn, openFleet } from "../testing/fleet.ts";
import { startHranaServer } from "../testing/hrana_server.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { sealAudit } from "../audit_log/seal.ts";
import { connectDatabase } from "../db/connect.ts";
import { readGeneration } from "../sites/generation.ts";
import { takeOutcomes } from "../sites/outcomes.ts";
import { rows } from "../testing/backup_ground.ts";
import { suppressPhone } from "../testing/suppress_phone.ts";
import { pull, sendNew, take } from "../testing/queue_acts.ts";
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

Deno.test("restored.ts copies removals from the lost database, also after a first run without it, and names what is lost (I5)", async () => {
  await using fleet = await openFleet({ under: DISK });
  await fleet.ctx.db.execute(noteAudit(1, { kind: "exported", actor: null, data: { what: "devices" } }));
  await sealAudit(fleet.ctx);
  const { id, client, phones } = await sendNew(fleet, 3);
  const site = await fleet.addSite();
  const place = await Deno.makeTempDir({ prefix: "shigur-restored-" });
  try {
    const [path, lost] = [join(place, "shigur.db"), join(place, "lost.db")];
    await copyOf(fleet, path);
    for (const phone of phones.slice(0, 2)) {
      await suppressPhone(fleet.ctx, { phone, client: client.id, source: "reply" });
    }
    const machine = "SELECT public_key FROM sites";
    await fleet.ctx.db.batch([
      `UPDATE sites SET public_key = 'of a new machine', epoch = epoch + 1 WHERE id = ${site.site}`,
      ...[2, 3].map((at) => noteAudit(at, { kind: "exported", actor: null, data: { what: "devices" } })),
    ], "write");
    await copyOf(fleet, lost);
    const listed = () => rows(path, "SELECT phone, source FROM suppressions ORDER BY phone");
    const restored = (...args: string[]) => run(args, { DATABASE_URL: `file:${path}`, DATA_DIR: place });
    const first = await restored();
    assert.equal(first.code, 0, first.text);
    assert.match(first.text, /--lost <file>/);
    assert.match(first.text, /who pressed a link/);
    for (
      const [file, why] of [["none.db", /no file/], [path, /is the database that was put back/]] as const
    ) {
      const refused = await restored("--lost", file);
      assert.equal(refused.code, 1);
      assert.match(refused.text, why);
      assert.deepEqual(listed(), []);
    }

    const db = await connectDatabase(`file:${path}`);
    const ctx = { ...fleet.ctx, db };
    // It has a removal of its own meanwhile.
    await suppressPhone(ctx, { phone: "+972501234567", client: client.id, source: "manual" });
    db.close();
    const second = await restored("--lost", lost);
    assert.equal(second.code, 0, second.text);
    assert.match(second.text, /Removals since then are kept: 2/);
    assert.deepEqual(rows(path, machine), ["of a new machine"]);
    assert.deepEqual(listed(), ["972501234567,manual", "972540000001,reply", "972540000002,reply"]);

    const opened = await connectDatabase(`file:${path}`);
    const after = fleetOn({ database: fleet.database, ctx: { ...fleet.ctx, db: opened }, pass: fleet.pass });
    await after.reconnect(site);
    assert.equal(await pull(after, site), null);
    const generation = await readGeneration(after.ctx);
    await takeOutcomes(after.ctx, site, { type: "outcomes", generation, items: [], last: true });
    assert.deepEqual((await take(after, site)).items.map(({ phone }) => phone), [phones[2]]);
    assert.deepEqual(await after.states(id), ["skipped", "skipped", "leased"]);
    opened.close();
  } finally {
    await Deno.remove(place, { recursive: true });
  }
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

async function copyOf({ database }: Fleet, path: string): Promise<void> {
  using source = new DatabaseSync(database.path, { readOnly: true });
  await backup(source, path, { rate: -1 });
}

async function run(args: string[], env: Record<string, string>): Promise<{ code: number; text: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...EDGE_PERMISSIONS, new URL("restored.ts", import.meta.url).pathname, ...args],
    env,
    stderr: "inherit",
  }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}
