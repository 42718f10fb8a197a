import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Client, InStatement, TransactionMode } from "@libsql/client/web";
import { errorBodySchema } from "shared/error_code.ts";
import { erasureSchema } from "shared/privacy.ts";
import {
  MAX_STAGED_BYTES,
  MAX_STAGED_BYTES_IN_ALL,
  type StagedFile,
  stagedFileSchema,
} from "shared/staged_api.ts";
import { type StagedText, stageFile } from "../staging/stage_file.ts";
import { openTestApp, PROOF, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { turnByTimer } from "../time/turn_loop.ts";
import { eraseNumbers } from "./erase_numbers.ts";
import { startErasure } from "./start_erasure.ts";

const PHONE = "0540000001";
const REQUEST = { phone: PHONE, reason: "בקשת מחיקה", block: false };
const MINUTE = 60_000;

/** One person's number, written as spreadsheets and chats pass it on. */
const WRITINGS: Record<string, string> = {
  "no-break spaces": "054\u00a0000\u202f0001",
  "no-break hyphens": "054\u2011000\u20110001",
  "direction marks": "\u2066054\u200e0000001\u2069",
  "Arabic digits": "٠٥٤٠٠٠٠٠٠١",
  "minus signs": "+972\u221254\u2212000\u22120001",
  "a lost zero": "54-000-0001",
  "another country's prefix": "012 972 54 000 0001",
  "both zeros": "+972 (0)54 000 0001",
  "a line end in its cell": '"054\n0000001"',
};

async function stage(person: TestPerson, content: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const body = new FormData();
  body.set("file", new File([content], "לקוחות.csv"));
  return await person.ask("/api/staged-files", { method: "POST", body });
}

async function staged(person: TestPerson, content: string): Promise<StagedFile> {
  const answer = await stage(person, content);
  assert.equal(answer.status, 200, await answer.clone().text());
  return stagedFileSchema.parse(await answer.json());
}

const isKept = async (person: TestPerson, id: number) =>
  (await person.ask(`/api/staged-files/${id}`)).status === 200;

async function erase(admin: TestPerson) {
  const answer = await admin.ask("/api/admin/erasures", { method: "POST", json: { ...REQUEST, ...PROOF } });
  assert.equal(answer.status, 201, await answer.clone().text());
  return erasureSchema.parse(await answer.json());
}

async function count(test: TestApp, table: string): Promise<number> {
  return Number((await test.ctx.db.execute(`SELECT count(*) AS n FROM "${table}"`)).rows[0]!.n);
}

/** Returns the database with a step of the caller's before a write transaction or a batch. */
function hooked(
  db: Client,
  before: { transaction?: () => Promise<void>; batch?: () => Promise<void> },
): Client {
  return {
    protocol: db.protocol,
    execute: (one: InStatement) => db.execute(one),
    transaction: async (mode: TransactionMode) => {
      await before.transaction?.();
      return await db.transaction(mode);
    },
    batch: async (all: InStatement[], mode: TransactionMode) => {
      await before.batch?.();
      return await db.batch(all, mode);
    },
  } as unknown as Client;
}

for (const [name, written] of Object.entries(WRITINGS)) {
  Deno.test(`an erasure finds a number with ${name}, in a staged file and in a file that was imported`, async () => {
    await using test = await openTestApp();
    const admin = await test.addPerson({ role: "admin" });
    const dana = await test.addPerson();
    const file = await staged(dana, `שם,טלפון\nדנה,${written}\n`);
    const other = await staged(dana, "שם,טלפון\nרות,0521111111\n");
    const raw = Buffer.from(`\ufeffשם\tטלפון\nדנה\t${written}\n`, "utf16le");
    await test.ctx.db.batch([
      "INSERT INTO imports (id, file_name, status, created_at, updated_at) VALUES (9, 'a', 'completed', 0, 0)",
      {
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (9, 'raw', 0, ?)",
        args: [raw.subarray(0, 31)],
      },
      {
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (9, 'raw', 1, ?)",
        args: [raw.subarray(31)],
      },
    ], "write");
    const { databaseAt } = await erase(admin);
    assert.ok(databaseAt !== null);
    assert.deepEqual([await isKept(dana, file.id), await isKept(dana, other.id)], [false, true]);
    assert.equal(await count(test, "import_chunks"), 0);
  });
}

Deno.test("a file that comes after the search and before the deletion does not escape an erasure", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const before = await staged(dana, PHONE);
  await startErasure(test.ctx, { id: 0 }, REQUEST);
  let late: StagedFile[] = [];
  const db = hooked(test.ctx.db, {
    transaction: async () => {
      if (late.length === 0) late = [await staged(dana, "٠٥٤٠٠٠٠٠٠١"), await staged(dana, "0521111111")];
    },
  });
  await eraseNumbers({ ...test.ctx, db });
  assert.equal(late.length, 2);
  const kept = await Promise.all([before, ...late].map(({ id }) => isKept(dana, id)));
  assert.deepEqual(kept, [false, false, true]);
});

Deno.test("an erasure ends an upload that is still being written: a part of a number may be there already", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  await startErasure(test.ctx, { id: 0 }, REQUEST);
  const csv = Buffer.from(`${"א,0521111111\n".repeat(150_000)}${PHONE}\n`);
  let batches = 0;
  const db = hooked(test.ctx.db, {
    batch: async () => {
      if (++batches === 2) await eraseNumbers(test.ctx);
    },
  });
  const text: StagedText = {
    fileName: "a.csv",
    kind: "csv",
    sheets: [],
    sheet: null,
    notes: [],
    headingsKey: null,
    csv,
  };
  await assert.rejects(stageFile({ ...test.ctx, db }, dana.id, text), { code: "not_found" });
  assert.deepEqual([await count(test, "staged_chunks"), await count(test, "staged_files")], [0, 0]);
});

