/**
 * The counters last sent to screens for every campaign, beside the stored ones. Each move has an event in its own
 * transaction.
 */
import type { Client } from "@libsql/client/web";
import { DELIVERY_STATES } from "shared/delivery.ts";

const COUNTS = DELIVERY_STATES.map((state) => `'${state}', ${state}_count`).join(", ");
const HELD = `SELECT id, json_object(${COUNTS}) AS counts FROM campaigns ORDER BY id`;
const SENT = `SELECT campaign AS id, json_extract(data, '$.counts') AS counts FROM events WHERE id IN (
  SELECT max(id) FROM events WHERE campaign IS NOT NULL AND data ->> '$.counts' IS NOT NULL GROUP BY campaign)
  ORDER BY campaign`;

/** By campaign: its counters, and those of the last event that carries any. An event is deleted after an hour. */
export async function countsAndEvents(
  db: Client,
): Promise<{ held: [number, string][]; sent: [number, string][] }> {
  const [held, sent] = (await db.batch([HELD, SENT], "read")).map(({ rows }) =>
    rows.map(({ id, counts }): [number, string] => [Number(id), String(counts)])
  );
  return { held: held!, sent: sent! };
}
