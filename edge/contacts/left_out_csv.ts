import { ROW_REASON_TEXT } from "shared/row_reason_words.ts";
import type { EdgeContext } from "../context.ts";
import type { CampaignRow } from "../db/schema.ts";
import { csvText } from "../http/csv.ts";
import { type PreviewAsked, previewStaged } from "./preview_staged.ts";
import type { PreviewedRow } from "./preview_contacts.ts";

const HEADER = ["שורה", "מה כתוב בה", "למה לא תישלח הודעה"];
/** As many as a spreadsheet program opens at ease; the counts stand on the screen. */
const MAX_LINES = 100_000;

/** Returns the rows of a staged file that would get no message, in the order of the file. */
export async function leftOutCsv(
  ctx: EdgeContext,
  campaign: Pick<CampaignRow, "id" | "client">,
  asked: PreviewAsked,
): Promise<string> {
  const rows: PreviewedRow[] = [];
  await previewStaged(ctx, campaign, asked, (row) => {
    if (rows.length < MAX_LINES) rows.push(row);
  });
  rows.sort((a, b) => a.row - b.row);
  return csvText(HEADER, rows.map(({ row, text, reason }) => [String(row), text, ROW_REASON_TEXT[reason]]));
}
