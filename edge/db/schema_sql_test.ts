import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { readSchema } from "./migrate.ts";
import { printSchema } from "./print_schema.ts";
import { hashRules, LAST_WITH_TRIGGERS, readRules, RULES } from "./rules.ts";

Deno.test("schema.sql shows the result of the migrations and rules; `deno task schema` writes it", async () => {
  await using database = await openTestDatabase();
  const written = await Deno.readTextFile(new URL("./schema.sql", import.meta.url));
  assert.equal(written, await printSchema(database.db));
});

Deno.test("a changed rule or a new migration needs a higher RULES.version and the RULES.sha256 shown here", async () => {
  const { rules, migrations } = await readSchema();
  assert.equal(RULES.sha256, hashRules(rules!, migrations));
});

Deno.test("a later migration creates and drops no trigger: only rules/ does", async () => {
  const { migrations } = await readSchema();
  for (const { name, statements } of migrations.filter(({ name }) => name > LAST_WITH_TRIGGERS)) {
    assert.ok(!statements.some((statement) => /\bTRIGGER\b/i.test(statement)), name);
  }
});

Deno.test("readRules() reads a trigger up to each line END; in file order, and refuses an unfinished one", async () => {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    await Deno.writeTextFile(new URL("02_b.sql", folder), "CREATE TRIGGER b\nBEGIN\n  SELECT 1;\nEND;\n");
    await Deno.writeTextFile(
      new URL("01_a.sql", folder),
      "-- a;\nCREATE TRIGGER a\r\nBEGIN\nEND;\n\nCREATE TRIGGER c\nEND;\n",
    );
    const { statements } = await readRules(folder);
    assert.deepEqual(statements, [
      "-- a;\nCREATE TRIGGER a\nBEGIN\nEND",
      "CREATE TRIGGER c\nEND",
      "CREATE TRIGGER b\nBEGIN\n  SELECT 1;\nEND",
    ]);
    await Deno.writeTextFile(new URL("03_c.sql", folder), "CREATE TRIGGER d BEGIN SELECT 1; END;\n");
    await assert.rejects(readRules(folder), /a trigger has no line END;/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
