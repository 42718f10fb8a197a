import { z } from "zod";
import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { requireSession } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import type { Caller } from "../http/router.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { tableKind } from "../tables/table_kind.ts";
import { workbookCsv } from "../tables/workbook_csv.ts";
import { workbookTurns } from "../tables/workbook_turns.ts";
import { scanUpload } from "../virus_scan/scan_upload.ts";

/** Dispose it when its text was taken in: until then, a workbook's person and others wait to open theirs. */
export interface Upload extends Disposable {
  /** Digits that may be a number are removed: administrators see the name, and the audit log never erases it. */
  fileName: string;
  /** Text; of a workbook, the chosen or the first sheet as CSV. */
  file: Uint8Array;
  /** The other fields of the form. */
  form: FormData;
}

/** The file, with its boundaries and headers. */
const MAX_BODY_BYTES = MAX_CONTACT_FILE_BYTES + 64 * 1024;
const MAX_FILE_NAME_CHARS = 200;

/** A file as it came, scanned. */
export interface UploadedFile extends Upload {
  file: Uint8Array<ArrayBuffer>;
  /** The chosen sheet of a workbook, from 1. */
  sheet: number | undefined;
}

/**
 * Reads a form with a contact file in `file`, scans the file, and turns a workbook into CSV when its turn has come.
 *
 * @throws {HttpError} `invalid_input`, `body_too_large`, `unsupported_media`; `no_valid_contacts` for a workbook
 * without rows; `file_infected`, `not_ready` from the scan; `not_logged_in` when the session ended meanwhile;
 * `too_many_attempts` when too many workbooks wait
 */
export async function readUpload(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "sessionHash">,
  request: Request,
): Promise<Upload> {
  const { sheet, ...upload } = await readUploadedFile(ctx, user, request);
  try {
    return { ...upload, file: await asText(upload.file, sheet, request.signal) };
  } catch (error) {
    upload[Symbol.dispose]();
    throw error;
  }
}

/** Works as readUpload() does, and leaves a workbook as it is. */
export async function readUploadedFile(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "sessionHash">,
  request: Request,
): Promise<UploadedFile> {
  let form: FormData;
  try {
    form = await readMultipart(request, MAX_BODY_BYTES);
  } catch (error) {
    const isTooLarge = error instanceof HttpError && error.code === "body_too_large";
    throw isTooLarge ? tooLarge(Number(request.headers.get("content-length"))) : error;
  }
  await requireSession(ctx, user);
  const file = form.get("file");
  if (!(file instanceof File)) throw new HttpError("invalid_input", { text: "נא להעלות קובץ CSV" });
  if (file.size > MAX_CONTACT_FILE_BYTES) throw tooLarge(file.size);
  const bytes = new Uint8Array(await file.arrayBuffer());
  // It would hold the file once more for as long as the form is in use.
  form.delete("file");
  await scanUpload(ctx, user, { name: file.name, bytes });
  const sheet = readSheetField(form);
  const turn = tableKind(bytes) === "xlsx" ? await takeTurn(ctx, user, request.signal) : null;
  return {
    fileName: withoutNumbers(file.name.slice(0, MAX_FILE_NAME_CHARS)),
    file: bytes,
    sheet,
    form,
    [Symbol.dispose]: () => turn?.[Symbol.dispose](),
  };
}

/** Waits for a workbook's turn. A session that ended meanwhile changes nothing. */
async function takeTurn(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "sessionHash">,
  left: AbortSignal,
): Promise<Disposable> {
  const turn = await workbookTurns.take(user.person, left);
  try {
    await requireSession(ctx, user);
    return turn;
  } catch (error) {
    turn[Symbol.dispose]();
    throw error;
  }
}

/** A workbook becomes CSV before anything keeps it: its own bytes would hide a number from an erasure's search. */
async function asText(
  bytes: Uint8Array<ArrayBuffer>,
  sheet: number | undefined,
  left: AbortSignal,
): Promise<Uint8Array> {
  if (tableKind(bytes) === "csv") return bytes;
  return (await workbookCsv(bytes, createYieldToEventLoop({ left, sliceMs: 10 }), { sheet })).csv;
}

/** Reads the field `sheet`. @throws {HttpError} `invalid_input` */
function readSheetField(form: FormData): number | undefined {
  const field = form.get("sheet");
  if (field === null || field === "") return undefined;
  const sheet = sheetSchema.safeParse(field);
  if (!sheet.success) throw new HttpError("invalid_input", { detail: "the number of a sheet" });
  return sheet.data;
}

const sheetSchema = z.coerce.number().int().min(1).max(255);

/** `bytes` is 0 when the sender did not declare the length. */
function tooLarge(bytes: number): HttpError {
  const size = bytes > 0 ? `${Math.ceil(bytes / (1024 * 1024 / 10)) / 10}MB` : "מעל 10MB";
  return new HttpError("body_too_large", {
    text: `הקובץ גדול מדי (${size}). אפשר להעלות CSV או XLSX עד 10MB; קובץ גדול יותר כדאי לפצל.`,
  });
}
