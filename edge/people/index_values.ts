import type { Transaction } from "@libsql/client/web";
import type { Fields } from "shared/contact_fields.ts";
import { blocksOf, KeyEntries } from "./key_entries.ts";
import { addKeys, openRun, writeRun } from "./value_index.ts";
import { keyOf } from "./value_keys.ts";

/** Contacts that one transaction writes as a run; fewer are rows, because a search asks every run. */
export const LEAST_OF_RUN = 500;

/**
 * Indexes the values of contacts whose earlier entries are gone, in the caller's transaction. `people` ascend by
 * number. Returns their run, or null when each has rows of its own.
 */
export async function indexValues(
  tx: Pick<Transaction, "execute" | "batch">,
  client: number,
  people: readonly { phone: number; fields: Fields }[],
): Promise<number | null> {
  if (people.length < LEAST_OF_RUN) {
    if (people.length > 0) await tx.execute(addKeys(client, people));
    return null;
  }
  const entries = new KeyEntries();
  for (const [row, { fields }] of people.entries()) {
    for (const value of Object.values(fields)) entries.add(row, keyOf(value));
  }
  const all = Uint32Array.from({ length: entries.count }, (_, entry) => entry);
  const run = await openRun(tx, client);
  await tx.batch(writeRun(run, blocksOf(entries, all, people.map(({ phone }) => phone))));
  return run;
}
