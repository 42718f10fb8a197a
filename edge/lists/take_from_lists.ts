/** Takes people of lists into a draft or ready campaign, and says before how many that will be. */
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import type { Choice, ChoiceCount } from "shared/lists_api.ts";
import { runImport } from "../contacts/import_contacts.ts";
import { insertContacts, SUPPRESSED } from "../contacts/insert_contacts.ts";
import { jsonOf } from "../contacts/numbers_json.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import type { CampaignRow } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { checkConsent, CONSENTED, declareConsent } from "../lawful/consent.ts";
import { readBlocked } from "../privacy/blocked.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { choosePeople, type ChosenPeople } from "./choose_people.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Numbers counted in one statement: some 20 ms. */
const CHUNK = 4_000;
/** A contact is marked as used at most this often, so that most takings write nothing to the lists. */
const USED_AGAIN_MS = 30 * DAY_MS;

// In the order in which the import decides: a number has one reason.
const COUNT = `SELECT count(*) FILTER (WHERE removed) AS removed,
    count(*) FILTER (WHERE NOT removed AND lacks) AS "noConsent",
    count(*) FILTER (WHERE NOT removed AND NOT lacks AND here) AS "alreadyHere",
    count(*) FILTER (WHERE NOT removed AND NOT lacks AND NOT here AND reached) AS reached
  FROM (SELECT ${SUPPRESSED} AS removed, :needsConsent AND NOT ${CONSENTED} AS lacks,
      EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = value) AS here,
      :isMarketing AND EXISTS (SELECT 1 FROM recipients WHERE client = :client AND phone = value
        AND last_marketing_at > :cappedSince) AS reached
    FROM json_each(:phones))`;
const COUNTS = {
  removed: wholeNumber,
  noConsent: wholeNumber,
  alreadyHere: wholeNumber,
  reached: wholeNumber,
};
const KEEP_CHOICE = `UPDATE imports SET choice = :choice, fields = (
    SELECT nullif(json_group_array(DISTINCT f.value), '[]') FROM lists l, json_each(l.fields) f
    WHERE l.client = :client AND l.id IN (SELECT value FROM json_each(:lists)))
  WHERE id = :importId`;
const USE = `UPDATE contacts SET used_at = :now WHERE client = :client AND used_at < :now - ${USED_AGAIN_MS}
  AND phone IN (SELECT value FROM json_each(:phones))`;

type Target = Pick<CampaignRow, "id" | "client" | "kind">;

/**
 * Counts what a choice would add to a campaign, without changing anything. `hasConsent` = a consent will be declared
 * for everybody.
 *
 * @throws {HttpError} as choosePeople()
 */
export async function countChoice(
  ctx: EdgeContext,
  campaign: Target,
  choice: Choice,
  hasConsent: boolean,
  left?: AbortSignal,
): Promise<ChoiceCount> {
  const { phones, total, fitting, seed } = await choosePeople(ctx, campaign.client, choice, left);
  const isBlocked = await readBlocked(ctx);
  const { frequencyCapDays } = await readSettings(ctx);
  const isMarketing = campaign.kind === "marketing";
  const args = {
    client: campaign.client,
    campaign: campaign.id,
    isMarketing,
    needsConsent: isMarketing && !hasConsent,
    cappedSince: ctx.now() - frequencyCapDays * DAY_MS,
  };
  const sum = { removed: 0, noConsent: 0, alreadyHere: 0, reached: 0 };
  for (let at = 0; at < phones.length; at += CHUNK) {
    const chunk = phones.subarray(at, at + CHUNK);
    const free = chunk.filter((phone) => !isBlocked(phone));
    const found = await ctx.db.execute(statement(COUNT, { ...args, phones: jsonOf(free) }));
    const [counts] = rowsAs(found, COUNTS);
    for (const key of ["removed", "noConsent", "alreadyHere", "reached"] as const) sum[key] += counts![key];
    sum.removed += chunk.length - free.length;
    if (at + CHUNK >= phones.length) break;
    await turnLoop();
    endIfCallerLeft(left);
  }
  const added = phones.length - sum.removed - sum.noConsent - sum.alreadyHere;
  return { total, fitting, chosen: phones.length, ...sum, added, seed };
}

export interface Taking {
  choice: Choice;
  consent: Consent | undefined;
  user: number;
}

/**
 * Takes the chosen people into a campaign with the values that the lists hold now, as an import that can be taken out
 * again.
 *
 * @throws {HttpError} as choosePeople() and importContacts(); `no_valid_contacts` when nobody fits
 */
export async function takeFromLists(
  ctx: EdgeContext,
  campaign: Target,
  { choice, consent, user }: Taking,
  left?: AbortSignal,
): Promise<UploadResult> {
  checkConsent(campaign, consent, ctx.now());
  // Before the import begins: it gives up after some time without progress.
  const chosen = await choosePeople(ctx, campaign.client, choice, left);
  const phones = chosen.phones.slice();
  if (phones.length === 0) {
    throw new HttpError("no_valid_contacts", { text: "אין ברשימות אנשים שמתאימים לבחירה. לא נוסף דבר." });
  }
  const { result } = await runImport(ctx, campaign, "", async (running) => {
    const { importId } = running;
    const notes = [
      statement(KEEP_CHOICE, {
        importId,
        client: campaign.client,
        lists: JSON.stringify(choice.lists),
        choice: JSON.stringify(keptOf(choice, chosen)),
      }),
      ...(consent === undefined
        ? []
        : declareConsent(ctx, consent, { campaign: campaign.id, importId, user })),
    ];
    await ctx.db.batch(notes, "write");
    const list = { phones, duplicates: 0, invalid: 0 };
    const yieldToEventLoop = createYieldToEventLoop({ left });
    const counts = await insertContacts(ctx, { ...running, list, isOfLists: true, yieldToEventLoop });
    const { added: total, suppressed, withoutConsent } = counts;
    const duplicatesRemoved = phones.length - total - suppressed - withoutConsent;
    const result = {
      importId,
      total,
      duplicatesRemoved,
      invalid: 0,
      suppressed,
      withoutConsent,
      problems: [],
    };
    return { result };
  });
  await markUsed(ctx, campaign.client, phones);
  return result;
}

/** What stays of a choice with its import: no value of anybody, only which lists, how many filters, and the seed. */
function keptOf({ lists, where, except, notWithinDays, take }: Choice, { seed }: ChosenPeople) {
  return {
    lists,
    filters: where.map(({ kind }) => kind),
    except,
    notWithinDays: notWithinDays ?? null,
    take: take ? { kind: take.kind, count: take.count, seed } : null,
  };
}

async function markUsed(ctx: EdgeContext, client: number, phones: Float64Array): Promise<void> {
  for (let at = 0; at < phones.length; at += CHUNK) {
    const chunk = jsonOf(phones.subarray(at, at + CHUNK));
    await ctx.db.execute(statement(USE, { client, phones: chunk, now: ctx.now() }));
    await turnLoop();
  }
}
