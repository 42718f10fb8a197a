/** Exchanges stopped phones with a site: the site reports its state, the edge returns what people want. */
import type { Transaction } from "@libsql/client/web";
import { and, desc, eq } from "drizzle-orm";
import { MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { query } from "../db/query.ts";
import { devices } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";

const HELD = "iif(:stopped IS NULL, NULL, key IN (SELECT value FROM json_each(:stopped)))";
const LEARN = `UPDATE devices SET site_stopped = ${HELD} WHERE site = :site AND site_stopped IS NOT ${HELD}`;
// An unanswered command may be lost, and the screen waits for its answer.
const ASK_AGAIN = `INSERT INTO events (at, type, site, data)
  SELECT :now, 'command', c.site, json_object('id', c.id, 'kind', c.kind, 'device', d.key)
  FROM devices d JOIN commands c ON c.device = d.id
  WHERE d.site = :site AND c.status IN ('waiting', 'timed_out')
    AND c.id = (SELECT max(id) FROM commands m WHERE m.device = d.id AND m.kind IN ('stop', 'start'))`;

/**
 * Records which phones a site holds stopped (null = its agent does not report it), and sends unanswered stops and
 * starts again. Returns the phones that must be stopped.
 */
export async function exchangeStops(
  tx: Transaction,
  { site, stopped, now }: { site: number; stopped: readonly string[] | null; now: number },
): Promise<string[]> {
  const args = { site, now, stopped: stopped && JSON.stringify(stopped) };
  const { wanted } = await writeBatch(tx, {
    learnt: statement(LEARN, args),
    askedAgain: statement(ASK_AGAIN, args),
    wanted: query.select({ key: devices.key }).from(devices)
      .where(and(eq(devices.site, site), eq(devices.stopped, true)))
      .orderBy(desc(devices.updatedAt), devices.id).limit(MAX_SITE_DEVICES),
  });
  return wanted.rows.map(({ key }) => key);
}
