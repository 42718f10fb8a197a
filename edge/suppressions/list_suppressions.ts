import type { z } from "zod";
import type { Suppression, SuppressionPage, suppressionQuerySchema } from "shared/suppressions_api.ts";
import { type Masking, maskingOf, MOST_WITH_ENDS, revealsHidden, shownPhone } from "../numbers/mask_phone.ts";
import { phoneRanges } from "../numbers/phone_search.ts";
import { countWholeNumber } from "../numbers/whole_numbers.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { suppressions } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { listOf, type ListOwner } from "./list_owner.ts";

const COLUMNS = "id, phone, source, at";
const FIELDS = {
  id: suppressions.id,
  phone: suppressions.phone,
  source: suppressions.source,
  at: suppressions.at,
};
const NEWEST = `SELECT ${COLUMNS} FROM suppressions WHERE client = :client AND id < :before
  ORDER BY id DESC LIMIT :limit`;
const LENGTH = `SELECT count(*) AS n FROM (SELECT 1 FROM suppressions WHERE client = :client LIMIT ${
  MOST_WITH_ENDS + 1
})`;
// A page's cursor is the id of its last row. When that row has left the list, the search starts again.
const OF_RANGE = `SELECT ${COLUMNS} FROM suppressions
  WHERE client = :client AND phone BETWEEN :first AND :last
    AND phone > coalesce((SELECT phone FROM suppressions WHERE id = :after AND client = :client), 0)
  ORDER BY phone LIMIT :limit`;

/**
 * Returns a page of a list, newest first; a search follows an index in the order of the numbers, however long the list
 * is. Administrators see masked numbers, and find one only by typing it whole.
 */
export async function listSuppressions(
  ctx: EdgeContext,
  { client, isMasked }: ListOwner,
  { q, cursor, limit }: z.infer<typeof suppressionQuerySchema>,
): Promise<SuppressionPage> {
  const rows = q
    ? await findNumbers(ctx, { client, isMasked }, { q, after: cursor ?? 0, limit: limit + 1 })
    : rowsAs(
      await ctx.db.execute(
        statement(NEWEST, { client, before: cursor ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 }),
      ),
      FIELDS,
    );
  const masking = await howMasked(ctx, { client, isMasked });
  const items = rows.slice(0, limit).map(({ id, phone, source, at }): Suppression => {
    return { id, phone: shownPhone(phone, masking), source: sourceOf(source), at };
  });
  return { items, nextCursor: rows.length > limit ? items.at(-1)!.id : null };
}

async function howMasked(ctx: EdgeContext, { client, isMasked }: ListOwner): Promise<Masking> {
  if (!isMasked) return "none";
  const [length] = rowsAs(await ctx.db.execute(statement(LENGTH, { client })), { n: wholeNumber });
  return maskingOf(true, length!.n);
}

/**
 * Returns a page as listSuppressions() does. It counts searches for whole numbers by users who see masked numbers.
 *
 * @throws {HttpError} `too_many_attempts`
 */
export async function searchSuppressions(
  ctx: EdgeContext,
  user: Caller,
  query: z.infer<typeof suppressionQuerySchema>,
): Promise<SuppressionPage> {
  const owner = listOf(user);
  if (owner.isMasked && query.q) await countWholeNumber(ctx, user, query.q);
  return await listSuppressions(ctx, owner, query);
}

async function findNumbers(
  ctx: EdgeContext,
  { client, isMasked }: ListOwner,
  { q, after, limit }: { q: string; after: number; limit: number },
): Promise<RowAs<typeof FIELDS>[]> {
  const ranges = phoneRanges(q).filter((range) => !isMasked || !revealsHidden(range));
  if (ranges.length === 0) return [];
  const pages = await ctx.db.batch(
    ranges.map(({ first, last }) => statement(OF_RANGE, { client, first, last, after, limit })),
    "read",
  );
  return pages.flatMap((page) => rowsAs(page, FIELDS)).slice(0, limit);
}

function sourceOf(source: string): Suppression["source"] {
  return source === "file" || source === "reply" ? source : "manual";
}
