/** Adds the recipients of a campaign to a list, by outcome, with the values that the campaign kept. */
import type { DeliveryState } from "shared/delivery.ts";
import type { Fields } from "shared/contact_fields.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, rowsAs } from "../db/query.ts";
import { type CampaignRow, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { addFieldNames } from "./change_lists.ts";
import { ContactRows } from "./contact_rows.ts";
import { loadContacts, type LoadedCounts } from "./load_contacts.ts";
import type { FoundList } from "./read_list.ts";

const SLICE = 5_000;
// Erased and forgotten numbers have an alias below 0. Cancelling counts rows at once and rewrites them in slices.
const READ = `SELECT phone, fields FROM (SELECT phone, fields, state FROM deliveries
    WHERE campaign = :campaign AND phone > :after ORDER BY phone LIMIT ${SLICE})
  WHERE (CASE WHEN state = 'queued' AND :isCancelled THEN 'cancelled' ELSE state END)
    IN (SELECT value FROM json_each(:states))`;
const LAST = `SELECT max(phone) AS last FROM (SELECT phone FROM deliveries
    WHERE campaign = :campaign AND phone > :after ORDER BY phone LIMIT ${SLICE})`;

/**
 * Adds the recipients whose outcome is one of `states`.
 *
 * @throws {HttpError} `no_valid_contacts` when there are none; `contacts_full`, `not_found`, `invalid_input`
 */
export async function addFromCampaign(
  ctx: EdgeContext,
  { id: list, client }: Pick<FoundList, "id" | "client">,
  campaign: CampaignRow,
  states: readonly DeliveryState[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<LoadedCounts> {
  const sum: LoadedCounts = { added: 0, known: 0, blocked: 0 };
  let found = 0;
  for (let after = 0;;) {
    const args = {
      campaign: campaign.id,
      after,
      isCancelled: campaign.status === "cancelled",
      states: JSON.stringify(states),
    };
    const [read, lastOf] = await ctx.db.batch([statement(READ, args), statement(LAST, args)], "read");
    const people = rowsAs(read!, { phone: deliveries.phone, fields: jsonOf<Fields>() });
    found += people.length;
    if (people.length > 0) {
      const counts = await add(ctx, { list, client }, people, yieldToEventLoop);
      for (const key of ["added", "known", "blocked"] as const) sum[key] += counts[key];
    }
    const last = lastOf!.rows[0]?.last;
    if (last === null || last === undefined) break;
    after = Number(last);
    await turnLoop();
  }
  if (found === 0) throw new HttpError("no_valid_contacts", { text: "אין בקמפיין נמענים במצבים שנבחרו." });
  return sum;
}

async function add(
  ctx: EdgeContext,
  { list, client }: { list: number; client: number },
  people: readonly { phone: number; fields: Fields | null }[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<LoadedCounts> {
  const names = [...new Set(people.flatMap(({ fields }) => Object.keys(fields ?? {})))];
  await addFieldNames(ctx, { list, client, names });
  const rows = new ContactRows(names, people.length, 0);
  for (const { phone, fields } of people) {
    rows.open(phone);
    names.forEach((name, field) => rows.addText(field, fields?.[name] ?? ""));
    rows.close();
  }
  const sorted = await rows.finish(yieldToEventLoop);
  return await loadContacts(ctx, { client, list, rows: sorted, source: "campaign", yieldToEventLoop });
}
