/** That an erasure reaches every table about a person: those of today, and those that somebody adds later. */
import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { erasureSchema } from "shared/privacy.ts";
import { blocksOf, KeyEntries } from "../people/key_entries.ts";
import { keyOf } from "../people/value_keys.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { openTestDatabase } from "../testing/test_db.ts";

const PHONE = 972_543_710_968;

/** Texts and bytes of tables without a column `phone`, each with why it holds nothing of a recipient, or who erases it. */
const OTHER_TEXTS: Record<string, Record<string, string>> = {
  "erase_numbers.ts searches it": {
    accounts: "own_number",
    activity: "data",
    commands: "detail",
    events: "data",
    import_chunks: "bytes",
    staged_chunks: "bytes",
  },
  "people/remove_contacts.ts takes the person out": { contact_blocks: "bytes last" },
  "words of a person who works here, or of their machines": {
    accounts: "key state app_version recent user_kind label unknown_screen",
    account_scores: "reason",
    activity: "kind code",
    advertisers: "name address contact_phone contact_email",
    alert_messages: "cause channel state reason",
    alert_quiets: "cause kind",
    alert_choices: "code",
    breaker_trips: "signal",
    campaigns:
      "name message image kind status paused_by sent_text sent_parts required_fields hours_waived_why",
    column_choices: "choice",
    commands: "kind status",
    consent_declarations: "basis source obtained_on",
    devices: "key address model android_version state addresses state_detail trial",
    events: "type",
    images: "sha256 media_type bytes",
    import_chunks: "kind",
    imports: "file_name status error worker column_name choice fields",
    lists: "name name_key fields",
    quota_ledger: "kind request_id reason",
    saved_messages: "name message kind image",
    sent_variants: "text parts required_fields",
    settings: "key value",
    sites:
      "name public_key stop_reason journal_id answered_generation agent_version protocol told_generation " +
      "inventory_changes unconfirmed_rest",
    staged_files: "file_name kind notes sheets",
    statement_mails: "email",
    statement_messages: "month state reason",
    system: "key value",
    ticks: "name",
    users: "username username_key password_hash role",
    variants: "message",
  },
  "marks and hashes": {
    agent_tokens_seen: "jti",
    audit_log: "kind actor_name data hash seal",
    blocked_marks: "mark",
    column_choices: "headings_key",
    erasure_sites: "hash",
    join_tokens: "hash",
    list_views: "session",
    login_attempts: "key",
    number_views: "session",
    recovery_codes: "code_hash",
    schema_migrations: "name sha256",
    second_factors: "secret",
    sessions: "id_hash user_agent",
    staged_files: "headings_key",
  },
};

const COLUMNS = `SELECT t.name AS "table", c.name AS "column", upper(c.type) AS type, c."notnull" AS required,
    c.dflt_value AS standard, c.pk, EXISTS (SELECT 1 FROM pragma_table_info(t.name) p WHERE p.name = 'phone') AS "hasPhone"
  FROM sqlite_schema t, pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`;

interface ColumnOf {
  table: string;
  column: string;
  type: string;
  required: number;
  standard: unknown;
  pk: number;
  hasPhone: number;
}

async function columnsOf(db: Client): Promise<ColumnOf[]> {
  return (await db.execute(COLUMNS)).rows.map((row) => ({ ...row }) as unknown as ColumnOf);
}

Deno.test("every text of a table without a number is known, and so is who erases it", async () => {
  await using database = await openTestDatabase();
  const columns = await columnsOf(database.db);
  const present = columns.filter(({ hasPhone, type }) => hasPhone === 0 && /TEXT|BLOB/.test(type))
    .map(({ table, column }) => `${table}.${column}`).sort();
  const known = Object.values(OTHER_TEXTS).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`))
  ).sort();
  assert.deepEqual(
    present,
    known,
    "A table about a person needs a column `phone`; any other text has to be named here, with its reason",
  );
});

Deno.test("an erasure reaches a row of every table that has a number", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet, admin } = house;
  const { db } = edge.ctx;
  const campaign = await fleet.addCampaign(await fleet.addClient(0), 1);
  const list = await db.execute(
    "INSERT INTO lists (client, name, name_key, size, created_at, updated_at) SELECT client, 'x', 'x', 1, 0, 0 FROM campaigns RETURNING id",
  );
  const { client } = await fleet.one(`SELECT client FROM campaigns WHERE id = ${campaign.id}`);
  const given: Record<string, unknown> = {
    campaign: campaign.id,
    client,
    list: list.rows[0]!.id,
    phone: PHONE,
  };
  const columns = await columnsOf(db);
  const tables = new Set(columns.filter(({ hasPhone }) => hasPhone === 1).map(({ table }) => table));
  tables.delete("erasures");
  assert.ok(tables.size > 10, [...tables].join());
  for (const table of tables) {
    const own = columns.filter((one) => one.table === table);
    const written = own.filter(({ column, required, standard, pk, type }) =>
      column in given ||
      (required === 1 && standard === null && !(pk === 1 && type === "INTEGER" && column === "id"))
    );
    const values = written.map(({ column, type }) => given[column] ?? (/TEXT/.test(type) ? "x" : 1));
    await db.execute({
      sql: `INSERT INTO ${table} (${written.map(({ column }) => `"${column}"`).join()})
        VALUES (${written.map(() => "?").join()})`,
      args: values as (string | number)[],
    });
  }
  const entries = new KeyEntries();
  entries.add(0, keyOf("דנה"));
  const [block] = blocksOf(entries, Uint32Array.of(0), [PHONE]);
  await db.execute({
    sql: "INSERT INTO contact_blocks (run, no, last, bytes) VALUES (1, 1, ?, ?)",
    args: [block!.last, block!.bytes],
  });
  await db.batch([
    { sql: "INSERT INTO contact_runs (id, client) VALUES (1, ?)", args: [Number(client)] },
    'UPDATE contacts SET run = 1, fields = \'{"a":"דנה"}\'',
    'UPDATE deliveries SET fields = \'{"a":"דנה"}\'',
  ], "write");

  const json = { phone: `+${PHONE}`, reason: "בקשה של בעל המספר", block: false };
  const answer = await admin.ask("/api/admin/erasures", { method: "POST", json });
  const { databaseAt, removed } = erasureSchema.parse(await answer.json());
  assert.ok(databaseAt !== null);
  for (const table of [...tables, "contact_blocks"]) {
    const held = columns.some((one) => one.table === table && one.column === "phone")
      ? await db.execute(`SELECT 1 FROM "${table}" WHERE phone = ${PHONE}`)
      : await db.execute(`SELECT 1 FROM "${table}"`);
    assert.equal(held.rows.length, 0, table);
  }
  const { rows: values } = await db.execute(
    `SELECT 1 FROM deliveries WHERE phone < 0 AND fields IS NOT NULL`,
  );
  assert.equal(values.length, 0);
  assert.deepEqual([removed.contacts, removed.list_members], [1, 1]);
  assert.equal((await fleet.one("SELECT size FROM lists")).size, 0);
});
