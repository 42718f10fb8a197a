/**
 * The parts of a personal message as a campaign keeps them from its send on (`campaigns.sent_parts`): a JSON array of
 * words, which are never parsed again, and of {field, fallback}. Here they are read in SQL.
 */
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";

/** Most bytes of text, as UTF-8, in one lease: with its items it stays below MAX_FRAME_BYTES. */
export const MAX_LEASE_TEXT_BYTES = 700_000;
/** A UTF-16 unit has at most three bytes in UTF-8. */
const MAX_TEXT_BYTES = 3 * MAX_MESSAGE_CHARS;
/** So many texts fit into a lease, however long they are. */
export const ALWAYS_FITTING = Math.floor(MAX_LEASE_TEXT_BYTES / MAX_TEXT_BYTES);

/**
 * Returns SQL: the row `d` lacks one of `required`, an SQL expression of the campaign's `required_fields`. Rows are
 * looked at only when there are some.
 */
export function lacksValue(required: string): string {
  return `(${required} IS NOT NULL AND json_array_length(${required}) > (
    SELECT count(*) FROM json_each((SELECT v.fields FROM deliveries v WHERE v.id = d.id)) f
    WHERE f.value <> '' AND f.key IN (SELECT value FROM json_each(${required}))))`;
}

/**
 * Returns SQL: an upper bound of the bytes of the row `d`'s text: all words and fallbacks, and all its values as often
 * as the field that stands most often in the text. No text is longer than the app's limit.
 *
 * @param parts an SQL expression of the campaign's `sent_parts`, which does not depend on the row
 */
export function textBytes(parts: string): string {
  const mostOften = `(SELECT max(n) FROM (
    SELECT count(*) AS n FROM json_each(${parts}) p WHERE p.type = 'object' GROUP BY p.value ->> '$.field'))`;
  return `min(${MAX_TEXT_BYTES}, length(CAST(${parts} AS BLOB)) + ${mostOften}
    * coalesce((SELECT length(CAST(v.fields AS BLOB)) FROM deliveries v WHERE v.id = d.id), 0))`;
}
