/** Databases of earlier releases, with rows in every table, are opened by this release. */
import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { auditQueue } from "../queue/audit.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { connectDatabase } from "./connect.ts";
import { migrateDatabase, readSchema, type Schema } from "./migrate.ts";
import { LAST_WITH_TRIGGERS } from "./rules.ts";

const LIST_TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
const LIST_TRIGGERS = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid";
const LAST_OF_BEFORE = ["0001_rules", "0008_replies", "0016_told_after_failed", "0019_no_blocked_until"];

/** Rows of a small world, by the migration that created their table: a campaign with one outcome of each kind. */
const ROWS: Record<string, string[]> = {
  "0000_tables": [
    `INSERT INTO users (username, username_key, password_hash, role, created_at)
      VALUES ('client', 'client', '', 'client', 1), ('admin', 'admin', '', 'admin', 1)`,
    "INSERT INTO sessions (id_hash, user, created_at, last_seen_at) VALUES ('s', 1, 1, 1)",
    "INSERT INTO login_attempts (key, failures, first_at) VALUES ('k', 1, 1)",
    "INSERT INTO settings (key, value, updated_at) VALUES ('rateLimit', '1', 1)",
    "INSERT INTO system (key, value) VALUES ('generation', 'g')",
    "INSERT INTO ticks (name, claimed_until) VALUES ('expire_leases', 1)",
    `INSERT INTO sites (name, public_key, answered_generation, created_at) VALUES ('site', 'key', 'g', 1)`,
    "INSERT INTO join_tokens (hash, site, expires_at) VALUES ('h', 1, 1)",
    "INSERT INTO agent_tokens_seen (jti, expires_at) VALUES ('j', 1)",
    `INSERT INTO devices (site, key, address, state, first_seen_at, updated_at) VALUES (1, 'D', 'D', 'online', 1, 1)`,
    `INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at) VALUES (1, 1, 'D/0/app', 'ok', 1, 1)`,
    `INSERT INTO images (sha256, media_type, bytes, width, height, created_at) VALUES ('i', 'image/png', x'00', 1, 1, 1)`,
    `INSERT INTO campaigns (client, name, message, image, status, queued_count, created_at, updated_at)
      VALUES (1, 'name', 'words', 'i', 'ready', 5, 1, 1)`,
    `INSERT INTO imports (campaign, file_name, status, added, created_at, updated_at)
      VALUES (1, 'list.csv', 'completed', 5, 1, 1)`,
    `INSERT INTO deliveries (campaign, phone, import, updated_at) VALUES (1, 972540000001, 1, 1),
      (1, 972540000002, 1, 1), (1, 972540000003, 1, 1), (1, 972540000004, 1, 1), (1, 972540000005, 1, 1)`,
    "INSERT INTO suppressions (phone, source, at) VALUES (972540000004, 'manual', 1)",
    "INSERT INTO activity (at, kind, code, data) VALUES (1, 'info', 'site_created', '{}')",
    `INSERT INTO resends (campaign, phone, attempt, token, site, known, user, at)
      VALUES (1, 972540000003, 1, 't', 1, 1, 2, 1)`,
  ],
  "0001_rules": [
    "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 1, 'grant', 10)",
    "UPDATE campaigns SET status = 'processing', reserved = 5, send_at = 1",
    "INSERT INTO quota_ledger (client, at, kind, delta, campaign) VALUES (1, 1, 'reserve', -5, 1)",
    leaseRow("IN (1, 2, 3)"),
    "UPDATE campaigns SET status = 'active', first_acked_at = 2",
    "UPDATE deliveries SET state = 'sent', by = 1, tapped_at = 3, updated_at = 3 WHERE id = 1",
    "UPDATE deliveries SET state = 'failed', by = 1, reason = 'not_on_app', updated_at = 3 WHERE id = 2",
    "UPDATE deliveries SET state = 'unknown', by = 3, updated_at = 3 WHERE id = 3",
    "UPDATE deliveries SET state = 'skipped', reason = 'suppressed', updated_at = 3 WHERE id = 4",
    `INSERT INTO attempts (campaign, phone, attempt, token, site, outcome, at)
      VALUES (1, 972540000003, 1, 't', 1, 'unknown', 3)`,
  ],
  "0003_admin": [
    "INSERT INTO account_hours (hour, account, sent) VALUES (0, 1, 1) ON CONFLICT DO NOTHING",
    "INSERT INTO fleet_hours (hour, sent) VALUES (0, 1)",
    "INSERT INTO commands (device, site, kind, user, created_at) VALUES (1, 1, 'health', 2, 1)",
    "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (1, 'file', 0, x'00')",
  ],
  "0005_health": [
    "INSERT INTO recipients (client, phone, last_marketing_at, campaign) VALUES (1, 972540000001, 3, 1)",
    "INSERT INTO breaker_trips (at, campaign, signal, count, sample) VALUES (1, 1, 'failed', 1, 1)",
    "INSERT INTO campaign_marks (campaign, outcomes, failed, unknown, opted_out) VALUES (1, 3, 1, 1, 0)",
    "INSERT INTO campaign_bans (campaign, account, at) VALUES (1, 1, 1)",
    "INSERT INTO account_scores (account, day, score, reason) VALUES (1, 20000, 1, 'new')",
  ],
  "0006_audit_log": ["INSERT INTO audit_log (at, kind, data) VALUES (1, 'login', '{}')"],
  "0006_number_views": ["INSERT INTO number_views (session, campaign, until) VALUES ('s', 1, 1)"],
  "0006_privacy": [
    `INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked, done_at)
      VALUES (1, 2, 'asked', 'm', 'n', 'h', 1, 1)`,
    "INSERT INTO erasure_sites (erasure, site, answered_at) VALUES (1, 1, 1)",
    "INSERT INTO blocked_marks (mark, bucket, at) VALUES ('m', 1, 1)",
  ],
  "0007_lawful": [
    `INSERT INTO advertisers (client, name, address, contact_phone, contact_email, updated_at)
      VALUES (1, 'n', 'a', 'p', 'e', 1)`,
    "INSERT INTO consent_declarations (client, at, user, basis, source) VALUES (1, 1, 1, 'asked', 'form')",
    "INSERT INTO consents (client, phone, declaration) VALUES (1, 972540000001, 1)",
    "INSERT INTO unconsented (campaign, phone, import) VALUES (1, 972540000009, 1)",
  ],
  "0008_replies": [
    `INSERT INTO replies (campaign, client, phone, site, reply, state, excerpt, at, received_at)
      VALUES (1, 1, 972540000001, 1, 'r', 'ignored', '', 1, 1)`,
  ],
  "0013_second_factor": [
    "INSERT INTO second_factors (user, secret) VALUES (2, 's')",
    "INSERT INTO recovery_codes (code_hash, user) VALUES ('c', 2)",
  ],
  "0022_lost_reaches": [
    "INSERT INTO lost_reaches (client, phone, site, at) VALUES (1, 972540000001, 1, 1)",
    "INSERT INTO lost_campaigns (id, client, at) VALUES (9, 1, 1)",
  ],
  "0027_trust": ["INSERT INTO past_paces (seconds, until) VALUES (1, 1)"],
  "0048_lost_messages": [
    `INSERT INTO lost_messages (phone, campaign, site, client, is_sent, tapped_at, at)
      VALUES (972540000001, 9, 1, 1, 1, 1, 1)`,
  ],
};

