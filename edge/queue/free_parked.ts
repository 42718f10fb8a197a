import { PARKED } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { moveSlice } from "./move_slice.ts";

/** SQL condition: the account of the delivery `d` may still return as it was. */
const MAY_RETURN = `EXISTS (SELECT 1 FROM accounts a JOIN sites s ON s.id = a.site
  WHERE a.id = d.account AND a.state <> 'ok' AND s.revoked = 0)`;
/** SQL condition: its phone was plugged in at another site, where the same account works. */
const IS_ELSEWHERE = `EXISTS (SELECT 1 FROM accounts a JOIN sites s ON s.revoked = 0
  JOIN accounts o ON o.site = s.id AND o.key = a.key WHERE a.id = d.account AND o.state = 'ok')`;
const DUE = `SELECT d.id FROM deliveries d
  WHERE d.campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'))
    AND d.state = 'queued' AND d.not_before = ${PARKED}
    AND (${settingSql("autoFailover")} OR NOT ${MAY_RETURN} OR ${IS_ELSEWHERE}) LIMIT :slice`;
const FREE = `UPDATE deliveries SET not_before = 0 WHERE id IN (${DUE}) RETURNING campaign`;

/**
 * Ends the wait of rows whose account works, has moved, or cannot return. Returns how many, at most a slice. A change
 * of an account's state frees its rows at once; this function finds the rows that no such change will free.
 */
export function freeParked(ctx: EdgeContext): Promise<number> {
  return moveSlice(ctx, DUE, FREE, { now: ctx.now() });
}
