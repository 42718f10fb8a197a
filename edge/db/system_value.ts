/** Single values of the installation, by key, in the table `system`. */
import type { Client } from "@libsql/client/web";
import { eq } from "drizzle-orm";
import { execute, query } from "./query.ts";
import { system } from "./schema.ts";

/** Returns the value of `key`, or null when there is none. */
export async function readSystemValue(db: Pick<Client, "execute">, key: string): Promise<string | null> {
  const { rows: [row] } = await execute(
    db,
    query.select({ value: system.value }).from(system).where(eq(system.key, key)),
  );
  return row?.value ?? null;
}

/** Returns the statement that stores `value` under `key`, also in place of another value. */
export function putSystemValue(key: string, value: string) {
  return query.insert(system).values({ key, value })
    .onConflictDoUpdate({ target: system.key, set: { value } });
}
