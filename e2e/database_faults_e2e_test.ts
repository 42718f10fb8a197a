/** Causes each database fault for real, and compares the result with the table in docs/operations.md. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TEST_APP_KEY } from "../edge/testing/audit_parts.ts";
import { EdgeProcess, withFolder } from "../edge/testing/edge_process.ts";
import { startHranaServer } from "../edge/testing/hrana_server.ts";
import { cookiesOf } from "../edge/testing/test_app.ts";

const PASSWORD = "correct horse";
const PAGE_BYTES = 4096;
/** Page header: type, no free block, no cell, content start at the page's end, no fragments. */
const EMPTY_INDEX_LEAF = new Uint8Array([0x0a, 0, 0, 0, 0, PAGE_BYTES >> 8, 0, 0]);
const noise = (bytes: number) => new Uint8Array(bytes).fill(0xa5);
/** Drops the capabilities with which root ignores file permissions. */
const WITHOUT_ROOT_RIGHTS = [
  "setpriv",
  "--inh-caps=-all",
  "--bounding-set=-dac_override,-dac_read_search",
];

interface Row {
  people: string;
  running: string;
  starting: string;
}

const TABLE = await readTable();

Deno.test("a full disk refuses writes, answers reads, and is over when there is room", async () => {
  await withFolder(async (folder) => {
    // Only this edge's namespace sees the mount, which ends with it.
    const script = `mount -t tmpfs -o size=24m tmpfs ${folder} && exec "$@"`;
    const before = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
    const person = await open(new EdgeProcess(env(`${folder}/data`), before));
    const inside = `/proc/${person.edge.pid}/root${folder}`;
    await fillDisk(`${inside}/fill`);
    await assertFaultIsShown("SQLITE_FULL", person);
    await Deno.remove(`${inside}/fill`);
    assert.equal(await person.write(), 201);
    await person.stop(0);
  });
});

Deno.test("an edge that starts on a full disk ends so that it is started again", async () => {
  await withFolder(async (folder) => {
    const script = `mount -t tmpfs -o size=64k tmpfs ${folder} && exec "$@"`;
    const before = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
    const edge = new EdgeProcess(env(`${folder}/data`), before);
    await assertEnds(edge, "SQLITE_FULL", /SQLITE_(FULL|IOERR)/);
  });
});

Deno.test("a lock that another program holds refuses writes, answers reads, and lets an edge start", async () => {
  await withFolder(async (dataDir) => {
    const person = await open(new EdgeProcess(env(dataDir)));
    const other = new DatabaseSync(`${dataDir}/shigur.db`);
    other.exec("BEGIN EXCLUSIVE");
    await assertFaultIsShown("SQLITE_BUSY", person);
    assert.match(TABLE.SQLITE_BUSY!.starting, /^starts/);
    const second = new EdgeProcess(env(dataDir));
    await second.url;
    other.exec("ROLLBACK");
    other.close();
    second.kill("SIGTERM");
    assert.equal(await second.ended(), 0);
    assert.equal(await person.write(), 201);
    await person.stop(0);
  });
});

Deno.test("an edge whose file or log is not writable refuses to start, and names it", async () => {
  await withFolder(async (dataDir) => {
    await (await open(new EdgeProcess(env(dataDir)))).stop(0);
    for (const name of ["shigur.db", "shigur.db-wal"]) {
      const file = `${dataDir}/${name}`;
      await Deno.writeTextFile(file, "", { append: true });
      await Deno.chmod(file, 0o400);
      const edge = new EdgeProcess(env(dataDir), WITHOUT_ROOT_RIGHTS);
      await assertEnds(edge, "SQLITE_READONLY", new RegExp(`cannot write ${file} \\(EACCES\\)`));
      await Deno.chmod(file, 0o600);
    }
    await (await open(new EdgeProcess(env(dataDir), WITHOUT_ROOT_RIGHTS))).stop(0);
  });
});

