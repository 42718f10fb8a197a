import type { Transaction } from "@libsql/client/web";
import { eq, gt } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, query } from "../db/query.ts";
import { auditLog } from "../db/schema.ts";
import { putSystemValue, readSystemValue } from "../db/system_value.ts";
import { writeBatch } from "../db/write_batch.ts";
import { hashRow, type Head, NO_HEAD, readHead, sealRow, signHead } from "./chain.ts";

/** Key of the current head in the database; earlier heads are only outside. */
export const HEAD_KEY = "audit_head";
const SLICE = 500;

const OPEN = "SELECT 1 FROM audit_log WHERE hash IS NULL LIMIT 1";
const SEAL = `UPDATE audit_log SET hash = value ->> 'hash', seal = value ->> 'seal' FROM json_each(?)
  WHERE audit_log.id = value ->> 'id'`;

/**
 * Seals the rows written since the last time, in order, and signs the new head; one slice of a tick. It uses one
 * write transaction, so that two instances never seal the same rows. It changes nothing when the end of the chain is
 * not what was signed: sealing on would make the chain look whole.
 */
export async function sealAudit(ctx: EdgeContext): Promise<number> {
  // Usually there is nothing to seal, and no lock is taken.
  if ((await ctx.db.execute(OPEN)).rows.length === 0) return 0;
  const done = await inTransaction(ctx.db, (tx) => sealNext(ctx, tx));
  if (done === null) return 0;
  await ctx.audit.heads.append(done.line);
  // Without a lasting disk, the log is the place outside the database.
  ctx.log.info("audit_head", { line: done.line });
  return done.sealed;
}

async function sealNext(ctx: EdgeContext, tx: Transaction): Promise<{ line: string; sealed: number } | null> {
  const { sealKeys, sealKeys: [sealKey] } = ctx.audit;
  const head = await readPresentHead(tx, sealKeys);
  if (head === null) return null;
  const { rows } = await execute(
    tx,
    query.select().from(auditLog).where(gt(auditLog.id, head.last)).orderBy(auditLog.id).limit(SLICE),
  );
  if (rows.length === 0 || rows.some((row) => row.hash !== null)) return null;
  let before = head.hash;
  const seals = rows.map((row) => {
    before = hashRow(before, row);
    return { id: row.id, hash: before, seal: sealRow(sealKey, before) };
  });
  const last = rows.at(-1)!.id;
  const line = signHead(sealKey, { count: head.count + rows.length, last, hash: before, at: ctx.now() });
  await writeBatch(tx, {
    sealed: { sql: SEAL, args: [JSON.stringify(seals)] },
    kept: putSystemValue(HEAD_KEY, line),
  });
  return { line, sealed: rows.length };
}

/** Returns the head at the end of the rows, or null when the rows do not match it. */
export async function readPresentHead(
  tx: Transaction,
  sealKeys: readonly Uint8Array[],
): Promise<Head | null> {
  const kept = await readSystemValue(tx, HEAD_KEY);
  if (kept === null) return NO_HEAD;
  const head = readHead(sealKeys, kept);
  if (head === null) return null;
  const { rows: [last] } = await execute(
    tx,
    query.select({ hash: auditLog.hash }).from(auditLog).where(eq(auditLog.id, head.last)),
  );
  return last?.hash === head.hash ? head : null;
}