Deno.test("an erasure that waits reads no file twice", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const file = await staged(dana, "0521111111");
  await startErasure(test.ctx, { id: 0 }, REQUEST);
  const event = `INSERT INTO events (type, at, data) VALUES ('x', ?, '{"phone":"972540000001"}')`;
  await test.ctx.db.execute({ sql: event, args: [test.ctx.now()] });
  const asked: string[] = [];
  const db = hooked(test.ctx.db, {});
  db.execute = ((one: InStatement) => {
    asked.push(typeof one === "string" ? one : one.sql);
    return test.ctx.db.execute(one);
  }) as Client["execute"];
  const reads = () => asked.filter((sql) => sql.startsWith("SELECT bytes")).length;
  await eraseNumbers({ ...test.ctx, db });
  assert.equal(reads(), 1);
  await eraseNumbers({ ...test.ctx, db });
  assert.equal(reads(), 1);
  test.clock.now += 2 * MINUTE;
  await eraseNumbers({ ...test.ctx, db });
  assert.equal(await isKept(dana, file.id), true);
  const { rows } = await test.ctx.db.execute("SELECT phone FROM erasures");
  assert.deepEqual(rows.map(({ phone }) => phone), [null]);
});

async function claimSpace(test: TestApp, user: number, bytes: number): Promise<void> {
  await test.ctx.db.execute({
    sql: `INSERT INTO staged_files (user, file_name, kind, sheets, notes, bytes, created_at)
      VALUES (?, 'a', 'csv', '[]', '[]', ?, ?)`,
    args: [user, bytes, test.ctx.now()],
  });
}

async function spaceOf(test: TestApp, user: number): Promise<number> {
  const sql = "SELECT coalesce(sum(bytes), 0) AS bytes FROM staged_files WHERE user = ?";
  return Number((await test.ctx.db.execute({ sql, args: [user] })).rows[0]!.bytes);
}

Deno.test("a person's staged files have so many bytes at most: the oldest makes room", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  await claimSpace(test, dana.id, MAX_STAGED_BYTES / 2);
  await claimSpace(test, dana.id, MAX_STAGED_BYTES / 2);
  const file = await staged(dana, PHONE);
  assert.equal(await spaceOf(test, dana.id), MAX_STAGED_BYTES / 2 + PHONE.length);
  assert.equal(await isKept(dana, file.id), true);
});

Deno.test("all staged files have so many bytes at most: the person with the most makes room, and nobody is shut out", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const crowd = Array.from({ length: MAX_STAGED_BYTES_IN_ALL / MAX_STAGED_BYTES }, (_, i) => 1_000 + i);
  for (const user of crowd) await claimSpace(test, user, MAX_STAGED_BYTES);
  const file = await staged(dana, PHONE);
  assert.equal(await isKept(dana, file.id), true);
  const spaces = await Promise.all(crowd.map((user) => spaceOf(test, user)));
  assert.equal(spaces.filter((bytes) => bytes === 0).length, 1);
});

Deno.test("a staged file is refused in plain words when it would be the largest of a full store", async () => {
  await using test = await openTestApp();
  const dana = await test.addPerson();
  const crowd = Array.from({ length: 512 }, (_, i) => 1_000 + i);
  for (const user of crowd) await claimSpace(test, user, MAX_STAGED_BYTES_IN_ALL / crowd.length);
  const answer = await stage(dana, "0540000001\n".repeat(60_000));
  assert.equal(answer.status, 409);
  const { code, error } = errorBodySchema.parse(await answer.json());
  assert.equal(code, "staging_full");
  assert.match(error, /אפשר לנסות שוב/);
  assert.equal(await count(test, "staged_files"), crowd.length, "nothing was dropped for it");
});

Deno.test("an erasure lets others write while it rewrites stored files and free pages, and loses none of theirs", async () => {
  await using test = await openTestApp();
  const admin = await test.addPerson({ role: "admin" });
  const dana = await test.addPerson();
  const { db } = test.ctx;
  const file = await staged(dana, "0521111111\n".repeat(400_000));
  await db.execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    INSERT INTO import_chunks (import, kind, no, bytes) SELECT 1, 'raw', i, zeroblob(1000000) FROM n`);
  await db.execute("DELETE FROM import_chunks WHERE no > 2");
  let isOver = false;
  const others: number[] = [];
  const write = async () => {
    for (let no = 100; !isOver; no++) {
      await db.execute({
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (1, 'raw', ?, x'00')",
        args: [no],
      });
      if (no % 2 === 0) await db.execute({ sql: "DELETE FROM import_chunks WHERE no = ?", args: [no] });
      else others.push(no);
      await turnByTimer();
    }
  };
  const writing = write();
  const { scrubbedAt } = await erase(admin).finally(() => isOver = true);
  await writing;
  assert.ok(scrubbedAt !== null);
  assert.ok(others.length > 10, `${others.length} writes came between`);
  assert.equal(await isKept(dana, file.id), true);
  const { rows } = await db.execute("SELECT no FROM import_chunks WHERE kind = 'raw' ORDER BY no");
  assert.deepEqual(rows.map(({ no }) => Number(no)), [1, 2, ...others]);
  const { rows: left } = await db.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'being%'");
  assert.deepEqual(left, []);
});
