/** Asks sites to erase a number from their journals, until each has confirmed it. */
import type { InStatement, ResultSet } from "@libsql/client/web";
import { createHmac } from "node:crypto";
import type { AgentFrameOf, EdgeFrameOf } from "shared/agent_protocol.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { erasures, erasureSites } from "../db/schema.ts";
import { STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { FENCE, type SiteConnection } from "../queue/fence.ts";
import { statement } from "../db/statement.ts";

type ErasedItems = AgentFrameOf<"erased">["items"];

const MOST = 20;
// Ask for a number only after its rows have settled, because a site may still report it.
const OWED =
  `SELECT e.id, e.nonce, e.hash, s.site, s.hash AS "ownHash" FROM erasure_sites s JOIN erasures e ON e.id = s.erasure
  WHERE s.site = ? AND s.answered_at IS NULL AND e.phone IS NULL ORDER BY e.id LIMIT ${MOST}`;
// No row = asked of another site, or answered before.
const ANSWERED = `UPDATE erasure_sites SET answered_at = :now, removed = :removed
  WHERE erasure = :id AND site = :site AND answered_at IS NULL AND ${FENCE}`;

/** Returns the statement that reads a site's open erasures; readErase() converts its result to a frame. */
export function eraseOwed(site: number): InStatement {
  return { sql: OWED, args: [site] };
}

/**
 * Returns a site's open erasures, or null. The frame does not contain the number, and the database does not hold the
 * key.
 */
export function readErase(
  ctx: Pick<EdgeContext, "audit">,
  owed: ResultSet,
): EdgeFrameOf<"erase"> | null {
  if (owed.rows.length === 0) return null;
  const { id, nonce, hash } = erasures;
  const { site, hash: ownHash } = erasureSites;
  const items = rowsAs(owed, { id, nonce, hash, site, ownHash }).map((row) =>
    row.ownHash === null
      ? { id: row.id, key: journalKey(ctx, row.nonce), hash: row.hash }
      : { id: row.id, key: journalKey(ctx, row.nonce, row.site), hash: row.ownHash }
  );
  return { type: "erase", items };
}

/** Stores a site's answer; erase_numbers.ts completes the certificate after the last one. */
export async function noteErased(
  ctx: EdgeContext,
  connection: SiteConnection,
  items: ErasedItems,
): Promise<void> {
  const now = ctx.now();
  const { site } = connection;
  await writeBatch(ctx.db, {
    answered: items.flatMap(({ id, removed }) => [
      statement(ANSWERED, { ...connection, id, removed, now }),
      noteAudit(
        now,
        { kind: "site_erased", actor: null, site, data: { erasure: id, removed } },
        STEP_BEFORE_CHANGED,
      ),
    ]),
  });
}

/**
 * Returns the key, in hexadecimal, for searching the journal of `site` for one number. Without a site it is the key
 * that older releases gave to every site.
 */
export function journalKey({ audit }: Pick<EdgeContext, "audit">, nonce: string, site?: number): string {
  const place = site === undefined ? "" : `\n${site}`;
  return createHmac("sha256", audit.markKey).update(`journal\n${nonce}${place}`).digest("hex");
}

/** Returns the hash that the site compares with its journal's numbers. */
export function journalHash(key: string, phone: number): string {
  return createHmac("sha256", key).update(`+${phone}`).digest("hex");
}
