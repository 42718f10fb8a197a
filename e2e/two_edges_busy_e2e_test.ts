/**
 * One edge imports a long list while the other leases, reports and responds: no request fails because of the other
 * edge.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { pause } from "./wait.ts";
import { ScriptedSite } from "./two_edges_site.ts";
import { type DatabaseKind, type Edge, withWorld, type World } from "./two_edges_world.ts";

const ROWS = Number(Deno.env.get("ROWS") ?? 200_000);
const QUOTA = 2_000_000;

for (const kind of ["file", "remote"] as const) {
  Deno.test(`a list of ${ROWS} rows that one edge imports delays no site and no person of the other (${kind})`, async () => {
    await withWorld(kind, { maxMessagesPerDay: 10_000 }, (world) => importWhileLeasing(kind, world));
  });
}

async function importWhileLeasing(kind: DatabaseKind, world: World): Promise<void> {
  const [a, b] = world.edges;
  const owner = await world.addClient("owner", QUOTA, b);
  const site = await ScriptedSite.enroll(world, "busy", b);
  await site.connect(b);
  const running = await makeReadyCampaign(owner, "רץ", 3_000);
  await owner.read("POST", `/api/campaigns/${running}/send`);
  const loading = await makeReadyCampaign(owner, "נטען", 1);
  const draft = await makeReadyCampaign(owner, "טיוטה", 1);

  const began = performance.now();
  let isLoading = true;
  const load = upload(owner.at(a.url), loading, ROWS).finally(() => isLoading = false);
  await hasStarted(world, loading);
  // The import must still run after two requests, however slow they are.
  await freezeWhen(world, a, { isHolding: false });
  const refusals = [
    await read(await owner.call("POST", `/api/campaigns/${loading}/send`)),
    await read(await upload(owner, loading, 10)),
  ];
  assert.deepEqual(refusals.map(({ status, code }) => [status, code]), [
    [409, "import_running"],
    [409, "import_running"],
  ]);
  a.process.thaw();

  const frameWaits: number[] = [];
  const callWaits: number[] = [];
  let delivered = 0;
  async function deliver(): Promise<void> {
    do {
      const held = await timed(frameWaits, () => site.offer());
      const confirmed = await timed(frameWaits, () => site.confirm(held));
      const results = await timed(frameWaits, () => site.reportHeld(confirmed, "sent"));
      delivered += results.filter((result) => result === "applied").length;
      assert.equal(results.length, held.length);
    } while (isLoading);
  }
  async function rename(): Promise<void> {
    do {
      const json = { name: `שם ${callWaits.length}` };
      const { status } = await timed(
        callWaits,
        async () => await read(await owner.call("PATCH", `/api/campaigns/${draft}`, { json })),
      );
      assert.equal(status, 200);
    } while (isLoading);
  }
  const [loaded] = await Promise.all([load, deliver(), rename()]);
  const seconds = (performance.now() - began) / 1000;

  const { status, total } = await read(loaded);
  // The contact that existed before is in the list as well.
  assert.deepEqual([status, total], [200, ROWS]);
  const [{ rows }] = world.query<{ rows: number }>(
    "SELECT count(*) AS rows FROM deliveries WHERE campaign = ?",
    loading,
  );
  assert.equal(rows, ROWS + 1);
  const [{ sent }] = world.query<{ sent: number }>(
    "SELECT count(*) AS sent FROM deliveries WHERE campaign = ? AND state = 'sent'",
    running,
  );
  assert.equal(sent, delivered);
  await owner.read("POST", `/api/campaigns/${loading}/send`);
  assert.deepEqual(await world.audit(), []);
  print(
    `${kind}: ${ROWS} rows in ${seconds.toFixed(1)} s at one edge; at the other ${delivered} messages, ` +
      `a frame's answer after ${describe(frameWaits)}, a written call's after ${describe(callWaits)}`,
  );
  await site.close();
}

Deno.test("an edge frozen while it holds the database's lock costs the other edge only time", async () => {
  await Promise.all(
    (["file", "remote"] as const).map((kind) => withWorld(kind, {}, (world) => freezeWithLock(kind, world))),
  );
});

async function freezeWithLock(kind: DatabaseKind, world: World): Promise<void> {
  const [a, b] = world.edges;
  const owner = await world.addClient("owner", QUOTA, b);
  const draft = await makeReadyCampaign(owner, "טיוטה", 1);
  const loading = await makeReadyCampaign(owner, "נטען", 1);
  const rename = async (name: string) =>
    await read(await owner.call("PATCH", `/api/campaigns/${draft}`, { json: { name } }));
  const load = upload(owner.at(a.url), loading, ROWS);
  await hasStarted(world, loading);
  await freezeWhen(world, a, { isHolding: true });

  const frozenAt = performance.now();
  const { status, code } = await rename("בזמן ההקפאה");
  // A file is locked as long as its holder lives. A remote database ends an idle transaction. On a slow machine that
  // can be before the other edge has waited long enough, or when it has stopped waiting for any response.
  const answers = kind === "file" ? ["503 not_ready"] : ["503 not_ready", "200 undefined", "500 internal"];
  assert.ok(answers.includes(`${status} ${code}`), `${status} ${code}`);
  if (kind === "file") {
    assert.equal((await read(await owner.call("GET", `/api/campaigns/${draft}`))).status, 200);
    a.process.thaw();
  }
  while ((await rename("אחרי ההקפאה")).status !== 200) await pause(200);
  const seconds = (performance.now() - frozenAt) / 1000;
  a.process.thaw();

  const loaded = await read(await load);
  const [{ rows, held }] = world.query<{ rows: number; held: number | null }>(
    `SELECT (SELECT count(*) FROM deliveries WHERE campaign = c.id) AS rows, running_import AS held
     FROM campaigns c WHERE id = ?`,
    loading,
  );
  assert.deepEqual([rows, held], [loaded.status === 200 ? ROWS + 1 : 1, null]);
  // All or nothing: a transaction idle for ten seconds is ended, and a slow machine's other edge may give up
  // waiting. The lock may also have been a seal's, not the list's.
  assert.ok([200, 500].includes(loaded.status), `${loaded.status}`);
  assert.deepEqual(await world.audit(), []);
  print(
    `${kind}: with the holder of the lock frozen, the other edge wrote again after ${seconds.toFixed(1)} s`,
  );
}

/** Freezes an edge inside a transaction, or between two of them. */
async function freezeWhen(
  world: World,
  edge: Edge,
  { isHolding }: { isHolding: boolean },
): Promise<void> {
  const db = new DatabaseSync(world.path, { timeout: 0 });
  const isLocked = () => {
    try {
      db.exec("BEGIN IMMEDIATE; ROLLBACK");
      return false;
    } catch {
      return true;
    }
  };
  while (true) {
    while (isLocked() !== isHolding) await pause(1);
    await edge.process.freeze();
    // A short write by another would be over by now.
    await pause(100);
    if (isLocked() === isHolding) return db.close();
    edge.process.thaw();
  }
}

/** Uploads a shuffled list of `rows` different numbers, like a customer list. */
function upload(caller: Caller, campaign: number, rows: number): Promise<Response> {
  // A multiplier that shares no factor with 50,000,000 yields each number once.
  const lines = Array.from(
    { length: rows },
    (_, row) => `05${`${(row * 29_999_999) % 50_000_000}`.padStart(8, "0")}`,
  );
  const form = new FormData();
  form.set("file", new File([lines.join("\n")], "list.csv", { type: "text/csv" }));
  return caller.call("POST", `/api/campaigns/${campaign}/contacts`, { form });
}

async function hasStarted(world: World, campaign: number): Promise<void> {
  const isHeld = () =>
    world.query<{ held: number }>("SELECT running_import AS held FROM campaigns WHERE id = ?", campaign)[0]
      .held;
  while (isHeld() === null) await pause(2);
}

async function timed<T>(waits: number[], act: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await act();
  } finally {
    waits.push(performance.now() - began);
  }
}

function describe(waits: number[]): string {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms (${sorted.length})`;
}

async function read(response: Response): Promise<{ status: number; code?: string; total?: number }> {
  return { ...await response.json(), status: response.status };
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
