import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import type { AuditFault } from "shared/audit.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { TEST_APP_KEY, testAuditParts } from "../testing/audit_parts.ts";
import { NO_HEAD, signHead } from "./chain.ts";
import { BEGINNING, checkChain } from "./check_chain.ts";
import { checkAudit, readChain } from "./check_tick.ts";
import { noteAudit } from "./note_audit.ts";
import { HEAD_KEY, sealAudit } from "./seal.ts";
import { VOUCHED_KEY } from "./vouch.ts";

const ROWS = 12;
const TRIGGERS = ["audit_log_append_only", "audit_log_written_once", "audit_log_nothing_replaced"];
/** Every text column except the key; a test changes a byte of each. */
const TEXTS = ["kind", "actor_name", "data", "hash", "seal"];
const NUMBERS = ["at", "actor", "campaign", "site", "device", "user"];

/** Opens a log of rows sealed in three goes; an attacker with the database has dropped its triggers. */
async function openLog({ remote = false } = {}) {
  const fleet = await openFleet({ remote });
  const lines: string[] = [];
  fleet.ctx.audit = testAuditParts(lines);
  const { id } = await fleet.addClient(5);
  for (let row = 2; row <= ROWS; row++) {
    await fleet.ctx.db.execute(noteAudit(fleet.ctx.now(), {
      kind: "settings_changed",
      actor: id,
      campaign: row,
      site: 1,
      device: 2,
      user: id,
      data: { "שורה": row },
    }));
    if (row % 4 === 0) await sealAudit(fleet.ctx);
  }
  assert.equal(await countRows(fleet), ROWS, "the quota that the client was given is the first");
  return { fleet, lines };
}

async function countRows({ ctx }: Fleet): Promise<number> {
  return Number((await ctx.db.execute("SELECT count(*) AS n FROM audit_log")).rows[0]!.n);
}

async function check({ ctx }: Fleet, pageRows = 5): Promise<AuditFault | null> {
  let result = await checkChain(ctx.db, ctx.audit, BEGINNING, pageRows);
  while (!result.isDone) result = await checkChain(ctx.db, ctx.audit, result, pageRows);
  return result.fault;
}

/** Returns the fault that the check finds after `act` changed the database, and undoes the change. */
async function faultOf(fleet: Fleet, act: (run: (sql: string) => Promise<unknown>) => Promise<unknown>) {
  const { db } = fleet.ctx;
  await db.executeMultiple(`DROP TABLE IF EXISTS kept; DROP TABLE IF EXISTS kept_head;
    CREATE TABLE kept AS SELECT * FROM audit_log; CREATE TABLE kept_head AS SELECT * FROM system`);
  await act((sql) => db.execute(sql));
  const fault = await check(fleet);
  await db.executeMultiple(`DELETE FROM audit_log; INSERT INTO audit_log SELECT * FROM kept;
    DELETE FROM system; INSERT INTO system SELECT * FROM kept_head`);
  return fault;
}

async function openHands(options?: { remote?: boolean }) {
  const { fleet, lines } = await openLog(options);
  for (const name of TRIGGERS) await fleet.ctx.db.execute(`DROP TRIGGER ${name}`);
  return { fleet, lines };
}

for (const remote of [false, true]) {
  Deno.test(`sealAudit() makes a chain that checkChain() finds whole, ${remote ? "remote" : "in a file"}`, async () => {
    const { fleet, lines } = await openLog({ remote });
    await using _ = fleet;
    assert.equal(lines.length, 3);
    for (const rows of [1, 5, 100]) assert.equal(await check(fleet, rows), null);
    assert.equal(await sealAudit(fleet.ctx), 0, "there is nothing left to seal");
  });
}

