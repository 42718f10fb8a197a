import type { InValue } from "@libsql/client/web";
import type { AuditKind } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { actingKey } from "./acting_key.ts";

export interface AuditNote {
  kind: AuditKind;
  /** The acting person; null = without a login. */
  actor: number | null;
  campaign?: number;
  site?: number;
  device?: number;
  /** The user that the act was about. */
  user?: number | undefined;
  /** Names and figures, with marks in place of phone numbers (number_mark.ts); never a secret. */
  data?: Record<string, unknown>;
  /** In place of `data`: SQL with its arguments, for a JSON object that only the database can build. */
  dataSql?: { sql: string; args: InValue[] };
}

/**
 * Returns the statement that audits an act, with the API key if one acts; add it to the act's own batch, so that neither exists without the other.
 * `onlyIf` is SQL with `args`, for example STEP_BEFORE_CHANGED in a step made with rightAfter() (write_batch.ts).
 */
export function noteAudit(
  now: number,
  note: AuditNote,
  onlyIf = "1",
  args: InValue[] = [],
): { sql: string; args: InValue[] } {
  const { kind, actor, campaign = null, site = null, device = null, user = null, data = {}, dataSql } = note;
  const key = actingKey();
  const facts = dataSql?.sql ?? "?";
  return {
    sql: `INSERT INTO audit_log (at, kind, actor, actor_name, campaign, site, device, user, data)
      SELECT ?, ?, ?, (SELECT username FROM users WHERE id = ?), ?, ?, ?, ?, ${
      key === undefined ? facts : `json_set(${facts}, '$.byKey', ?)`
    } WHERE ${onlyIf}`,
    args: [
      now,
      kind,
      actor,
      actor,
      campaign,
      site,
      device,
      user,
      ...(dataSql?.args ?? [JSON.stringify(data)]),
      ...(key === undefined ? [] : [key]),
      ...args,
    ],
  };
}

/** Audits an act that changes nothing else, such as an export. */
export async function writeAudit(ctx: Pick<EdgeContext, "db" | "now">, note: AuditNote): Promise<void> {
  await ctx.db.execute(noteAudit(ctx.now(), note));
}
