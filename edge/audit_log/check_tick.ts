/** Checks the chain repeatedly from end to end, in slices, and reports its state to the screen. */
import { z } from "zod";
import { type AuditChain, auditFaultSchema } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { execute, orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { auditLog } from "../db/schema.ts";
import { putSystemValue, readSystemValue } from "../db/system_value.ts";
import { signText } from "./chain.ts";
import { sealAudit } from "./seal.ts";
import { BEGINNING, checkChain } from "./check_chain.ts";
import { vouch } from "./vouch.ts";

const CHECK_KEY = "audit_check";
/** Longest time in milliseconds that a person waits for the response. */
const WAIT_MS = 3_000;
/** Rows that take some tenths of a second. */
const SLICE = 10_000;

const keptSchema = z.object({
  /** The progress of the running check; null between two checks. */
  place: z.object({ rows: z.int(), next: z.int(), before: z.string() }).nullable(),
  /** The result of the last complete check. */
  checkedAt: z.int().nullable(),
  rows: z.int(),
  fault: auditFaultSchema.nullable(),
});
type Kept = z.infer<typeof keptSchema>;

const NEVER: Kept = { place: null, checkedAt: null, rows: 0, fault: null };
const OPEN = "SELECT count(*) AS open, min(at) AS at FROM audit_log WHERE hash IS NULL";

/**
 * Continues the check or begins the next one, as one slice of a tick. Returns the number of rows read, 0 at the end.
 */
export async function checkAudit(ctx: EdgeContext): Promise<number> {
  const kept = await readKept(ctx);
  const place = kept.place ?? BEGINNING;
  const { fault, isDone, ...next } = await checkChain(ctx.db, ctx.audit, place, SLICE);
  if (fault !== null) ctx.log.error("audit_log_broken", fault);
  else if (isDone && ctx.audit.sealKeys.length > 1) await vouch(ctx, next);
  await keep(
    ctx,
    isDone ? { place: null, checkedAt: ctx.now(), rows: next.rows, fault } : { ...kept, place: next },
  );
  return isDone ? 0 : next.rows - place.rows;
}

/** Seals the open rows and checks the chain from its beginning, for at most WAIT_MS. */
export async function checkNow(ctx: EdgeContext): Promise<void> {
  await sealAudit(ctx);
  const until = ctx.now() + WAIT_MS;
  while (await checkAudit(ctx) > 0 && ctx.now() < until);
}

/** Returns the state of the chain at its last check, and the number of rows not sealed yet. */
export async function readChain(ctx: EdgeContext): Promise<AuditChain> {
  const [{ checkedAt, rows, fault }, result] = await Promise.all([readKept(ctx), ctx.db.execute(OPEN)]);
  const [open] = rowsAs(result, { open: wholeNumber, openSince: orNull(auditLog.at) });
  return { checkedAt, rows, fault, ...open! };
}

/** Returns the stored result; an unsigned one counts as never checked. */
async function readKept(ctx: EdgeContext): Promise<Kept> {
  const line = await readSystemValue(ctx.db, CHECK_KEY);
  if (line === null) return NEVER;
  const [mac, text] = splitOnce(line);
  if (!ctx.audit.sealKeys.some((key) => mac === signText(key, text))) return NEVER;
  return keptSchema.parse(JSON.parse(text));
}

async function keep(ctx: EdgeContext, kept: Kept): Promise<void> {
  const text = JSON.stringify(kept);
  await execute(ctx.db, putSystemValue(CHECK_KEY, `${signText(ctx.audit.sealKeys[0], text)} ${text}`));
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}