Deno.test("audit_log refuses to be edited, emptied, written over, or given a seal", async () => {
  const { fleet: { ctx }, fleet } = await openLog();
  await using _ = fleet;
  const row = "id, at, kind, data) VALUES (3, 0, 'x', '{}')";
  for (
    const sql of [
      "UPDATE audit_log SET data = '{}' WHERE id = 3",
      "UPDATE audit_log SET hash = NULL, seal = NULL",
      "UPDATE audit_log SET id = 99 WHERE id = 3",
      "DELETE FROM audit_log WHERE id = 3",
      `INSERT OR REPLACE INTO audit_log (${row}`,
      "INSERT INTO audit_log (at, kind, data, hash, seal) VALUES (0, 'x', '{}', 'h', 's')",
    ]
  ) await assert.rejects(ctx.db.execute(sql), /append-only/, sql);
  assert.equal(await check(fleet), null);
});

Deno.test("checkChain() detects any edit of one byte, and names its row", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const edit = fc.record({
    row: fc.integer({ min: 2, max: ROWS }),
    column: fc.constantFrom(...TEXTS, ...NUMBERS),
    at: fc.nat(),
    to: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(edit, async ({ row, column, at, to }) => {
      const fault = await faultOf(fleet, (run) => run(editOf(row, column, at, to)));
      assert.deepEqual(fault, { row, fault: column === "seal" ? "forged" : "edited" });
    }),
    { numRuns: 150 },
  );
});

/** Returns SQL that changes one byte of the column: `to`, a number in 1–255, inverts its bits. */
function editOf(row: number, column: string, at: number, to: number): string {
  if (NUMBERS.includes(column)) {
    return `UPDATE audit_log SET ${column} = ${column} + (${to} << ${8 * (at % 4)}) WHERE id = ${row}`;
  }
  const place = `(${at} % length(CAST(${column} AS BLOB)) + 1)`;
  const bytes = `CAST(${column} AS BLOB)`;
  const changed = `unhex(substr(hex(${bytes}), 1, 2 * (${place} - 1)) || printf('%02X', (
    ((instr('0123456789ABCDEF', substr(hex(${bytes}), 2 * ${place} - 1, 1)) - 1) * 16
    + instr('0123456789ABCDEF', substr(hex(${bytes}), 2 * ${place}, 1)) - 1 + ${to}) % 256))
    || substr(hex(${bytes}), 2 * ${place} + 1))`;
  return `UPDATE audit_log SET ${column} = CAST(${changed} AS TEXT) WHERE id = ${row}`;
}

Deno.test("checkChain() detects any removed rows, and names the first", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const rows = fc.uniqueArray(fc.integer({ min: 1, max: ROWS }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, async (gone) => {
      const fault = await faultOf(fleet, (run) => run(`DELETE FROM audit_log WHERE id IN (${gone})`));
      const first = Math.min(...gone);
      const isTail = gone.length === ROWS - first + 1;
      assert.deepEqual(fault, { row: first, fault: isTail ? "cut" : "missing" });
    }),
    { numRuns: 60 },
  );
});

Deno.test("checkChain() detects any two rows that changed places, and names the first", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const pair = fc.uniqueArray(fc.integer({ min: 1, max: ROWS }), { minLength: 2, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(pair, async ([one, other]) => {
      const fault = await faultOf(fleet, async (run) => {
        await run(`UPDATE audit_log SET id = -1 WHERE id = ${one}`);
        await run(`UPDATE audit_log SET id = ${one} WHERE id = ${other}`);
        await run(`UPDATE audit_log SET id = ${other} WHERE id = -1`);
      });
      assert.deepEqual(fault, { row: Math.min(one!, other!), fault: "edited" });
    }),
    { numRuns: 60 },
  );
});

Deno.test("checkChain() detects a cut-off tail by the heads outside, though an older head was put back", async () => {
  const { fleet, lines } = await openHands();
  await using _ = fleet;
  const fault = await faultOf(fleet, async (run) => {
    await run("DELETE FROM audit_log WHERE id > 4");
    await run(`UPDATE system SET value = '${lines[0]}' WHERE key = '${HEAD_KEY}'`);
  });
  assert.deepEqual(fault, { row: 5, fault: "cut" });
});

