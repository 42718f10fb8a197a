import assert from "node:assert/strict";
import { DELIVERY_STATES, LEGAL_MOVES } from "shared/delivery.ts";
import { openTestDatabase } from "../testing/test_db.ts";

Deno.test("0001_rules.sql lets a delivery move exactly as LEGAL_MOVES says", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.batch([
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
    // Ready: nothing is held yet, so that only the moves themselves are in question.
    `INSERT INTO campaigns (client, name, message, status, created_at, updated_at) VALUES (1, '', '', 'ready', 0, 0)`,
    `INSERT INTO deliveries (campaign, phone, account, leased_day, updated_at) VALUES (1, 972540000001, 1, 1, 0)`,
  ], "write");
  for (const from of DELIVERY_STATES) {
    for (const to of DELIVERY_STATES) {
      await db.execute("DELETE FROM deliveries");
      await db.execute({
        sql: `INSERT INTO deliveries (campaign, phone, account, leased_day, state, updated_at)
          VALUES (1, 972540000001, 1, 1, ?, 0)`,
        args: [from],
      });
      const move = db.execute({ sql: "UPDATE deliveries SET state = ?", args: [to] });
      if (from === to || LEGAL_MOVES[from].includes(to)) await move;
      else await assert.rejects(move, /illegal move/, `${from} > ${to}`);
    }
  }
});

Deno.test("0001_rules.sql keeps the ledger append-only and its balance never negative", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.batch([
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
    "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 0, 'grant', 5)",
  ], "write");
  await assert.rejects(db.execute("DELETE FROM quota_ledger"), /append-only/);
  await assert.rejects(db.execute("UPDATE quota_ledger SET delta = 6"), /append-only/);
  await assert.rejects(
    db.execute("INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 0, 'reserve', -6)"),
    /CHECK/,
  );
  const { rows } = await db.execute("SELECT message_quota FROM users");
  assert.equal(rows[0].message_quota, 5);
});
