/** Decides, before a database is migrated and served, whether it belongs to this DATA_DIR. */
import type { Client } from "@libsql/client/web";
import { type Head, readHead } from "../audit_log/chain.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { READ_RELEASE, readReleases } from "../db/release.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { auditLog } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { copyRefusal } from "./refuse_file.ts";
import { DatabaseRefusedError } from "./refused_error.ts";
import type { ChainParts } from "../context.ts";

/** Newest heads to read: edges that run side by side write them in any order. */
const MOST_HEADS = 100;
const NAME = "The database";
const WHAT_TO_DO =
  "Stop every edge, then bring the right one back or restore a backup: deno task restore <folder>. To go on with " +
  "this one on purpose, as with a backup that was put back by other means, run deno task restored. To begin with an " +
  "empty one on purpose, give another DATA_DIR.";

const TABLES = "SELECT name FROM sqlite_schema WHERE name IN ('system', 'audit_log')";
const IS_COPY = `SELECT 1 WHERE ${IS_BACKUP_COPY}`;
// A head matches the row with its number and hash.
const MET = `SELECT value ->> 'last' AS last FROM json_each(:heads)
  JOIN audit_log ON audit_log.id = value ->> 'last' AND audit_log.hash = value ->> 'hash'`;
// Rows lost by a noted restore are not missed.
const RESTORED_AT = "SELECT max(at) AS at FROM audit_log WHERE kind = 'database_restored'";

/**
 * Refuses a database that must not be served as it is: a backup's copy, or one of a newer release that this one
 * cannot read. It also refuses one that is foreign to the audit log's heads in DATA_DIR, or older than they are. A
 * remote database may be empty or foreign: an installation moves there on purpose. For a file, refuseFile() checks
 * more; call it first.
 *
 * @throws DatabaseRefusedError
 */
export async function refuseDatabase(db: Client, { heads, sealKeys }: ChainParts): Promise<void> {
  const tables = (await db.execute(TABLES)).rows.map(({ name }) => String(name));
  const newest = newestHeads(await heads.read(), sealKeys);
  // A first start; for a file, refuseFile() has decided whether it may be one.
  if (!tables.includes("system")) return;
  if ((await db.execute(IS_COPY)).rows.length > 0) throw new DatabaseRefusedError(copyRefusal(NAME));
  const { read } = await readReleases(db);
  if (read > READ_RELEASE) {
    throw new DatabaseRefusedError(
      `${NAME} was made by a newer release, number ${read}; this release reads up to ${READ_RELEASE}. Start the newer one, or ` +
        "restore a backup that this release made: deno task restore <folder>.",
    );
  }
  if (newest.length > 0) await refuseOlder(db, tables, newest, db.protocol === "file");
}

async function refuseOlder(db: Client, tables: string[], newest: Head[], isFile: boolean): Promise<void> {
  const hasLog = tables.includes("audit_log");
  const args = { heads: JSON.stringify(newest.map(({ last, hash }) => ({ last, hash }))) };
  const met = hasLog ? rowsAs(await db.execute(statement(MET, args)), { last: auditLog.id }) : [];
  const head = newest.reduce((a, b) => b.last > a.last ? b : a);
  if (met.some(({ last }) => last === head.last)) return;
  const [restored] = hasLog ? rowsAs(await db.execute(RESTORED_AT), { at: orNull(auditLog.at) }) : [];
  if ((restored?.at ?? 0) >= head.at || (!isFile && met.length === 0)) return;
  throw new DatabaseRefusedError(
    `${NAME} is ${
      met.length > 0 ? "older than" : "not the one of"
    } the audit log's heads in DATA_DIR, which ` +
      `know ${head.last} rows. ${WHAT_TO_DO}`,
  );
}

/** Returns the newest heads, back to the last noted restore among them. */
function newestHeads(lines: readonly string[], sealKeys: ChainParts["sealKeys"]): Head[] {
  const found: Head[] = [];
  for (let at = lines.length - 1; at >= 0 && found.length < MOST_HEADS; at--) {
    const head = readHead(sealKeys, lines[at]!);
    if (head?.restored) break;
    if (head !== null && head.last > 0) found.push(head);
  }
  return found;
}
