/**
 * A database that a site's mark has shown to be an earlier state of itself: nothing is leased until `restored` has
 * run.
 */
import type { InStatement } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** Key of `system`: JSON with the time and the site whose mark showed it. renewGeneration() removes it. */
export const OLDER_DATABASE = "older_database";

/** SQL condition: this database is known to be an older one. */
export const IS_OLDER_DATABASE = `EXISTS (SELECT 1 FROM system WHERE key = '${OLDER_DATABASE}')`;

// Keeps the first site that shows it.
const NOTE =
  `INSERT INTO system (key, value) VALUES ('${OLDER_DATABASE}', json_object('at', :now, 'site', :site))
  ON CONFLICT (key) DO NOTHING`;

/** Returns the statement that flags the database. */
export function noteOlderDatabase(site: number, now: number): InStatement {
  return statement(NOTE, { site, now });
}
