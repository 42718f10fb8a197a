/** Removes contacts with everything that the lists hold of them: memberships, values, and the index of the values. */
import type { Transaction } from "@libsql/client/web";
import { orNull, rowsAs } from "../db/query.ts";
import { contacts } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { removeFromRun } from "./value_index.ts";

type Database = Pick<Transaction, "execute" | "batch">;

// A trigger removes memberships and keys (db/rules/19_list_sizes.sql).
const REMOVE = `DELETE FROM contacts WHERE client = :client
  AND phone IN (SELECT value FROM json_each(:phones)) RETURNING phone, run`;
const CLIENTS = "SELECT client FROM contacts WHERE client IN (SELECT id FROM users) AND phone = :phone";
const MEMBERSHIPS = `SELECT count(*) AS count FROM list_members m
  WHERE m.list IN (SELECT id FROM lists) AND m.phone = :phone`;

/** Removes the contacts of one client by their numbers, in the caller's transaction; returns how many there were. */
export async function removeContacts(
  tx: Database,
  client: number,
  phones: readonly number[],
): Promise<number> {
  const removed = rowsAs(
    await tx.execute(statement(REMOVE, { client, phones: JSON.stringify(phones) })),
    { phone: contacts.phone, run: orNull(contacts.run) },
  );
  await removeKeys(tx, removed);
  return removed.length;
}

/** Takes contacts out of the runs that index their values. */
export async function removeKeys(
  tx: Database,
  people: readonly { phone: number; run: number | null }[],
): Promise<void> {
  const ofRun = new Map<number, Set<number>>();
  for (const { phone, run } of people) {
    if (run === null) continue;
    if (!ofRun.has(run)) ofRun.set(run, new Set());
    ofRun.get(run)!.add(phone);
  }
  for (const [run, gone] of ofRun) await removeFromRun(tx, run, gone);
}

/** Removes one number from the lists of every client; returns the removed rows by table. */
export async function eraseContact(tx: Database, phone: number): Promise<Record<string, number>> {
  const { rows: [counted] } = await tx.execute(statement(MEMBERSHIPS, { phone }));
  const clients = rowsAs(await tx.execute(statement(CLIENTS, { phone })), { client: contacts.client });
  let removed = 0;
  for (const { client } of clients) removed += await removeContacts(tx, client, [phone]);
  return { contacts: removed, list_members: Number(counted!.count) };
}
