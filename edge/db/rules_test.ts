import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { DELIVERY_STATES, isLegalMove, type Move, MOVED_BY } from "shared/delivery.ts";
import { openTestDatabase } from "../testing/test_db.ts";

/** Every state with every mover; a leased row is acknowledged or not. */
const HOLDERS = DELIVERY_STATES.flatMap((state) => Object.values(MOVED_BY).map((by) => ({ state, by })));

Deno.test("the database allows exactly the moves of LEGAL_MOVES, in every combination of state, by and acknowledgement (rule 8)", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.batch([
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
    // The campaign is ready and holds nothing yet, so only the moves themselves are tested.
    `INSERT INTO campaigns (client, name, message, status, created_at, updated_at) VALUES (1, '', '', 'ready', 0, 0)`,
  ], "write");
  const disagreed: Move[] = [];
  let tried = 0;
  for (const { state: from, by: was } of HOLDERS) {
    for (const acked of [false, true]) {
      for (const { state: to, by } of HOLDERS) {
        const move = { from, was, acked, to, by };
        const stays = from === to && was === by;
        tried += 1;
        if (await isTaken(db, move) !== (stays || isLegalMove(move))) disagreed.push(move);
      }
    }
  }
  assert.equal(tried, 2 * 49 * 49);
  assert.deepEqual(disagreed, []);
});

async function isTaken(db: Client, { from, was, acked, to, by }: Move): Promise<boolean> {
  try {
    await db.batch([
      "DELETE FROM deliveries",
      {
        sql: `INSERT INTO deliveries (campaign, phone, account, leased_at, leased_day, state, by, acked_at,
          updated_at)
          VALUES (1, 972540000001, 1, 1, 1, ?, ?, ?, 0)`,
        args: [from, was, acked ? 1 : null],
      },
      { sql: "UPDATE deliveries SET state = ?, by = ?", args: [to, by] },
    ], "write");
    return true;
  } catch (error) {
    assert.match(String(error), /illegal move/);
    return false;
  }
}

Deno.test("the database refuses another `by` for a delivery whose state does not change (rule 11)", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.batch([
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
    `INSERT INTO campaigns (client, name, message, status, created_at, updated_at) VALUES (1, '', '', 'ready', 0, 0)`,
    "INSERT INTO deliveries (campaign, phone, state, by, updated_at) VALUES (1, 972540000001, 'sent', 1, 0)",
  ], "write");
  await assert.rejects(db.execute("UPDATE deliveries SET by = 2"), /illegal move/);
});

Deno.test("the database keeps the ledger append-only and its balance never negative", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.batch([
    "INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('a', 'a', '', 'client', 0)",
    "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 0, 'grant', 5)",
  ], "write");
  await assert.rejects(db.execute("DELETE FROM quota_ledger"), /append-only/);
  for (const column of ["client", "at", "kind", "delta", "campaign", "delivery"]) {
    await assert.rejects(db.execute(`UPDATE quota_ledger SET ${column} = 6`), /append-only/, column);
  }
  await assert.rejects(
    db.execute("INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 0, 'reserve', -6)"),
    /CHECK/,
  );
  const { rows } = await db.execute("SELECT message_quota FROM users");
  assert.equal(rows[0].message_quota, 5);
});
