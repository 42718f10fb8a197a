/** The chain checked again and again from end to end, in slices, and what the screen is told of it. */
import { z } from "zod";
import { type AuditChain, auditFaultSchema } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { signText } from "./chain.ts";
import { sealAudit } from "./seal.ts";
import { BEGINNING, checkChain } from "./check_chain.ts";
import { vouch } from "./vouch.ts";

const CHECK_KEY = "audit_check";
/** How long an answer may keep a person waiting. */
const WAIT_MS = 3_000;
/** Some tenths of a second. */
const SLICE = 10_000;

const keptSchema = z.object({
  /** Where the check that runs has come to, or null between two. */
  place: z.object({ rows: z.int(), next: z.int(), before: z.string() }).nullable(),
  /** What the last whole check found. */
  checkedAt: z.int().nullable(),
  rows: z.int(),
  fault: auditFaultSchema.nullable(),
});
type Kept = z.infer<typeof keptSchema>;

const NEVER: Kept = { place: null, checkedAt: null, rows: 0, fault: null };
const OPEN = "SELECT count(*) AS open, min(at) AS since FROM audit_log WHERE hash IS NULL";

/** Goes on with the check, or begins the next one; a tick's slice. Answers how many rows it read, 0 at the end. */
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

/** What is open is sealed, and the chain checked from its beginning, for as long as a person waits. */
export async function checkNow(ctx: EdgeContext): Promise<void> {
  await sealAudit(ctx);
  const until = ctx.now() + WAIT_MS;
  while (await checkAudit(ctx) > 0 && ctx.now() < until);
}

/** How the chain stood when it was last checked, and what waits to be sealed. */
export async function readChain(ctx: EdgeContext): Promise<AuditChain> {
  const [{ checkedAt, rows, fault }, { rows: [open] }] = await Promise.all([
    readKept(ctx),
    ctx.db.execute(OPEN),
  ]);
  const openSince = open!.since === null ? null : Number(open!.since);
  return { checkedAt, rows, fault, open: Number(open!.open), openSince };
}

/** What nobody signed counts as never checked. */
async function readKept(ctx: EdgeContext): Promise<Kept> {
  const { rows: [row] } = await ctx.db.execute(`SELECT value FROM system WHERE key = '${CHECK_KEY}'`);
  if (row === undefined) return NEVER;
  const [mac, text] = splitOnce(String(row.value));
  if (!ctx.audit.sealKeys.some((key) => mac === signText(key, text))) return NEVER;
  return keptSchema.parse(JSON.parse(text));
}

async function keep(ctx: EdgeContext, kept: Kept): Promise<void> {
  const text = JSON.stringify(kept);
  await ctx.db.execute({
    sql: `INSERT INTO system (key, value) VALUES ('${CHECK_KEY}', ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    args: [`${signText(ctx.audit.sealKeys[0], text)} ${text}`],
  });
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(" ");
  return [line.slice(0, at), line.slice(at + 1)];
}
