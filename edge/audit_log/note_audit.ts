import type { InStatement, InValue } from "@libsql/client/web";
import type { AuditKind } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";

export interface AuditNote {
  kind: AuditKind;
  /** The person whose act it is; null = nobody who is logged in. */
  actor: number | null;
  campaign?: number;
  site?: number;
  device?: number;
  /** Whom it was done to. */
  user?: number | undefined;
  /** Names and figures, marks in place of numbers (number_mark.ts); never a secret. */
  data?: Record<string, unknown>;
  /** In place of `data`, SQL with its arguments of a JSON object that only the database knows. */
  dataSql?: { sql: string; args: InValue[] };
}

/**
 * The statement that audits an act; add it to the act's own batch, so that there is neither without the other.
 * `onlyIf` is SQL with `args`: STEP_BEFORE_CHANGED in a step made with rightAfter() (write_batch.ts), for example.
 */
export function noteAudit(now: number, note: AuditNote, onlyIf = "1", args: InValue[] = []): InStatement {
  const { kind, actor, campaign = null, site = null, device = null, user = null, data = {}, dataSql } = note;
  return {
    sql: `INSERT INTO audit_log (at, kind, actor, actor_name, campaign, site, device, user, data)
      SELECT ?, ?, ?, (SELECT username FROM users WHERE id = ?), ?, ?, ?, ?, ${
      dataSql?.sql ?? "?"
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
      ...args,
    ],
  };
}

/** Audits what changes nothing else, such as an export. */
export async function writeAudit(ctx: Pick<EdgeContext, "db" | "now">, note: AuditNote): Promise<void> {
  await ctx.db.execute(noteAudit(ctx.now(), note));
}
