/** What keeps an old connection of a site from changing anything: its epoch, checked in the transaction. */
import type { InStatement } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

/** One connection of a site; the epoch is the one its `welcome` carried. */
export interface SiteConnection {
  site: number;
  epoch: number;
}

/** Thrown when the site has a newer connection, or this one's hello was not handled. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";

  constructor({ site, epoch }: SiteConnection) {
    super(`Cannot act for site ${site}: epoch ${epoch} is not its present one`);
  }
}

/** The site's row in SQL, while :epoch is its present connection and its hello was handled. */
export const CURRENT = "id = :site AND epoch = :epoch AND hello_epoch = :epoch";

/** True in SQL while :epoch is the site's present connection and its hello was handled. */
export const FENCE = `EXISTS (SELECT 1 FROM sites WHERE ${CURRENT})`;

/** SQL: the campaign that the site's last pull chose; null where it chose none, or the fence is down. */
export const PULLED_CAMPAIGN = `(SELECT turn_campaign FROM sites WHERE ${CURRENT})`;

/** What a frame changes of its site's row, for the SET of an UPDATE. Needs :now and :journalCounter. */
export const HEARD = "last_seen_at = :now, journal_counter = max(journal_counter, :journalCounter)";

/** Notes that the connection spoke, and its journal's counter; no row affected means that it is superseded. */
export function heard(connection: SiteConnection, now: number, journalCounter: number): InStatement {
  return statement(
    `UPDATE sites SET ${HEARD} WHERE ${CURRENT}`,
    { ...connection, now, journalCounter },
  );
}