function leaseRow(ids: string): string {
  return `UPDATE deliveries SET state = 'leased', by = 0, token = 't', site = 1, account = 1, attempt = 1,
    leased_at = 2, leased_day = 20000, acked_at = 2, updated_at = 2 WHERE id ${ids}`;
}

for (const remote of [false, true]) {
  for (const last of [...LAST_OF_BEFORE, LAST_WITH_TRIGGERS]) {
    Deno.test(`a database of ${last} in ${remote ? "a remote database" : "a file"} is migrated, and its audit finds nothing`, async () => {
      await using database = await openTestDatabase({ remote, migrated: false });
      const { db } = database;
      const schema = await readSchema();
      await makeOldDatabase(db, schema, last);
      await migrateDatabase(db, schema);

      const { rows } = await db.execute(LIST_TRIGGERS);
      assert.deepEqual(rows.map(({ sql }) => sql), rulesOf(schema).map(withoutComments));
      assert.deepEqual(await auditQueue(db), []);
      await db.batch([leaseRow("= 5"), "UPDATE deliveries SET state = 'sent', by = 1 WHERE id = 5"], "write");
      const { rows: [campaign] } = await db.execute("SELECT status, sent_count AS sent FROM campaigns");
      assert.deepEqual({ ...campaign }, { status: "completed_with_errors", sent: 2 });
      assert.deepEqual(await auditQueue(db), []);
    });
  }

  Deno.test(`two edges of two releases that start in turn leave ${remote ? "a remote database" : "a file"} with the rules of the newer`, async () => {
    await using database = await openTestDatabase({ remote, migrated: false });
    const older = await readSchema();
    const newer = {
      ...older,
      rules: { version: older.rules!.version + 1, statements: rulesOf(older).slice(1) },
    };
    const before: Schema = { ...older, rules: null };
    const present = async () => (await database.db.execute(LIST_TRIGGERS)).rows.length;
    for (const schema of [before, older, newer, older, before, newer]) {
      const edge = await connectDatabase(database.url);
      await migrateDatabase(edge, schema);
      edge.close();
      if (schema === newer) assert.equal(await present(), rulesOf(newer).length);
    }
    assert.equal(await present(), rulesOf(newer).length);
    await Promise.all([older, newer, older, newer].map((schema) => migrateDatabase(database.db, schema)));
    assert.equal(await present(), rulesOf(newer).length);
  });
}

