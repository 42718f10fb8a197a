import type { Client } from "@libsql/client/web";
import { drizzle } from "drizzle-orm/libsql/web";
import type { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import * as schema from "./schema.ts";

/** The tables of schema.ts as drizzle queries them; its transactions and batches are those of `client`. */
export function createDrizzle(client: Client): LibSQLDatabase<typeof schema> {
  return drizzle(client, { schema });
}
