import type { StagedFile } from "shared/staged_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import type { EdgeContext } from "../context.ts";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { headingsKey, recallChoice } from "../staging/column_choice.ts";
import { type KeptText, stageFile } from "../staging/stage_file.ts";
import { detectCsvShape } from "../tables/csv_rows.ts";
import { tableText } from "../tables/read_table.ts";
import { textNotes } from "../tables/table_notes.ts";
import { describeTable, type TableDescription } from "./describe_table.ts";
import type { UploadedFile } from "./read_upload.ts";
import { noRows } from "./refusals.ts";

/**
 * Decodes an uploaded file, keeps its text for its person, and describes it.
 *
 * @throws {HttpError} `unsupported_media`, `no_valid_contacts` with the reason as a sentence
 */
export async function stageUpload(
  ctx: EdgeContext,
  user: number,
  { fileName, bytes, sheet: chosen }: UploadedFile,
  left?: AbortSignal,
): Promise<StagedFile> {
  // Between two looks at the clock some buffers grow, for as long again.
  const yieldToEventLoop = createYieldToEventLoop({ left, sliceMs: 10 });
  const { kind, csv, encoding, sheets, sheet } = await tableText(bytes, { yieldToEventLoop, sheet: chosen });
  const shape = detectCsvShape(csv);
  const description = await describeTable(csv, shape, yieldToEventLoop);
  if (description.columns.length === 0) throw noRows();
  const notes = kind === "csv" ? await textNotes({ csv, encoding }, shape, yieldToEventLoop) : [];
  if (description.hasTitles) notes.push("titles");
  const { headings } = description;
  const kept = await stageFile(ctx, user, {
    fileName,
    kind,
    sheets: sheets.map((one) => ({ ...one, name: withoutNumbers(one.name) })),
    sheet,
    notes,
    headingsKey: headings === null ? null : headingsKey(headings),
    csv,
  });
  return await viewStaged(ctx, user, kept, description);
}

/** Describes a staged file again. */
export async function describeStaged(
  ctx: EdgeContext,
  user: number,
  kept: KeptText,
  left?: AbortSignal,
): Promise<StagedFile> {
  const yieldToEventLoop = createYieldToEventLoop({ left });
  return await viewStaged(
    ctx,
    user,
    kept,
    await describeTable(kept.csv, detectCsvShape(kept.csv), yieldToEventLoop),
  );
}

/** Returns the row with the headings of a staged file, null when there is none. */
export async function headingRowOf(
  { csv }: KeptText,
  yieldToEventLoop: YieldToEventLoop,
): Promise<number | null> {
  return (await describeTable(csv, detectCsvShape(csv), yieldToEventLoop)).headingRow;
}

async function viewStaged(
  ctx: EdgeContext,
  user: number,
  { csv: _, headingsKey: key, ...kept }: KeptText,
  { headings: __, hasTitles: ___, proposal, ...description }: TableDescription,
): Promise<StagedFile> {
  const remembered = key === null ? null : await recallChoice(ctx, user, key);
  return { ...kept, ...description, choice: remembered ?? proposal, isRemembered: remembered !== null };
}