for (
  const { code, what, damage } of [
    {
      code: "SQLITE_CORRUPT",
      what: "table",
      damage: (path: string) => overwrite(path, pageOf(path, "users"), noise(PAGE_BYTES)),
    },
    { code: "SQLITE_NOTADB", what: "head", damage: (path: string) => overwrite(path, 0, noise(100)) },
  ] as const
) {
  Deno.test(`an edge ends once it meets a damaged ${what} of its database, running or starting`, async () => {
    await withFolder(async (dataDir) => {
      const path = `${dataDir}/shigur.db`;
      const person = await open(new EdgeProcess(env(dataDir)));
      foldLog(path);
      damage(path);
      await person.write().catch(() => {});
      assert.match(TABLE[code]!.running, /ends with 1/);
      assert.equal(await person.edge.ended(), 1);
      const logged = person.edge.lines.filter((line) => line.includes('"database_damaged"'));
      assert.equal(logged.length, 1);
      assert.equal(JSON.parse(logged[0]!).code, code);
      const again = new EdgeProcess(env(dataDir));
      again.url.then((url) => login(url)).catch(() => {});
      await assertEnds(again, code, /database_damaged|is not an SQLite database/);
    });
  });
}

Deno.test("a database with a damaged index is whole again after the page's REINDEX", async () => {
  await withFolder(async (dataDir) => {
    const path = `${dataDir}/shigur.db`;
    await (await open(new EdgeProcess(env(dataDir)))).stop(0);
    foldLog(path);
    emptyIndex(path, "activity_kind");
    const ask = (sql: string) => {
      using db = new DatabaseSync(path);
      return db.prepare(sql).all().map((row) => String(Object.values(row)[0]));
    };
    assert.match(ask("PRAGMA integrity_check").join("\n"), /row \d+ missing from index activity_kind/);
    ask("REINDEX");
    assert.deepEqual(ask("PRAGMA integrity_check"), ["ok"]);
    const person = await open(new EdgeProcess(env(dataDir)));
    assert.equal(await person.write(), 201);
    await person.stop(0);
  });
});

const TAKEN_AWAY = {
  "is removed": (path: string) => Deno.remove(path),
  "is moved with its folder": (path: string) => Deno.rename(dirname(path), `${dirname(path)}.away`),
  "gives its place to a copy": async (path: string) => {
    await Deno.copyFile(path, `${path}.copy`);
    await Deno.rename(`${path}.copy`, path);
  },
};
for (const [how, take] of Object.entries(TAKEN_AWAY)) {
  Deno.test(`an edge whose file ${how} ends, and does not go on where the next start finds nothing`, async () => {
    await withFolder(async (folder) => {
      const path = `${folder}/data/shigur.db`;
      const { edge } = await open(new EdgeProcess(env(dirname(path))));
      await take(path);
      assert.equal(await edge.ended(), 1);
      const logged = edge.lines.filter((line) => line.includes('"database_moved"'));
      assert.deepEqual(logged.map((line) => JSON.parse(line).path), [path]);
    });
  });
}

Deno.test("a moved file that is put back by the page still has every row", async () => {
  await withFolder(async (dataDir) => {
    const path = `${dataDir}/shigur.db`;
    const person = await open(new EdgeProcess(env(dataDir)));
    assert.equal(await person.write(), 201);
    await Deno.rename(path, `${path}.away`);
    assert.equal(await person.edge.ended(), 1);
    await Deno.rename(`${path}.away`, path);
    const again = await open(new EdgeProcess(env(dataDir)));
    using db = new DatabaseSync(path, { readOnly: true });
    assert.equal(db.prepare("SELECT count(*) AS count FROM campaigns").get()!.count, 1);
    await again.stop(0);
  });
});

