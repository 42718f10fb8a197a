/** The background tasks: idempotent, in slices; each is claimed in the database before it runs. */
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { endCarriers } from "./end_carriers.ts";
import { expireLeases } from "./expire_leases.ts";
import { expireMessages } from "./expire_messages.ts";
import { flipCancelled } from "./flip_cancelled.ts";
import { freeLeft } from "./free_left.ts";
import { freeParked } from "./free_parked.ts";
import { mendWaits } from "./mend_waits.ts";
import { settleSilent } from "./settle_silent.ts";
import { startSends } from "./start_sends.ts";
import { statement } from "../db/statement.ts";
import { tellOfMessages } from "./tell_of_messages.ts";

/** A task that runs by the clock. */
export interface Duty {
  name: string;
  everyMs: number;
  /** Runs one slice and returns how many rows it changed; 0 = nothing is left. */
  slice(ctx: EdgeContext): Promise<number>;
}

/** Time limit of one task; a platform that calls it allows a little more. */
const MAX_RUN_MS = 4_000;
/** Clocks of instances may differ by this. */
const CLOCKS_APART_MS = 60_000;
const EVENTS_KEPT_MS = 60 * 60_000;
const DELETE_SLICE = 2000;
// Events are in order of time, so the first recent one ends the search, without an index on time. An event from a
// clock that ran far ahead would end it too soon.
const IS_OLD_EVENT = `id < coalesce((SELECT id FROM events
  WHERE at BETWEEN :now - ${EVENTS_KEPT_MS} AND :now + ${EVENTS_KEPT_MS} ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER})`;

export const QUEUE_DUTIES: readonly Duty[] = [
  { name: "start_sends", everyMs: 1_000, slice: startSends },
  { name: "tell_of_messages", everyMs: 1_000, slice: tellOfMessages },
  { name: "expire_messages", everyMs: 1_000, slice: expireMessages },
  { name: "end_carriers", everyMs: 60_000, slice: endCarriers },
  { name: "expire_leases", everyMs: 5_000, slice: expireLeases },
  { name: "flip_cancelled", everyMs: 5_000, slice: flipCancelled },
  { name: "free_parked", everyMs: 5_000, slice: freeParked },
  { name: "free_left", everyMs: 5_000, slice: freeLeft },
  { name: "mend_waits", everyMs: 5_000, slice: mendWaits },
  { name: "settle_silent", everyMs: 60_000, slice: settleSilent },
  { name: "drop_events", everyMs: 60_000, slice: dropFrom("events", IS_OLD_EVENT) },
  {
    name: "drop_agent_tokens",
    everyMs: 60_000,
    slice: dropFrom("agent_tokens_seen", "expires_at < :now"),
  },
  { name: "drop_join_tokens", everyMs: 10 * 60_000, slice: dropFrom("join_tokens", "expires_at < :now") },
];

// No row = another instance has it. A claim further ahead than any claim reaches comes from a clock that was set back
// since.
const CLAIM = `INSERT INTO ticks (name, claimed_until) VALUES (:name, :until)
  ON CONFLICT (name) DO UPDATE SET claimed_until = :until
  WHERE claimed_until <= :now OR claimed_until > :until + ${CLOCKS_APART_MS}`;

/**
 * Runs every task whose time has come and that no other instance has claimed. Call it about once a second, or from a
 * scheduler. A failed task is logged and tried again at its next time.
 */
export async function runDueTicks(ctx: EdgeContext, duties: readonly Duty[] = QUEUE_DUTIES): Promise<void> {
  for (const duty of duties) {
    let isClaimed = false;
    try {
      isClaimed = await claim(ctx, duty);
      if (isClaimed) await run(ctx, duty);
    } catch (error) {
      ctx.log.error("tick_failed", { duty: duty.name, ...errorFields(error) });
      // A database that refuses one claim refuses the others too: one line per second says as much as one per task.
      if (!isClaimed) return;
    }
  }
}

async function claim(ctx: EdgeContext, { name, everyMs }: Duty): Promise<boolean> {
  const now = ctx.now();
  return (await ctx.db.execute(statement(CLAIM, { name, now, until: now + everyMs }))).rowsAffected === 1;
}

async function run(ctx: EdgeContext, { name, slice }: Duty): Promise<void> {
  const until = ctx.now() + MAX_RUN_MS;
  let total = 0;
  let changed: number;
  do {
    changed = await slice(ctx);
    total += changed;
  } while (changed > 0 && ctx.now() < until);
  if (total > 0) ctx.log.debug("tick_done", { duty: name, rows: total });
}

/** Returns a task's slice that deletes rows of `table` for which the SQL `over` holds. It may name :now. */
export function dropFrom(table: string, over: string): Duty["slice"] {
  const sql =
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${over} LIMIT ${DELETE_SLICE})`;
  return async (ctx) => (await ctx.db.execute(statement(sql, { now: ctx.now() }))).rowsAffected;
}
