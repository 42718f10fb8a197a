import type { ResultSet } from "@libsql/client/web";
import type { SearchHit } from "shared/admin_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { plainText, rowsAs, wholeNumber } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import { statement } from "../db/statement.ts";
import { usernameKey } from "../auth/username_key.ts";
import { containsPattern } from "../db/contains_pattern.ts";

const MOST = 8;
/** Most hits of each kind except campaigns, which fill the rest. */
const FEW = 2;

const SITES = `SELECT id, name AS title, '' AS detail,
    iif(last_seen_at > :now - ${DEAD_SOCKET_MS}, 'connected', 'away') AS state
  FROM sites WHERE revoked = 0 AND name LIKE :pattern ESCAPE '\\' ORDER BY id LIMIT ${FEW}`;
const USERS = `SELECT id, username AS title, role AS detail, iif(disabled, 'disabled', '') AS state
  FROM users WHERE left_at IS NULL AND username_key LIKE :folded ESCAPE '\\' ORDER BY id LIMIT ${FEW}`;
const DEVICES = `SELECT d.id, ${DEVICE_NAME} AS title, s.name AS detail, d.state
  FROM devices d JOIN sites s ON s.id = d.site
  WHERE s.revoked = 0 AND (d.model LIKE :pattern ESCAPE '\\' OR d.key LIKE :pattern ESCAPE '\\'
    OR ${DEVICE_NAME} LIKE :pattern ESCAPE '\\' OR d.address LIKE :pattern ESCAPE '\\') ORDER BY d.id LIMIT ${FEW}`;
const CAMPAIGNS = `SELECT c.id, c.name AS title, u.username AS detail, c.status AS state
  FROM campaigns c JOIN users u ON u.id = c.client
  WHERE c.test_of IS NULL AND c.carrier_until IS NULL AND (c.name LIKE :pattern ESCAPE '\\'
    OR u.username_key LIKE :folded ESCAPE '\\') ORDER BY c.id DESC LIMIT ${MOST}`;

/** Returns what a name could mean: sites, users, devices and campaigns, at most eight in all. */
export async function search(ctx: EdgeContext, q: string): Promise<SearchHit[]> {
  const args = { now: ctx.now(), pattern: containsPattern(q), folded: containsPattern(usernameKey(q)) };
  const { sites, users, devices, campaigns } = await readBatch(ctx.db, {
    sites: statement(SITES, args),
    users: statement(USERS, args),
    devices: statement(DEVICES, args),
    campaigns: statement(CAMPAIGNS, args),
  });
  return [
    ...hits("site", sites),
    ...hits("user", users),
    ...hits("device", devices),
    ...hits("campaign", campaigns),
  ].slice(0, MOST);
}

function hits(kind: SearchHit["kind"], found: ResultSet): SearchHit[] {
  return rowsAs(found, { id: wholeNumber, title: plainText, detail: plainText, state: plainText })
    .map((hit) => ({ kind, ...hit }));
}