Deno.test("a remote database that refuses the token fails calls, and refuses the start with the name of the setting", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/remote.db`;
    const first = startHranaServer({ path, authToken: "first" });
    const remote = { DATABASE_URL: first.url, DATABASE_AUTH_TOKEN: "first", APP_KEY: TEST_APP_KEY };
    const start = () => new EdgeProcess({ ...env(`${folder}/data`), ...remote });
    const person = await open(start());
    assert.equal(await person.write(), 201);
    await first.close();
    const second = startHranaServer({ path, port: Number(new URL(first.url).port), authToken: "second" });
    const { people, running } = TABLE.token_refused!;
    assert.match(running, /^goes on, and neither reads nor writes/);
    assert.deepEqual([await person.write(), await person.read()].map(String), [people, people]);
    await assertEnds(start(), "token_refused", /HTTP 401.*Set DATABASE_AUTH_TOKEN/);
    await person.stop(0);
    await second.close();
  });
});

Deno.test("a folder in the place of the database refuses the start", async () => {
  await withFolder(async (dataDir) => {
    await Deno.mkdir(`${dataDir}/shigur.db`);
    const edge = new EdgeProcess(env(dataDir));
    assert.equal(await edge.ended(), 1);
    assert.match(edge.lines.at(-1)!, /shigur\.db is not a file\. Set DATABASE_URL/);
  });
});

function env(dataDir: string): Record<string, string> {
  return { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD };
}

/** An administrator at a running edge. */
interface Person {
  edge: EdgeProcess;
  /** Creates a draft, then lists drafts; returns both statuses. */
  write(): Promise<number>;
  read(): Promise<number>;
  /** Stops the edge, and asserts its exit code. */
  stop(code: number): Promise<void>;
}

async function open(edge: EdgeProcess): Promise<Person> {
  const url = await edge.url;
  const cookie = await login(url);
  const ask = async (method: string, body?: FormData) => {
    const answer = await fetch(`${url}/api/campaigns`, { method, body, headers: { origin: url, cookie } });
    await answer.body?.cancel();
    return answer.status;
  };
  return {
    edge,
    write() {
      const form = new FormData();
      form.set("name", "name");
      form.set("message", "words");
      return ask("POST", form);
    },
    read: () => ask("GET"),
    async stop(code) {
      edge.kill("SIGTERM");
      assert.equal(await edge.ended(), code);
    },
  };
}

async function login(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ username: "admin", password: PASSWORD }),
  });
  await answer.body?.cancel();
  return cookiesOf(answer);
}

/** Asserts the message to people during the fault, that reads still work, and that the log names the code. */
async function assertFaultIsShown(code: string, person: Person): Promise<void> {
  const row = TABLE[code]!;
  assert.equal(String(await person.write()), row.people);
  assert.match(row.running, /^goes on, and reads/);
  assert.equal(await person.read(), 200);
  while (!person.edge.lines.some((line) => line.includes(code))) await person.write();
}

/** Asserts the exit code in the table for an edge that cannot start, and its last log lines. */
async function assertEnds(edge: EdgeProcess, code: string, lastLines: RegExp): Promise<void> {
  const exitCode = TABLE[code]!.starting.match(/ends with (\d+)/)?.[1];
  assert.equal(String(await edge.ended()), exitCode, edge.lines.join("\n"));
  assert.match(edge.lines.join("\n"), lastLines);
}

/** Returns the table's rows by code. */
async function readTable(): Promise<Record<string, Row>> {
  const page = await Deno.readTextFile(new URL("../docs/operations.md", import.meta.url));
  const cells = page.split("\n").flatMap((line) =>
    /^\| `(SQLITE_|token_refused)/.test(line) ? [line.split("|").map((cell) => cell.trim())] : []
  );
  return Object.fromEntries(
    cells.map(([, code, , people, running, starting]) => [
      code!.replaceAll("`", ""),
      { people: people!, running: running!, starting: starting! },
    ]),
  );
}

async function fillDisk(path: string): Promise<void> {
  const file = await Deno.open(path, { create: true, write: true });
  const block = new Uint8Array(4096);
  try {
    while (await file.write(block) > 0);
  } catch {
    // The disk is full.
  } finally {
    file.close();
  }
}

/** Moves the WAL's content into the file, so that later reads use the file's pages. */
function foldLog(path: string): void {
  using db = new DatabaseSync(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Returns the offset of the root page of a table or an index. */
function pageOf(path: string, name: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)!;
  return (Number(rootpage) - 1) * PAGE_BYTES;
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  using file = Deno.openSync(path, { write: true });
  file.seekSync(at, Deno.SeekMode.Start);
  file.writeSync(bytes);
}

/** Makes an index empty, like a lost write would (https://www.sqlite.org/fileformat.html, b-tree pages). */
function emptyIndex(path: string, index: string): void {
  overwrite(path, pageOf(path, index), EMPTY_INDEX_LEAF);
}
