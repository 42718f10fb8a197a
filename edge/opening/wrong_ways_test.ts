/**
 * Wrong ways to restore a database: each is refused, or nothing of it is leased. Edges and commands run as processes.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFile, copyFile, cp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { DatabaseMark } from "shared/agent_protocol.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { sealAudit } from "../audit_log/seal.ts";
import { findAppKeys } from "../keys/app_key.ts";
import { makeBackup } from "../backup/make_backup.ts";
import { DATABASE_FILE } from "../backup/manifest.ts";
import { connectDatabase } from "../db/connect.ts";
import { EdgeProcess } from "../testing/edge_process.ts";
import { fleetOn, START, type TestSite } from "../testing/fleet.ts";
import { testAuditParts } from "../testing/audit_parts.ts";
import { testContext } from "../testing/test_context.ts";
import { pull, report, sendNew, take } from "../testing/queue_acts.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

const BACKUP = "backup";
const COPIED_WHILE_RUNNING = "copied_while_running.db";
const OTHER = "other";
const KILLED = "killed";
const SNAPSHOT = "snapshot";

/** An installation that sent one message after its backup, and the copies that an operator may have of it. */
interface Kept {
  /** Its current DATA_DIR. */
  dataDir: string;
  /**
   * Folder of all copies: a backup, a raw copy, another installation's DATA_DIR, and DATA_DIR as a killed edge left it.
   */
  folder: string;
  backup: string;
  site: TestSite;
  /** The mark of the current database that the site stores. */
  mark: DatabaseMark;
}

let made: Promise<Kept> | undefined;

function kept(): Promise<Kept> {
  return made ??= makeInstallation();
}

