import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@libsql/client/web";
import { DISK } from "shared/testing/memory_folder.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { testContext } from "../testing/test_context.ts";
import { testAuditParts } from "../testing/audit_parts.ts";
import { openChainParts } from "../audit_log/audit_parts.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { HEAD_KEY, sealAudit } from "../audit_log/seal.ts";

const APP_KEY = "a key of this test, long enough to be one";

/** Runs `deno task audit:log` under the permissions of its task. */
async function check(
  url: string,
  dataDir: string,
  key: Record<string, string> = { APP_KEY },
): Promise<{ code: number; output: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ..."run -q --allow-net --allow-read --allow-write --allow-env --allow-sys".split(" "),
      new URL("./audit_log.ts", import.meta.url).pathname,
    ],
    env: { DATABASE_URL: url, DATA_DIR: dataDir, ...key },
    stderr: "inherit",
  }).output();
  return { code, output: new TextDecoder().decode(stdout).trim() };
}

/** Writes ten rows, sealed five at a time, as the edge with this DATA_DIR. */
async function fill(db: Client, dataDir: string): Promise<string[]> {
  const audit = { ...testAuditParts(), ...openChainParts([APP_KEY], { keepsFiles: true, dataDir }) };
  const ctx = testContext(db, { now: () => 1_000, audit });
  for (let row = 1; row <= 10; row++) {
    await db.execute(noteAudit(row, { kind: "exported", actor: null, data: { what: "devices" } }));
    if (row % 5 === 0) await sealAudit(ctx);
  }
  return await audit.heads.read();
}

Deno.test("audit_log.ts prints that the log is whole, or the first broken row", async () => {
  await using database = await openTestDatabase({ under: DISK });
  const { db, url } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "shigur-audit-"));
  try {
    const heads = await fill(db, dataDir);
    const whole = "10 rows are as sealed, 0 are not sealed yet; compared with 2 heads in DATA_DIR.";
    assert.deepEqual(await check(url, dataDir), { code: 0, output: whole });

    await db.execute("DROP TRIGGER audit_log_written_once");
    await db.execute("DROP TRIGGER audit_log_append_only");
    await db.execute("UPDATE audit_log SET at = 99 WHERE id = 7");
    const edited = await check(url, dataDir);
    assert.equal(edited.code, 1);
    assert.match(edited.output, /Row 7 differs from what was sealed/);
    await db.execute("UPDATE audit_log SET at = 7 WHERE id = 7");

    await db.execute("DELETE FROM audit_log WHERE id > 5");
    await db.execute({ sql: "UPDATE system SET value = ? WHERE key = ?", args: [heads[0]!, HEAD_KEY] });
    assert.match((await check(url, dataDir)).output, /Row 6 and the rows after it were cut off/);
    // An attacker who can also shorten the file of heads is found only by a head stored elsewhere
    // (docs/audit_log.md).
    await writeFile(join(dataDir, "audit_heads.jsonl"), `${heads[0]}\n`);
    assert.equal((await check(url, dataDir)).code, 0);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

Deno.test("audit_log.ts creates no key where there is none: it would report every row as forged", async () => {
  await using database = await openTestDatabase({ under: DISK });
  const dataDir = await mkdtemp(join(tmpdir(), "shigur-audit-"));
  try {
    await fill(database.db, dataDir);
    const { code, output } = await check(database.url, dataDir, {});
    assert.deepEqual([code, /APP_KEY is not set, and DATA_DIR .* has no app_key/.test(output)], [1, true]);
    assert.deepEqual(Array.from(Deno.readDirSync(dataDir), ({ name }) => name), ["audit_heads.jsonl"]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
