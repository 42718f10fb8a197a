/** Reads the chain from its beginning and names the first row that differs from what was sealed. */
import type { Client } from "@libsql/client/web";
import { gte, inArray } from "drizzle-orm";
import type { AuditFault } from "shared/audit.ts";
import { execute, query } from "../db/query.ts";
import { auditLog, system } from "../db/schema.ts";
import { type CheckPlace, GENESIS, hashRow, type Head, NO_HEAD, readHead, sealRow } from "./chain.ts";
import { HEAD_KEY } from "./seal.ts";
import { VOUCHED_KEY } from "./vouch.ts";
import type { ChainParts } from "../context.ts";

export interface CheckResult extends CheckPlace {
  fault: AuditFault | null;
  isDone: boolean;
}

/**
 * The heads that rows are compared with: the database's own, and those outside it. The last outside head counts most.
 */
interface Witnesses {
  /** Null = the head in the database was not signed by us. */
  own: Head | null;
  /** Id → hash, for every head that a row must match. */
  met: Map<number, string>;
  /** Id of the last row ever sealed, as far as any head shows. */
  last: number;
  /** Id of the last vouched row: seals up to there may be of a removed key. */
  vouched: number;
}

export const BEGINNING: CheckPlace = { rows: 0, next: 1, before: GENESIS };

const SLICE = 10_000;

/** Checks the whole chain, however long that takes. */
export async function checkWholeChain(db: Client, parts: ChainParts): Promise<CheckResult> {
  let result: CheckResult = { ...BEGINNING, fault: null, isDone: false };
  while (!result.isDone) result = await checkChain(db, parts, result, SLICE);
  return result;
}

/**
 * Continues from `place` over at most `maxRows` rows. Heads are read before rows, so that rows sealed meanwhile are
 * no fault. It finds every change by a writer of the database without the key, except in the rows of the last second
 * (docs/audit_log.md).
 */
export async function checkChain(
  db: Client,
  { sealKeys, heads }: ChainParts,
  place: CheckPlace,
  maxRows: number,
): Promise<CheckResult> {
  const witnesses = await readWitnesses(db, sealKeys, await heads.read());
  const { rows } = await execute(
    db,
    query.select().from(auditLog).where(gte(auditLog.id, place.next)).orderBy(auditLog.id).limit(maxRows),
  );
  let { rows: good, next, before } = place;
  const at = (fault: AuditFault["fault"] | null, isDone: boolean): CheckResult => ({
    rows: good,
    next,
    before,
    fault: fault && { row: next, fault },
    isDone,
  });
  for (const row of rows) {
    if (row.id !== next) return at("missing", true);
    if (row.hash === null && next > witnesses.last) return atEnd();
    const hash = hashRow(before, row);
    if (row.hash !== hash) return at("edited", true);
    const isSealed = next <= witnesses.vouched || sealKeys.some((key) => row.seal === sealRow(key, hash));
    if (!isSealed) return at("forged", true);
    if ((witnesses.met.get(next) ?? hash) !== hash) return at("forged", true);
    [good, next, before] = [good + 1, next + 1, hash];
  }
  return rows.length < maxRows ? atEnd() : at(null, false);

  function atEnd(): CheckResult {
    if (witnesses.last >= next) return at("cut", true);
    return at(witnesses.own === null ? "head_forged" : null, true);
  }
}

async function readWitnesses(
  db: Client,
  sealKeys: ChainParts["sealKeys"],
  lines: string[],
): Promise<Witnesses> {
  const outside = lines.flatMap((line) => readHead(sealKeys, line) ?? []);
  // Rows lost by a restore are no longer missed; only the key's holder can say that there was one.
  const met = outside.slice(outside.findLastIndex((head) => head.restored) + 1);
  const { rows } = await execute(
    db,
    query.select().from(system).where(inArray(system.key, [HEAD_KEY, VOUCHED_KEY])),
  );
  const [kept, vouch] = [HEAD_KEY, VOUCHED_KEY].map((key) => rows.find((row) => row.key === key));
  const own = kept === undefined ? null : readHead(sealKeys, kept.value);
  const vouched = vouch === undefined ? null : readHead(sealKeys, vouch.value);
  const all = [...met, ...[own, vouched].filter((head) => head !== null)];
  return {
    // A chain without sealed rows has no head and needs none.
    own: kept === undefined && all.length === 0 && await isUnsealed(db) ? NO_HEAD : own,
    met: new Map(all.map(({ last, hash }) => [last, hash])),
    last: Math.max(0, ...all.map(({ last }) => last)),
    vouched: vouched?.vouched ? vouched.last : 0,
  };
}

async function isUnsealed(db: Client): Promise<boolean> {
  const { rows } = await db.execute("SELECT 1 FROM audit_log WHERE hash IS NOT NULL LIMIT 1");
  return rows.length === 0;
}
