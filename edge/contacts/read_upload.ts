import { MAX_CONTACT_FILE_BYTES } from "shared/campaign.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { requireSession } from "../auth/sessions.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { readMultipart } from "../http/read_multipart.ts";
import type { Caller } from "../http/router.ts";
import { scanUpload } from "../virus_scan/scan_upload.ts";

export interface Upload {
  /** Digits that may be a number are removed: administrators see the name, and the audit log never erases it. */
  fileName: string;
  file: Uint8Array;
  /** The other fields of the form. */
  form: FormData;
}

/** The file, with its boundaries and headers. */
const MAX_BODY_BYTES = MAX_CONTACT_FILE_BYTES + 64 * 1024;
const MAX_FILE_NAME_CHARS = 200;

/**
 * Reads a form with a contact file in `file`, and scans the file.
 *
 * @throws {HttpError} `invalid_input`, `body_too_large`, `unsupported_media`; `file_infected`, `not_ready` from the
 * scan; `not_logged_in` when the session ended meanwhile
 */
export async function readUpload(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "sessionHash">,
  request: Request,
): Promise<Upload> {
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
  await scanUpload(ctx, user, { name: file.name, bytes });
  return { fileName: withoutNumbers(file.name.slice(0, MAX_FILE_NAME_CHARS)), file: bytes, form };
}

/** `bytes` is 0 when the sender did not declare the length. */
function tooLarge(bytes: number): HttpError {
  const size = bytes > 0 ? `${Math.ceil(bytes / (1024 * 1024 / 10)) / 10}MB` : "מעל 10MB";
  return new HttpError("body_too_large", {
    text: `הקובץ גדול מדי (${size}). אפשר להעלות CSV עד 10MB; קובץ גדול יותר כדאי לפצל.`,
  });
}
