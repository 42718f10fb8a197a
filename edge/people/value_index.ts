/**
 * The index of contacts' values: who has a value that begins with a text. An import of many contacts writes a run:
 * the keys of its transaction, sorted, in blocks. Contacts that come or change one by one have rows in `contact_keys`.
 * A row of SQLite for each value of a long list would cost four times as much as the rest of its import.
 */
import type { InStatement, Transaction } from "@libsql/client/web";
import { rowsAs } from "../db/query.ts";
import { contactBlocks, contactRuns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { type Block, groupsOf, without } from "./key_entries.ts";
import { keyOf } from "./value_keys.ts";

type Database = Pick<Transaction, "execute" | "batch">;

const BLOCKS_READ = 64;
const ADD_RUN = "INSERT INTO contact_runs (client) VALUES (:client) RETURNING id";
const ADD_BLOCK = "INSERT INTO contact_blocks (run, no, last, bytes) VALUES (?, ?, ?, ?)";
const READ_BLOCKS = `SELECT no, bytes FROM contact_blocks WHERE run = :run AND no > :after
  ORDER BY no LIMIT ${BLOCKS_READ}`;
// The last key may be the beginning of a removed value.
const REWRITE = "UPDATE contact_blocks SET bytes = ?, last = ? WHERE run = ? AND no = ?";
const DROP = "DELETE FROM contact_blocks WHERE run = ? AND no = ?";
const DROP_EMPTY = `DELETE FROM contact_runs WHERE id = :run
  AND NOT EXISTS (SELECT 1 FROM contact_blocks WHERE run = :run)`;
const ADD_KEYS = `INSERT INTO contact_keys (client, key, phone)
  SELECT DISTINCT :client, value->>1, value->>0 FROM json_each(:keys)`;

/** Opens a run and returns its id. */
export async function openRun(tx: Database, client: number): Promise<number> {
  const [run] = rowsAs(await tx.execute(statement(ADD_RUN, { client })), { id: contactRuns.id });
  return run!.id;
}

/** Returns the statements that write the blocks of a run. */
export function writeRun(run: number, blocks: readonly Block[]): InStatement[] {
  return blocks.map(({ last, bytes }, no) => ({ sql: ADD_BLOCK, args: [run, no + 1, last, bytes] }));
}

/** Returns the statement that indexes contacts one by one: each a number with its values. */
export function addKeys(
  client: number,
  people: readonly { phone: number; fields: Record<string, string> }[],
): InStatement {
  const keys = people.flatMap(({ phone, fields }) =>
    Object.values(fields).map((value) => [phone, keyOf(value)]).filter(([, key]) => key !== "")
  );
  return statement(ADD_KEYS, { client, keys: JSON.stringify(keys) });
}

/** Removes numbers from a run: from every block that holds one of them. A run without blocks goes. */
export async function removeFromRun(tx: Database, run: number, gone: ReadonlySet<number>): Promise<void> {
  for (let after = 0;;) {
    const blocks = rowsAs(await tx.execute(statement(READ_BLOCKS, { run, after })), {
      no: contactBlocks.no,
      bytes: contactBlocks.bytes,
    });
    const changes = blocks.flatMap(({ no, bytes }): InStatement[] => {
      const left = without(bytes, gone);
      if (left === null) return [{ sql: DROP, args: [run, no] }];
      return left === bytes ? [] : [{ sql: REWRITE, args: [left, groupsOf(left).at(-1)!.key, run, no] }];
    });
    if (changes.length > 0) await tx.batch(changes);
    if (blocks.length < BLOCKS_READ) break;
    after = blocks.at(-1)!.no;
  }
  await tx.execute(statement(DROP_EMPTY, { run }));
}