Deno.test("checkChain() detects rows that were hashed again without the key", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const forger = testAuditParts();
  forger.sealKeys = [new Uint8Array(32)];
  const fault = await faultOf(fleet, async (run) => {
    await run("UPDATE audit_log SET data = '{}' WHERE id = 7");
    await run("UPDATE audit_log SET hash = NULL, seal = NULL");
    await run(`DELETE FROM system WHERE key = '${HEAD_KEY}'`);
    await sealAudit({ ...fleet.ctx, audit: forger });
  });
  assert.deepEqual(fault, { row: 1, fault: "forged" });
});

Deno.test("checkChain() detects an unsigned head and a missing head", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const forged = signHead(new Uint8Array(32), { ...NO_HEAD, count: ROWS, last: ROWS });
  for (
    const sql of [
      `UPDATE system SET value = '${forged}' WHERE key = '${HEAD_KEY}'`,
      `DELETE FROM system WHERE key = '${HEAD_KEY}'`,
    ]
  ) assert.deepEqual(await faultOf(fleet, (run) => run(sql)), { row: ROWS + 1, fault: "head_forged" }, sql);
});

Deno.test("sealAudit() seals nothing after an end that differs from the signed one", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const { ctx } = fleet;
  await ctx.db.execute(`UPDATE audit_log SET hash = 'x' WHERE id = ${ROWS}`);
  await ctx.db.execute(noteAudit(ctx.now(), { kind: "exported", actor: null }));
  assert.equal(await sealAudit(ctx), 0);
  assert.deepEqual(await check(fleet), { row: ROWS, fault: "edited" });
});

Deno.test("sealAudit() does not seal rows again when an older head was put back", async () => {
  const { fleet: { ctx }, fleet, lines } = await openHands();
  await using _ = fleet;
  await ctx.db.execute({ sql: "UPDATE system SET value = ? WHERE key = ?", args: [lines[1]!, HEAD_KEY] });
  await ctx.db.execute("UPDATE audit_log SET data = '{}' WHERE id = 10");
  await ctx.db.execute(noteAudit(ctx.now(), { kind: "settings_changed", actor: null }));
  assert.equal(await sealAudit(ctx), 0);
  assert.equal((await check(fleet))?.row, 10);
});

Deno.test("sealAudit() of two edges at once seals each row once, in order, during other writes", async () => {
  const { fleet } = await openLog();
  await using _ = fleet;
  const { ctx } = fleet;
  const write = (n: number) =>
    ctx.db.execute(noteAudit(ctx.now(), { kind: "exported", actor: null, data: { n } }));
  await Promise.all(Array.from({ length: 60 }, (_, n) => n % 3 === 0 ? sealAudit(ctx) : write(n)));
  await sealAudit(ctx);
  assert.equal(await check(fleet), null);
  assert.equal(await countRows(fleet), ROWS + 40);
});

Deno.test("checkChain() accepts rows lost with a backup once the restore was recorded", async () => {
  const { fleet, lines } = await openHands();
  await using _ = fleet;
  await fleet.ctx.db.execute("DELETE FROM audit_log WHERE id > 4");
  await fleet.ctx.db.execute(`UPDATE system SET value = '${lines[0]}' WHERE key = '${HEAD_KEY}'`);
  assert.deepEqual(await check(fleet), { row: 5, fault: "cut" });
  lines.push(signHead(fleet.ctx.audit.sealKeys[0], { ...NO_HEAD, restored: true }));
  assert.equal(await check(fleet), null);
});

const NEXT_KEY = "the next key of tests, long enough to be one";

