/** Finds who has a value that begins with a text, a page of candidates at a time. */
import type { Client } from "@libsql/client/web";
import { rowsAs } from "../db/query.ts";
import { contactBlocks, contactKeys, contactRuns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { groupsOf } from "./key_entries.ts";

/** An entry of the index. Run 0 are the contacts that were added or changed one by one. */
export interface Place {
  run: number;
  /** In hex. */
  key: string;
  phone: number;
}

/** Runs asked in one round trip. */
const RUNS_AT_ONCE = 32;

const OF_KEYS = `SELECT key, phone FROM contact_keys
  WHERE client = :client AND key >= :from AND key < :to AND (key > :from OR phone > :phone)
  ORDER BY key, phone LIMIT :limit`;
const RUNS = "SELECT id FROM contact_runs WHERE client = :client AND id >= :run ORDER BY id";
const OF_RUN = `SELECT no, last, bytes FROM contact_blocks WHERE run = :run AND last >= :from
  ORDER BY last, no LIMIT 1`;
// Blocks are numbered in the order of their keys; one key may fill several.
const NEXT_OF_RUN =
  `SELECT no, last, bytes FROM contact_blocks WHERE run = :run AND no > :no ORDER BY no LIMIT 4`;
const BLOCK = { no: contactBlocks.no, last: contactBlocks.last, bytes: contactBlocks.bytes };

/**
 * Returns entries whose key begins with `prefix`, in hex, after the place `after`: at least `limit` of them, or all
 * that are left. An entry may be stale, and a value longer than a key is only a candidate: the caller compares.
 */
export async function findPlaces(
  db: Pick<Client, "execute" | "batch">,
  { client, prefix, after, limit }: { client: number; prefix: string; after: Place | null; limit: number },
): Promise<{ places: Place[]; isLast: boolean }> {
  const to = `${prefix}g`;
  const places: Place[] = [];
  if (after === null || after.run === 0) {
    const { key: from, phone } = after ?? { key: prefix, phone: 0 };
    const found = await db.execute(statement(OF_KEYS, { client, from, to, phone, limit }));
    for (const row of rowsAs(found, { key: contactKeys.key, phone: contactKeys.phone })) {
      places.push({ run: 0, ...row });
    }
    if (places.length === limit) return { places, isLast: false };
  }
  const first = after?.run ?? 0;
  const runs = rowsAs(await db.execute(statement(RUNS, { client, run: first })), { id: contactRuns.id });
  for (let at = 0; at < runs.length; at += RUNS_AT_ONCE) {
    const some = runs.slice(at, at + RUNS_AT_ONCE);
    const begin = (run: number) => run === first && after !== null ? after : { key: prefix, phone: 0 };
    const answers = await db.batch(
      some.map(({ id: run }) => statement(OF_RUN, { run, from: begin(run).key })),
      "read",
    );
    for (const [index, found] of answers.entries()) {
      const { id: run } = some[index]!;
      const { key: from, phone } = begin(run);
      let blocks = rowsAs(found, BLOCK);
      while (blocks.length > 0) {
        for (const { bytes } of blocks) {
          for (const group of groupsOf(bytes, from, to)) {
            for (const one of group.phones) {
              if (group.key > from || one > phone) places.push({ run, key: group.key, phone: one });
            }
          }
        }
        const { last, no } = blocks.at(-1)!;
        if (last >= to) break;
        if (places.length >= limit) return { places, isLast: false };
        blocks = rowsAs(await db.execute(statement(NEXT_OF_RUN, { run, no })), BLOCK);
      }
      const isLast = index === some.length - 1 && at + RUNS_AT_ONCE >= runs.length;
      if (places.length >= limit && !isLast) return { places, isLast: false };
    }
  }
  return { places, isLast: true };
}