async function makeInstallation(): Promise<Kept> {
  const folder = await Deno.makeTempDir({ prefix: "shigur-wrong-ways-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  for (const dir of [dataDir, join(folder, OTHER)]) await startAndStop({ DATA_DIR: dir });
  await withFleet(join(folder, OTHER), (fleet) => seal(fleet));
  const path = join(dataDir, DATABASE_FILE);
  let backup = "";
  let site!: TestSite;
  let mark!: DatabaseMark;
  await withFleet(dataDir, async (fleet) => {
    await seal(fleet);
    await sendNew(fleet, 3);
    site = await fleet.addSite();
    await copyFile(path, join(folder, COPIED_WHILE_RUNNING));
    backup = await makeBackup({ databasePath: path, under: join(folder, BACKUP), now: START });
    await cp(dataDir, join(folder, SNAPSHOT), { recursive: true });
    await report(fleet, site, await take(fleet, site, 1), "sent");
    const heartbeat = { type: "heartbeat", journalCounter: 1_000_000, at: 1 } as const;
    const answer = await handleFrame(fleet.ctx, site, heartbeat);
    assert.ok(answer?.type === "heartbeatAck" && answer.mark !== undefined);
    mark = answer.mark;
    await seal(fleet);
    // As a killed edge leaves it: with its log.
    await cp(dataDir, join(folder, KILLED), { recursive: true });
  });
  return { dataDir, folder, backup, site, mark };
}

/** Runs an act on a DATA_DIR's database in this process. */
async function withFleet<T>(
  dataDir: string,
  act: (fleet: ReturnType<typeof fleetOn>) => Promise<T>,
): Promise<T> {
  const keys = await findAppKeys({ dataDir, appKey: undefined, appKeyBeside: undefined });
  const db = await connectDatabase(`file:${dataDir}/${DATABASE_FILE}`);
  const audit = { ...testAuditParts(), ...openChainParts(keys, { keepsFiles: true, dataDir }) };
  const ctx = testContext(db, { now: () => START, audit });
  const database = { db, url: "", path: "", close: () => Promise.resolve() } as never;
  try {
    return await act(fleetOn({ database, ctx, pass() {} }));
  } finally {
    db.close();
  }
}

async function seal(fleet: ReturnType<typeof fleetOn>): Promise<void> {
  await fleet.ctx.db.execute(
    noteAudit(START, { kind: "exported", actor: null, data: { what: "devices" } }),
  );
  await sealAudit(fleet.ctx);
}

async function startAndStop(env: Record<string, string>): Promise<void> {
  const edge = new EdgeProcess(env);
  await edge.url;
  edge.kill("SIGTERM");
  assert.equal(await edge.ended(), 0, edge.lines.join("\n"));
}

interface Way {
  is: string;
  /** Applies the wrong way to a DATA_DIR; `path` is its database. */
  act(it: { dataDir: string; path: string; kept: Kept }): Promise<unknown>;
  /** The refusal; undefined = the edge starts and leases nothing. */
  refusal?: RegExp;
  /** Starts from this copy in `kept.folder` instead of the current DATA_DIR. */
  from?: string;
}

function set(path: string, key: string, value: string): void {
  using db = new DatabaseSync(path, { timeout: 5_000 });
  db.prepare("INSERT INTO system VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    .run(key, value);
}

const WAYS: Way[] = [
  {
    is: "the backup's file is copied over the database",
    act: ({ path, kept }) => copyFile(join(kept.backup, DATABASE_FILE), path),
    refusal: /is a backup's copy.*deno task restore /,
  },
  {
    is: "the backup's file is copied over the database of a killed edge, whose log is left behind",
    from: KILLED,
    act: ({ path, kept }) => copyFile(join(kept.backup, DATABASE_FILE), path),
    refusal: /is the log of the database before it.*deno task restore /,
  },
  {
    is: "the file was copied while an edge ran, and is put back",
    act: ({ path, kept }) => copyFile(join(kept.folder, COPIED_WHILE_RUNNING), path),
    refusal: /is (older than|not the one of|empty)|not an SQLite database/,
  },
  {
    is: "an older snapshot of all of DATA_DIR",
    from: SNAPSHOT,
    act: () => Promise.resolve(),
  },
  {
    is: "the file of another installation",
    act: ({ path, kept }) => copyFile(join(kept.folder, OTHER, DATABASE_FILE), path),
    refusal: /not the one of the audit log's heads/,
  },
  {
    is: "the file of another program",
    async act({ path }) {
      await rm(path);
      using db = new DatabaseSync(path);
      db.exec("CREATE TABLE recipes (name)");
    },
    refusal: /belongs to another program: it has the table recipes/,
  },
  {
    is: "an SQLite file without tables",
    async act({ path }) {
      await rm(path);
      using db = new DatabaseSync(path);
      db.exec("CREATE TABLE t (a); DROP TABLE t");
    },
    refusal: /is empty, but .*audit_heads\.jsonl/,
  },
  {
    is: "a file of zero bytes",
    act: ({ path }) => truncate(path, 0),
    refusal: /is empty, but .*first_start_done/,
  },
  {
    is: "a file that is cut short",
    act: ({ path }) => truncate(path, 50 * 4096),
    refusal: /is damaged: its end is missing/,
  },
  {
    is: "a text",
    act: ({ path }) => writeFile(path, "SQLite is not here\n".repeat(99)),
    refusal: /not an SQLite/,
  },
  {
    is: "the database is deleted, key and heads are left",
    act: ({ path }) => rm(path),
    refusal: /no database at .*audit_heads\.jsonl and first_start_done/,
  },
  {
    is: "the database and the heads are deleted, the key is left",
    async act({ path, dataDir }) {
      await rm(path);
      await rm(join(dataDir, "audit_heads.jsonl"));
    },
    refusal: /no database at .*first_start_done/,
  },
  {
    is: "the key is deleted",
    act: ({ dataDir }) => rm(join(dataDir, "app_key")),
    refusal: /was used with a key.*Restore that key/,
  },
  {
    is: "the key and the database are deleted",
    async act({ dataDir, path }) {
      await rm(path);
      await rm(join(dataDir, "app_key"));
    },
    refusal: /no database at/,
  },
  {
    is: "the database of a newer release that this one can't read",
    act: ({ path }) => Promise.resolve(set(path, "read_release", "999")),
    refusal: /by a newer release, number 999/,
  },
  {
    is: "the database of a newer release that sends in another way",
    act: ({ path }) => Promise.resolve(set(path, "lease_release", "999")),
  },
];

for (const way of WAYS) {
  Deno.test(`a wrong way to put a database back sends to nobody twice: ${way.is}`, async () => {
    const it = await kept();
    const dataDir = await Deno.makeTempDir({ prefix: "shigur-way-" });
    try {
      await cp(way.from ? join(it.folder, way.from) : it.dataDir, dataDir, { recursive: true });
      const path = join(dataDir, DATABASE_FILE);
      await way.act({ dataDir, path, kept: it });
      const before = await snapshot(dataDir);
      if (way.refusal === undefined) {
        await startAndStop({ DATA_DIR: dataDir });
        assert.equal(await withFleet(dataDir, (fleet) => leased(fleet, it)), null);
        return;
      }
      const edge = new EdgeProcess({ DATA_DIR: dataDir });
      assert.equal(await edge.ended(), 1, edge.lines.join("\n"));
      assert.match(edge.lines.at(-1)!, way.refusal);
      assert.deepEqual(await snapshot(dataDir), before, "nothing is changed, and no key is made");
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  });
}

Deno.test("edges and commands refuse an older file under a later session's log: messages between are in neither (I2)", async () => {
  const it = await kept();
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-way-" });
  const older = await Deno.makeTempFile();
  try {
    await cp(it.dataDir, dataDir, { recursive: true });
    const path = join(dataDir, DATABASE_FILE);
    await startAndStop({ DATA_DIR: dataDir });
    await copyFile(path, older);
    const between = new EdgeProcess({ DATA_DIR: dataDir });
    await between.url;
    await withFleet(dataDir, async (fleet) => {
      const site = { ...it.site };
      await fleet.reconnect(site, { mark: it.mark });
      await fleet.show(site);
      await report(fleet, site, await take(fleet, site, 1), "sent");
    });
    between.kill("SIGTERM");
    assert.equal(await between.ended(), 0);
    const killed = new EdgeProcess({ DATA_DIR: dataDir });
    await killed.url;
    set(path, "heard", "in the log");
    killed.kill("SIGKILL");
    await killed.ended();
    assert.ok((await Deno.stat(`${path}-wal`)).size > 0);
    await copyFile(older, path);
    assert.match((await command("app_key", dataDir)).text, /is older than its log/);
    assert.match((await command("restored", dataDir)).text, /the file is older than its log/);
    assert.match((await command("backup", dataDir)).text, /is older than its log/);
    assert.match((await command("restore", dataDir, it.backup)).text, /--force/);
    const edge = new EdgeProcess({ DATA_DIR: dataDir });
    assert.equal(await edge.ended(), 1, edge.lines.join("\n"));
    assert.match(edge.lines.at(-1)!, /the file is older than its log.*deno task restore <folder> --force/);
    const restored = await command("restore", dataDir, "--force", it.backup);
    assert.equal(restored.code, 0, restored.text);
    await startAndStop({ DATA_DIR: dataDir });
  } finally {
    await Deno.remove(dataDir, { recursive: true });
    await Deno.remove(older);
  }
});

async function command(name: string, dataDir: string, ...args: string[]) {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      ...EDGE_PERMISSIONS,
      new URL(`../commands/${name}.ts`, import.meta.url).pathname,
      ...args,
    ],
    env: { DATA_DIR: dataDir },
    stderr: "inherit",
  }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

Deno.test("a backup's copy put in place by hand is served after `restored`, and leases only after sites reported", async () => {
  const it = await kept();
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-way-" });
  try {
    await cp(it.dataDir, dataDir, { recursive: true });
    await copyFile(join(it.backup, DATABASE_FILE), join(dataDir, DATABASE_FILE));
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...EDGE_PERMISSIONS, new URL("../commands/restored.ts", import.meta.url).pathname],
      env: { DATA_DIR: dataDir },
      stderr: "inherit",
    }).output();
    assert.equal(code, 0);
    await startAndStop({ DATA_DIR: dataDir });
    assert.equal(await withFleet(dataDir, (fleet) => leased(fleet, it)), null);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("a killed first start locks nobody out: a lone key and an empty file are accepted", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-way-" });
  try {
    await writeFile(join(dataDir, "app_key"), "abcdef".repeat(8));
    await writeFile(join(dataDir, DATABASE_FILE), "");
    await startAndStop({ DATA_DIR: dataDir });
    assert.equal(await readFile(join(dataDir, "app_key"), "utf8"), "abcdef".repeat(8));
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("heads of another key and the half line of a killed edge are ignored", async () => {
  const it = await kept();
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-way-" });
  try {
    await cp(it.dataDir, dataDir, { recursive: true });
    const heads = join(dataDir, "audit_heads.jsonl");
    const [line] = (await readFile(heads, "utf8")).split("\n");
    await appendFile(heads, `${line!.replace(/"last":\d+/, '"last":999')}\n{"count":`);
    await startAndStop({ DATA_DIR: dataDir });
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

/** Returns what the site gets when it reconnects with its stored mark and pulls. */
async function leased(fleet: ReturnType<typeof fleetOn>, { site, mark }: Kept) {
  const one = { ...site };
  await fleet.reconnect(one, { mark });
  await fleet.show(one);
  return await pull(fleet, one);
}

/** Returns every file with its content, except the files that SQLite keeps beside an open database. */
async function snapshot(dataDir: string): Promise<[string, string][]> {
  const files = [...Deno.readDirSync(dataDir)].filter(({ isFile, name }) =>
    isFile && !/-(wal|shm)$/.test(name)
  );
  return await Promise.all(
    files.map(({ name }) => name).sort().map(async (name): Promise<[string, string]> => [
      name,
      createHash("sha256").update(await readFile(join(dataDir, name))).digest("hex"),
    ]),
  );
}
