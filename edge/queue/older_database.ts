/** A database that a site's mark has shown to be an earlier state of itself: nothing is leased until `restored` ran. */
import type { InStatement } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** Key of `system`: JSON with the time and the site whose mark showed it. renewGeneration() removes it. */
export const OLDER_DATABASE = "older_database";

/** In SQL: whether this database is known to be an older one. */
export const IS_OLDER_DATABASE = `EXISTS (SELECT 1 FROM system WHERE key = '${OLDER_DATABASE}')`;

// The first site that shows it is enough.
const NOTE =
  `INSERT INTO system (key, value) VALUES ('${OLDER_DATABASE}', json_object('at', :now, 'site', :site))
  ON CONFLICT (key) DO NOTHING`;

/** The statement that flags the database. */
export function noteOlderDatabase(site: number, now: number): InStatement {
  return statement(NOTE, { site, now });
}
