/** Composes the text of every waiting recipient of a campaign that is not sent yet, to say what is wrong before it goes. */
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { composeText, fieldsOf, type TextPart } from "shared/personal_text.ts";
import { SAMPLE_TOKEN } from "shared/removal_address.ts";
import { CAMPAIGN_FIELDS } from "./import_fields.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, rowsAs } from "../db/query.ts";
import { deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { turnLoop } from "../time/turn_loop.ts";

export type Values = Readonly<Record<string, string>>;

/** What the rows of a campaign make of a message. */
export interface CheckedRows {
  /** Waiting recipients. */
  rows: number;
  /** The names of the fields that one of them has, or that their lists have. */
  fields: string[];
  /** How many lack a value that the message needs. */
  missing: number;
  /** How many would get a text that is too long for the app. */
  tooLong: number;
  /** The length of the longest text in UTF-16 units. */
  longestChars: number;
  /** Delivery ids: the first row, that of the longest text, and the one with the fewest values; null without rows. */
  first: number | null;
  longest: number | null;
  emptiest: number | null;
}

/** Rows per read: some 10 ms on a local file, their texts included. */
const SLICE = 2_000;
/** Most names that are remembered: a campaign has rows of several files, each with up to 20. */
const MOST_NAMES = 1_000;

// In a campaign that is not sent no row waits, so the index of its queue has the rows in their order.
const READ = `SELECT id, fields FROM deliveries
  WHERE campaign = :campaign AND state = 'queued' AND not_before = 0 AND id > :after ORDER BY id LIMIT ${SLICE}`;

const KNOWN = `SELECT ${CAMPAIGN_FIELDS} AS fields`;

/** Checks every waiting row. Reads in slices, and yields to the event loop between them. */
export async function checkRows(
  ctx: EdgeContext,
  campaign: number,
  parts: readonly TextPart[],
): Promise<CheckedRows> {
  const asked = fieldsOf(parts);
  const known = await ctx.db.execute(statement(KNOWN, { campaign }));
  const names = new Set(rowsAs(known, { fields: jsonOf<string[]>() })[0]?.fields ?? []);
  const found: CheckedRows = {
    rows: 0,
    fields: [],
    missing: 0,
    tooLong: 0,
    longestChars: 0,
    first: null,
    longest: null,
    emptiest: null,
  };
  let fewest = Infinity;
  for (let after = 0;;) {
    const read = await ctx.db.execute(statement(READ, { campaign, after }));
    const rows = rowsAs(read, { id: deliveries.id, fields: jsonOf<Values>() });
    for (const { id, fields } of rows) {
      const values = fields ?? {};
      found.rows++;
      found.first ??= id;
      for (const name in values) if (names.size < MOST_NAMES) names.add(name);
      const filled = countFilled(values, asked);
      if (filled < fewest) {
        fewest = filled;
        found.emptiest = id;
      }
      const text = composeText(parts, values, () => SAMPLE_TOKEN);
      if (text === null) found.missing++;
      else {
        if (text.length > MAX_MESSAGE_CHARS) found.tooLong++;
        if (text.length > found.longestChars) {
          found.longestChars = text.length;
          found.longest = id;
        }
      }
    }
    if (rows.length < SLICE) break;
    after = rows.at(-1)!.id;
    await turnLoop();
  }
  found.fields = [...names];
  return found;
}

function countFilled(values: Values, asked: readonly string[]): number {
  let filled = 0;
  for (const name of asked) if (Object.hasOwn(values, name) && values[name] !== "") filled++;
  return filled;
}
