import assert from "node:assert/strict";
import { isReadOnly } from "./read_only.ts";

Deno.test("isReadOnly() returns true for a statement that only reads", () => {
  for (
    const sql of [
      "SELECT 1",
      "  \n select * FROM t",
      "-- first a word about update\nSELECT 1",
      "/* one */ /* two */ SELECT 1",
      ";SELECT 1",
      "VALUES (1)",
      "EXPLAIN QUERY PLAN DELETE FROM t",
      "WITH a AS (SELECT 1) SELECT * FROM a",
      "SELECT updated_at, 'delete' FROM t",
    ]
  ) assert.equal(isReadOnly(sql), true, sql);
});

Deno.test("isReadOnly() returns false for a statement that writes or may write", () => {
  for (
    const sql of [
      "INSERT INTO t VALUES (1) RETURNING a",
      "update t set a = 1",
      "WITH a AS (SELECT 1) DELETE FROM t",
      "with a as (select 1) insert into t select * from a",
      "WITH a AS (SELECT replace('a', 'b', 'c')) SELECT * FROM a",
      "PRAGMA user_version",
      "BEGIN",
      "-- SELECT 1",
      "/* SELECT */ DELETE FROM t",
      "/* SELECT 1",
      "selection",
      "",
    ]
  ) assert.equal(isReadOnly(sql), false, sql);
});
