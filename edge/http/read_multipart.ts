import { turnLoop } from "../time/turn_loop.ts";
import { HttpError } from "./http_error.ts";
import { cutParts, type Part } from "./cut_parts.ts";
import { repeatableCall } from "./repeatable_call.ts";

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{1,70}$/;
/** Far more parts than any of our forms has. */
export const MAX_PARTS = 32;
/** Longest text field, in UTF-16 units. Our longest is a message of some thousands. */
export const MAX_FIELD_CHARS = 64 * 1024;
const FIRST_BYTES = 64 * 1024;
/** Bytes of one body between two turns of the loop. Without turns, eight bodies at once held up reads for 150 ms. */
export const BYTES_A_TURN = 256 * 1024;
/** Longest file name; file systems allow 255. */
export const MAX_FILE_NAME_CHARS = 1024;

/**
 * Reads a multipart/form-data body (RFC 7578). It stops at `maxBytes`, boundaries included, because Content-Length is
 * only a claim, and at more parts than any form has.
 *
 * The runtime's own parser scans all bytes in one go and holds the loop for up to a tenth of a second. This one
 * searches each chunk for the boundary as it arrives.
 *
 * It also refuses a text field of megabytes: schemas trim a text before they measure it, and parse JSON whole.
 *
 * @throws {HttpError} `unsupported_media` for another kind of body; `body_too_large`; `invalid_input` when the body
 * is torn, has too many parts, or has a text field or file name that is too long
 */
export async function readMultipart(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type) || request.body === null) {
    throw new HttpError("unsupported_media", { text: "הבקשה צריכה להיות טופס עם קובץ." });
  }
  if (Number(request.headers.get("content-length")) > maxBytes) {
    await request.body.cancel();
    throw new HttpError("body_too_large");
  }
  const boundary = boundaryOf(type);
  const line = `--${boundary}`;
  try {
    const { bytes, found } = await readWhole(request.body, line, maxBytes);
    const form = new FormData();
    const parts = [...cutParts(bytes, line, found)];
    for (const part of parts) addPart(form, part);
    // Browsers choose another boundary each time: what a repeated call repeats is the parts.
    repeatableCall()?.sawBody(await digestParts(parts));
    // The handler's work with the form is a separate piece of work.
    await turnLoop();
    return form;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError("invalid_input", { detail: "the multipart body cannot be read", cause: error });
  }
}

async function digestParts(parts: readonly Part[]): Promise<string> {
  const digests = await Promise.all(parts.map(async ({ name, fileName = null, content }) => {
    const digest = await crypto.subtle.digest("SHA-256", content);
    return [name, fileName, new Uint8Array(digest).toHex()];
  }));
  const whole = new TextEncoder().encode(JSON.stringify(digests));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole)).toHex();
}

function addPart(form: FormData, { name, fileName, type, content }: Part): void {
  if (fileName !== undefined) {
    if (fileName.length > MAX_FILE_NAME_CHARS) {
      throw new HttpError("invalid_input", { text: "שם הקובץ ארוך מדי. כדאי לקצר אותו ולנסות שוב." });
    }
    return form.append(name, new File([content], fileName, { type }));
  }
  // A text has at most as many units as bytes, and at least a third of them.
  const text = content.length <= 3 * MAX_FIELD_CHARS ? new TextDecoder().decode(content) : null;
  if (text === null || text.length > MAX_FIELD_CHARS) {
    throw new HttpError("invalid_input", { text: "אחד השדות בטופס ארוך מדי. כדאי לקצר אותו ולנסות שוב." });
  }
  form.append(name, text);
}

/** Reads a body to its end and finds every position of `line` in it. */
async function readWhole(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  line: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; found: number[] }> {
  // latin1 gives one unit of text for each byte.
  const decoder = new TextDecoder("latin1");
  const found: number[] = [];
  // One growing buffer: for a body in single bytes a list of pieces would take a gigabyte.
  let bytes = new Uint8Array(FIRST_BYTES);
  let length = 0;
  let end = "";
  let turnAt = BYTES_A_TURN;
  for await (const chunk of body) {
    if (length + chunk.length > maxBytes) throw new HttpError("body_too_large");
    const text = end + decoder.decode(chunk);
    const first = length - end.length;
    for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
      found.push(first + at);
      if (found.length > MAX_PARTS + 1) throw new SyntaxError("Cannot read multipart: it has too many parts");
    }
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(2 * bytes.length, length + chunk.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length += chunk.length;
    end = text.slice(1 - line.length);
    if (length < turnAt) continue;
    await turnLoop();
    turnAt = length + BYTES_A_TURN;
  }
  return { bytes: bytes.subarray(0, length), found };
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (!BOUNDARY.test(boundary)) {
    throw new HttpError("invalid_input", { detail: "the boundary of the multipart body" });
  }
  return boundary;
}
