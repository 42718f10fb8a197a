/** Stops an old connection of a site from changing anything: the transaction checks the connection's epoch. */
import type { InStatement } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** One connection of a site; its `welcome` carried the epoch. */
export interface SiteConnection {
  site: number;
  epoch: number;
}

/** Thrown when the site has a newer connection, or when this one's hello was not handled. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";

  constructor({ site, epoch }: SiteConnection) {
    super(`Cannot act for site ${site}: epoch ${epoch} is not its present one`);
  }
}

/** SQL: the site's row, while :epoch is its present connection and its hello was handled. */
export const CURRENT = "id = :site AND epoch = :epoch AND hello_epoch = :epoch";

/** SQL condition: :epoch is the site's present connection and its hello was handled. */
export const FENCE = `EXISTS (SELECT 1 FROM sites WHERE ${CURRENT})`;

/** SQL: the campaign chosen by the site's last pull; null when it chose none or the connection is superseded. */
export const PULLED_CAMPAIGN = `(SELECT turn_campaign FROM sites WHERE ${CURRENT})`;

/** SET list of an UPDATE: the changes that every frame makes to its site's row. Needs :now and :journalCounter. */
export const HEARD = "last_seen_at = :now, journal_counter = max(journal_counter, :journalCounter)";

/** Records that the connection sent a frame, and its journal's counter. No row affected means that it is superseded. */
export function heard(connection: SiteConnection, now: number, journalCounter: number): InStatement {
  return statement(
    `UPDATE sites SET ${HEARD} WHERE ${CURRENT}`,
    { ...connection, now, journalCounter },
  );
}
