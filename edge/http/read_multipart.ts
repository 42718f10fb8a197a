import { HttpError } from "./http_error.ts";

/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{1,70}$/;
/** The last line, and what may stand behind it: spaces and a line end. */
const END_BYTES = 128;
/** Far more than any form of ours has; the runtime makes an object of each, and stands still meanwhile. */
export const MAX_PARTS = 32;

/**
 * Reads a multipart/form-data body (RFC 7578), and stops reading it at `maxBytes`, its boundaries included (what a
 * sender claims in Content-Length is not what it sends), or when it has more parts than any form.
 *
 * @throws {HttpError} `unsupported_media` for another kind of body, `body_too_large`, `invalid_input` when it is torn or
 *   in too many parts
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
  const body = request.body.pipeThrough(wholeWithin(maxBytes, boundary));
  // In our words, so that the parser goes by the boundary that was looked at here.
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  try {
    return await new Response(body, { headers }).formData();
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
  const line = `--${boundary}`;
  const decoder = new TextDecoder("latin1");
  let bytes = 0;
  let lines = 0;
  let end = "";
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new HttpError("body_too_large");
      const text = end + decoder.decode(chunk);
      // Those that were whole in the chunks before are counted.
      for (
        let at = text.indexOf(line, end.length - line.length + 1);
        at >= 0;
        at = text.indexOf(line, at + 1)
      ) {
        lines += 1;
      }
      if (lines > MAX_PARTS + 1) throw new SyntaxError("Cannot read multipart: it has too many parts");
      end = text.slice(-END_BYTES);
      controller.enqueue(chunk);
    },
    flush() {
      if (!end.includes(`${line}--`)) {
        throw new SyntaxError("Cannot read multipart: its last boundary is missing");
      }
    },
  });
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (!BOUNDARY.test(boundary)) {
    throw new HttpError("invalid_input", { detail: "the boundary of the multipart body" });
  }
  return boundary;
}
