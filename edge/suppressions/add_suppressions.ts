import type { SuppressionsAdded } from "shared/suppressions_api.ts";
import { noteActivity } from "../events/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { marksOf } from "../audit_log/number_mark.ts";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type ContactList, seedOf } from "../contacts/contact_list.ts";
import { readManualNumbers } from "../contacts/manual_numbers.ts";
import { readContacts } from "../contacts/read_contacts.ts";
import { nothingValid } from "../contacts/refusals.ts";
import { sortNumbers } from "../contacts/sort_numbers.ts";
import type { EdgeContext } from "../context.ts";
import { ROWS_OF_STEP_BEFORE, STEP_BEFORE_CHANGED } from "../db/write_batch.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import type { Caller } from "../http/router.ts";
import { suppressPhones, type SuppressResult } from "../queue/suppress.ts";
import { nextPart, type Part } from "../queue/suppress_part.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { listOf } from "./list_owner.ts";

/** A list longer than this is added in the order of its numbers. */
const LONG = 500;
const PROBLEMS_SHOWN = 5;

/**
 * Adds pasted numbers to a user's list, in several transactions. Numbers added before the caller `left` stay, which is
 * safe: a listed number gets no messages.
 *
 * @throws {HttpError} `no_valid_contacts`; `invalid_input` after the caller left
 */
export async function addSuppressions(
  ctx: EdgeContext,
  user: Caller,
  numbers: string,
  left?: AbortSignal,
): Promise<SuppressionsAdded> {
  const yieldToEventLoop = createYieldToEventLoop({ left });
  const list = await readManualNumbers(numbers, { seed: seedOf(ctx), yieldToEventLoop });
  return await addList(ctx, user, list, { source: "manual", yieldToEventLoop, left });
}

/** Works as addSuppressions() does, for a CSV file. @throws {HttpError} `unsupported_media` as well */
export async function addSuppressionFile(
  ctx: EdgeContext,
  user: Caller,
  file: Uint8Array,
  left?: AbortSignal,
): Promise<SuppressionsAdded> {
  const yieldToEventLoop = createYieldToEventLoop({ left });
  const list = await readContacts(file, { seed: seedOf(ctx), yieldToEventLoop });
  const added = await addList(ctx, user, list, { source: "file", yieldToEventLoop, left });
  return { ...added, ...(list.isDamaged && { isDamaged: list.isDamaged }) };
}

interface Adding {
  source: "manual" | "file";
  yieldToEventLoop: YieldToEventLoop;
  left: AbortSignal | undefined;
}

async function addList(
  ctx: EdgeContext,
  user: Caller,
  { phones, duplicates, invalid, rejected }: ContactList,
  { source, yieldToEventLoop, left }: Adding,
): Promise<SuppressionsAdded> {
  if (phones.length === 0) throw nothingValid({ invalid, rejected });
  const { client } = listOf(user);
  const sum: SuppressResult = { added: 0, skipped: 0, recalled: 0 };
  // Unsorted, each number is on another page of two indexes, and every commit writes all those pages.
  if (phones.length > LONG) await sortNumbers(phones, yieldToEventLoop);
  try {
    for (let from = 0; from < phones.length;) {
      if (phones.length > LONG) await turnLoop();
      endIfCallerLeft(left);
      const part = await nextPart(ctx, client, phones.subarray(from));
      const counts = await addPart(ctx, user, part, source);
      for (const key of ["added", "skipped", "recalled"] as const) sum[key] += counts[key];
      from += part.phones.length;
    }
  } finally {
    if (sum.added > 0 && client === 0) {
      const data = { by: user.username, count: sum.added };
      await ctx.db.execute(noteActivity(ctx.now(), { kind: "info", code: "suppressions_added", data }));
      ctx.wakeOutbox();
    }
  }
  return {
    ...sum,
    duplicates: duplicates + phones.length - sum.added,
    invalid,
    problems: rejected.slice(0, PROBLEMS_SHOWN),
  };
}

async function addPart(
  ctx: EdgeContext,
  user: Caller,
  part: Part,
  source: "manual" | "file",
): Promise<SuppressResult> {
  const { client } = listOf(user);
  const phones = [...part.phones];
  const data = { list: client === 0 ? "all" : "own", numbers: marksOf(ctx, phones) };
  return await suppressPhones(
    ctx,
    { ...part, client, phones, source },
    (now) =>
      noteAudit(now, {
        kind: "suppressions_added",
        actor: user.person,
        dataSql: { sql: `json_set(?, '$.count', ${ROWS_OF_STEP_BEFORE})`, args: [JSON.stringify(data)] },
      }, STEP_BEFORE_CHANGED),
  );
}