Deno.test("a later migration runs while the database has no trigger, and the rules exist after it", async () => {
  await using database = await openTestDatabase();
  const schema = await readSchema();
  const later = {
    name: "9000_later",
    sha256: "later",
    statements: [
      "CREATE TABLE later AS SELECT count(*) AS triggers FROM sqlite_schema WHERE type = 'trigger'",
    ],
  };
  const next: Schema = {
    migrations: [...schema.migrations, later],
    rules: { version: schema.rules!.version + 1, statements: rulesOf(schema) },
  };
  assert.deepEqual(await migrateDatabase(database.db, next), ["9000_later"]);
  const { rows: [seen] } = await database.db.execute("SELECT triggers FROM later");
  assert.equal(seen!.triggers, 0);
  assert.equal((await database.db.execute(LIST_TRIGGERS)).rows.length, rulesOf(schema).length);
});

/** Makes a database as the release with the last migration `last` made it, with rows in every table. */
async function makeOldDatabase(db: Client, { migrations }: Schema, last: string): Promise<void> {
  await migrateDatabase(db, { migrations: migrations.filter(({ name }) => name <= last), rules: null });
  for (const [migration, statements] of Object.entries(ROWS)) {
    if (migration <= last) await db.batch(statements, "write");
  }
  const { rows: tables } = await db.execute(LIST_TABLES);
  for (const { name } of tables) {
    const { rows } = await db.execute(`SELECT 1 FROM ${name} LIMIT 1`);
    assert.equal(rows.length, 1, `${name} has no row`);
  }
}

function rulesOf({ rules }: Schema): string[] {
  return rules!.statements;
}

/** SQLite stores a statement from its first word on, without comments before it. */
function withoutComments(statement: string): string {
  return statement.slice(statement.indexOf("CREATE TRIGGER"));
}
