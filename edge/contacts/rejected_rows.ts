/** The rows of an upload without a valid number: stored with the import, and offered as a file. */
import type { InStatement } from "@libsql/client/web";
import { PHONE_PROBLEM_TEXT } from "shared/phone_words.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import type { EdgeContext } from "../context.ts";
import { csvText } from "../http/csv.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { condition, orNull, rowsAs } from "../db/query.ts";
import { campaigns, importChunks, imports } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import type { RejectedRow } from "./contact_list.ts";

const HEADER = ["שורה", "מה כתוב בה", "מה לא תקין"];

/** Stores the rows; they replace earlier rows of the same import. */
export function keepRejected(importId: number, rejected: readonly RejectedRow[]): InStatement {
  return {
    sql: `INSERT INTO import_chunks (import, kind, no, bytes) SELECT ?1, 'rejected', 0, ?2 WHERE ?3 > 0
      ON CONFLICT (import, kind, no) DO UPDATE SET bytes = excluded.bytes`,
    args: [importId, new TextEncoder().encode(JSON.stringify(rejected)), rejected.length],
  };
}

const READ = `SELECT k.bytes, i.user, c.client, EXISTS (SELECT 1 FROM number_views v
    WHERE v.session = :session AND v.campaign = i.campaign AND v.until > :now) AS shown
  FROM import_chunks k JOIN imports i ON i.id = k.import LEFT JOIN campaigns c ON c.id = i.campaign
  WHERE k.import = :import AND k.kind = 'rejected' ORDER BY k.no`;

/**
 * Returns the rows as a spreadsheet file. A cell with two numbers is rejected, yet both belong to people. So numbers
 * are masked for users who neither loaded the file, nor own the campaign, nor may see its numbers.
 *
 * @throws {HttpError} `not_found` when there are none
 */
export async function rejectedCsv(
  ctx: EdgeContext,
  { person: reader, client, sessionHash: session }: Pick<Caller, "client" | "person" | "sessionHash">,
  importId: number,
): Promise<string> {
  const found = await ctx.db.execute(statement(READ, { import: importId, session, now: ctx.now() }));
  const [kept] = rowsAs(found, {
    bytes: importChunks.bytes,
    user: imports.user,
    client: orNull(campaigns.client),
    shown: condition,
  });
  if (kept === undefined) throw new HttpError("not_found");
  const isMasked = kept.user !== reader && kept.client !== client && !kept.shown;
  const rejected: RejectedRow[] = JSON.parse(new TextDecoder().decode(kept.bytes));
  const lines = rejected.map(({ row, text, problem }) => [
    String(row),
    isMasked ? withoutNumbers(text) : text,
    PHONE_PROBLEM_TEXT[problem],
  ]);
  return csvText(HEADER, lines);
}
