import type { Transaction } from "@libsql/client/web";
import { inArray } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, query } from "../db/query.ts";
import { system } from "../db/schema.ts";
import { putSystemValue } from "../db/system_value.ts";
import { writeBatch } from "../db/write_batch.ts";
import { type CheckPlace, type Head, readHead, signHead } from "./chain.ts";
import { HEAD_KEY, readPresentHead } from "./seal.ts";

/** Key of the newest vouching head in the database. */
export const VOUCHED_KEY = "audit_vouched";

/**
 * During a change of key, signs with APP_KEY that the rows before `place` are good. Call it right after a check found
 * them good. Their seals are not made again: from now on their hashes prove them, and the other key can be removed.
 * The current head is signed again as well.
 */
export async function vouch(ctx: EdgeContext, place: CheckPlace): Promise<void> {
  const { sealKeys: [sealKey], heads } = ctx.audit;
  const found: Head = {
    count: place.rows,
    last: place.next - 1,
    hash: place.before,
    at: ctx.now(),
    vouched: true,
  };
  const line = signHead(sealKey, found);
  const isDone = await inTransaction(ctx.db, async (tx) => {
    const head = await readPresentHead(tx, ctx.audit.sealKeys);
    if (head === null || head.last < found.last || await isVouched(tx, sealKey, found)) return false;
    await writeBatch(tx, {
      vouched: putSystemValue(VOUCHED_KEY, line),
      head: putSystemValue(HEAD_KEY, signHead(sealKey, head)),
    });
    return true;
  });
  if (!isDone) return;
  await heads.append(line);
  ctx.log.info("audit_head", { line });
}

/** Returns whether `key` has already vouched for these rows and signed the current head. */
async function isVouched(tx: Transaction, key: Uint8Array, { last }: Head): Promise<boolean> {
  const { rows } = await execute(
    tx,
    query.select({ value: system.value }).from(system).where(inArray(system.key, [HEAD_KEY, VOUCHED_KEY])),
  );
  const own = rows.map(({ value }) => readHead([key], value));
  return own.every((head) => head !== null) && own.some((head) => head?.vouched && head.last >= last);
}
