import type { SuppressionsAdded } from "shared/suppressions_api.ts";
import { noteActivity } from "../admin/note_activity.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { marksOf } from "../audit_log/number_mark.ts";
import { createBreathe } from "../contacts/breathe.ts";
import type { ContactList } from "../contacts/contact_list.ts";
import { readManualNumbers } from "../contacts/manual_numbers.ts";
import { readContacts } from "../contacts/read_contacts.ts";
import { nothingValid } from "../contacts/refusals.ts";
import { sortNumbers } from "../contacts/sort_numbers.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../queue/statement.ts";
import { suppressPhones, type SuppressResult } from "../queue/suppress.ts";
import { turnLoop } from "../turn_loop.ts";
import { listOf } from "./list_owner.ts";

/** Numbers of one transaction at most. */
const PART = 500;
/** Each is looked for in every campaign that waits: so many looks take some 20 ms on a local file. */
const LOOKS_A_PART = 25_000;
const WAITING = `SELECT count(*) AS n FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0`;

/** Adds numbers as people paste them to a person's list. @throws HttpError no_valid_contacts */
export async function addSuppressions(
  ctx: EdgeContext,
  user: SessionUser,
  numbers: string,
): Promise<SuppressionsAdded> {
  return await addList(ctx, user, await readManualNumbers(numbers, { seed: seedOf(ctx) }), "manual");
}

/** Adds the numbers of a CSV file to a person's list. @throws HttpError no_valid_contacts, unsupported_media */
export async function addSuppressionFile(
  ctx: EdgeContext,
  user: SessionUser,
  file: Uint8Array,
): Promise<SuppressionsAdded> {
  return await addList(ctx, user, await readContacts(file, { seed: seedOf(ctx) }), "file");
}

async function addList(
  ctx: EdgeContext,
  user: SessionUser,
  list: ContactList,
  source: "manual" | "file",
): Promise<SuppressionsAdded> {
  if (list.phones.length === 0) throw nothingValid(list);
  const { client } = listOf(user);
  const sum: SuppressResult = { added: 0, skipped: 0, recalled: 0 };
  const { rows: [waiting] } = await ctx.db.execute(statement(WAITING, { client }));
  const length = Math.max(1, Math.min(PART, Math.floor(LOOKS_A_PART / Math.max(1, Number(waiting!.n)))));
  // Unsorted, each number touches another page of two indexes, and every commit writes all those pages.
  if (list.phones.length > PART) await sortNumbers(list.phones, createBreathe());
  for (let from = 0; from < list.phones.length; from += length) {
    if (list.phones.length > length) await turnLoop();
    const part = await addPart(ctx, user, [...list.phones.subarray(from, from + length)], source);
    for (const key of ["added", "skipped", "recalled"] as const) sum[key] += part[key];
  }
  if (sum.added > 0 && client === 0) {
    const data = { by: user.username, count: sum.added };
    await ctx.db.execute(noteActivity(ctx.now(), { kind: "info", code: "suppressions_added", data }));
    ctx.wakeOutbox();
  }
  const duplicates = list.duplicates + list.phones.length - sum.added;
  return { ...sum, duplicates, invalid: list.invalid };
}

async function addPart(
  ctx: EdgeContext,
  user: SessionUser,
  phones: number[],
  source: "manual" | "file",
): Promise<SuppressResult> {
  const { client } = listOf(user);
  const data = { list: client === 0 ? "all" : "own", numbers: marksOf(ctx, phones) };
  return await suppressPhones(
    ctx,
    { client, phones, source },
    (now) =>
      noteAudit(now, {
        kind: "suppressions_added",
        actor: user.id,
        dataSql: { sql: "json_set(?, '$.count', changes())", args: [JSON.stringify(data)] },
      }, "changes() > 0"),
  );
}

function seedOf(ctx: EdgeContext): number {
  return new DataView(ctx.randomBytes(4).buffer).getInt32(0);
}
