import { HttpError } from "./http_error.ts";

/** A boundary has at most 70 characters (RFC 2046 §5.1.1); its line may have spaces and a line end behind it. */
const END_BYTES = 128;

/**
 * Reads a multipart/form-data body (RFC 7578), and stops reading it at `maxBytes`, its boundaries included: what a
 * sender claims in Content-Length is not what it sends.
 *
 * @throws {HttpError} `unsupported_media` for another kind of body, `body_too_large`, `invalid_input` when it is torn
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
  const body = request.body.pipeThrough(wholeWithin(maxBytes, boundaryOf(type)));
  try {
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError("invalid_input", { detail: "the multipart body cannot be read", cause: error });
  }
}

/** Passes a body on. The runtime's own parser takes one that ends in the middle of a file for a shorter file. */
function wholeWithin(
  maxBytes: number,
  boundary: string,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const lastLine = `--${boundary}--`;
  const decoder = new TextDecoder("latin1");
  let bytes = 0;
  let end = "";
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new HttpError("body_too_large");
      end = (end + decoder.decode(chunk.subarray(-END_BYTES))).slice(-END_BYTES);
      controller.enqueue(chunk);
    },
    flush() {
      if (!end.includes(lastLine)) {
        throw new SyntaxError("Cannot read multipart: its last boundary is missing");
      }
    },
  });
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? "";
}