Deno.test("checkAudit() under two keys accepts both keys' seals, and the next key alone finds the chain whole", async () => {
  const { fleet, lines } = await openHands();
  await using _ = fleet;
  const { ctx } = fleet;
  ctx.audit = testAuditParts(lines, [NEXT_KEY]);
  assert.deepEqual(await check(fleet), { row: 1, fault: "forged" });
  ctx.audit = testAuditParts(lines, [NEXT_KEY, TEST_APP_KEY]);
  assert.equal(await check(fleet), null);
  const written = lines.length;
  await checkAudit(ctx);
  await checkAudit(ctx);
  assert.equal(lines.length, written + 1, "it is said once, outside as well");

  ctx.audit = testAuditParts(lines, [NEXT_KEY]);
  await ctx.db.execute(noteAudit(ctx.now(), { kind: "exported", actor: null }));
  assert.equal(await sealAudit(ctx), 1);
  assert.equal(await check(fleet), null);
  const forger = { ...ctx, audit: { ...testAuditParts(), sealKeys: [new Uint8Array(32)] as const } };
  const faults = [
    await faultOf(fleet, (run) => run("UPDATE audit_log SET actor = 12 WHERE id = 3")),
    await faultOf(fleet, (run) => run("DELETE FROM audit_log WHERE id = 3")),
    await faultOf(fleet, async (run) => {
      await run("UPDATE audit_log SET data = '{}' WHERE id = 3");
      await run("UPDATE audit_log SET hash = NULL, seal = NULL");
      await run(`DELETE FROM system WHERE key = '${HEAD_KEY}'`);
      await sealAudit(forger);
    }),
    await faultOf(fleet, (run) => run(`DELETE FROM system WHERE key = '${VOUCHED_KEY}'`)),
    await faultOf(fleet, (run) => run("DELETE FROM audit_log WHERE id > 4")),
  ];
  assert.deepEqual(faults, [
    { row: 3, fault: "edited" },
    { row: 3, fault: "missing" },
    { row: ROWS, fault: "forged" },
    { row: 1, fault: "forged" },
    { row: 5, fault: "cut" },
  ]);
});

Deno.test("checkAudit() finds a chain whole that two edges sealed with different keys, each reading the other's", async () => {
  const { fleet, lines } = await openLog();
  await using _ = fleet;
  const edges = [[TEST_APP_KEY, NEXT_KEY], [NEXT_KEY, TEST_APP_KEY]] as const;
  const [before, after] = edges.map((keys) => ({ ...fleet.ctx, audit: testAuditParts(lines, keys) }));
  for (const ctx of [before!, after!, before!, after!, before!]) {
    await ctx.db.execute(noteAudit(ctx.now(), { kind: "exported", actor: null }));
    assert.equal(await sealAudit(ctx), 1);
    await checkAudit(ctx);
    assert.deepEqual((await readChain(ctx === before ? after! : before!)).fault, null);
  }
  fleet.ctx.audit = testAuditParts(lines, [NEXT_KEY]);
  assert.notEqual(await check(fleet), null, "the other key's last row is not vouched for");
  await checkAudit(after!);
  assert.equal(await check(fleet), null);
});

Deno.test("checkAudit() stores a finding, which nobody without the key can clear", async () => {
  const { fleet } = await openHands();
  await using _ = fleet;
  const { ctx } = fleet;
  assert.deepEqual(await readChain(ctx), { checkedAt: null, rows: 0, fault: null, open: 0, openSince: null });
  await checkAudit(ctx);
  const whole = { checkedAt: ctx.now(), rows: ROWS, fault: null, open: 0, openSince: null };
  assert.deepEqual(await readChain(ctx), whole);
  await ctx.db.execute("UPDATE audit_log SET actor = 99 WHERE id = 6");
  fleet.pass(1000);
  await checkAudit(ctx);
  assert.deepEqual((await readChain(ctx)).fault, { row: 6, fault: "edited" });
  await ctx.db.execute(
    `UPDATE system SET value = replace(value, '"fault":{"row":6,"fault":"edited"}', '"fault":null')
    WHERE key = 'audit_check'`,
  );
  assert.equal((await readChain(ctx)).checkedAt, null);
});
