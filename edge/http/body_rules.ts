/** Checks before any handler reads a body: its size, that it is JSON, and that it has arrived. */
import type { Context, MiddlewareHandler } from "hono";
import { gatherBody } from "./gather_body.ts";
import { HttpError } from "./http_error.ts";

const KIB = 1024;
const JSON_MAX_BYTES = 64 * KIB;
/** Most bytes of a list of pasted numbers: ten megabytes, and the JSON around them. */
const MANUAL_NUMBERS_MAX_BYTES = 10 * KIB * KIB + 64 * KIB;

const MANUAL_NUMBERS = /^\/api\/(campaigns\/[^/]+\/contacts\/manual|lists\/[^/]+\/numbers)$/;
/** Multipart routes: their reader counts the bytes while it streams. */
const MULTIPART =
  /^(POST \/api\/(campaigns|campaigns\/[^/]+\/contacts|admin\/files|suppressions\/file|staged-files|messages\/images|lists\/[^/]+\/file)|PUT \/api\/campaigns\/[^/]+\/image)$/;

/** Calls that read a staged file whole, as long as the longest upload. */
const STAGED = /^\/api\/(campaigns\/[^/]+\/contacts\/(preview|left-out|staged)|lists\/[^/]+\/staged)$/;
const COPY = /^\/api\/(campaigns\/[^/]+\/(duplicate|contacts\/lists)|lists\/[^/]+\/campaign)$/;
const COUNT = /^\/api\/campaigns\/[^/]+\/contacts\/lists\/count$/;

/** The runtime makes no request of these methods (Fetch, "forbidden method"), and no route has them. */
const FORBIDDEN_METHODS = /^(TRACE|TRACK|CONNECT)$/i;

/**
 * Returns whether a request may take as long as an upload: it carries megabytes, a file or a long list of pasted
 * numbers, or counts long lists.
 */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return MULTIPART.test(`${method} ${path}`) ||
    (method === "POST" && (MANUAL_NUMBERS.test(path) || COUNT.test(path)));
}

/** Returns whether a request reads a file that was uploaded before. */
export function readsStaged({ method, path }: { method: string; path: string }): boolean {
  return method === "POST" && STAGED.test(path);
}

/** Returns whether a request may copy a list as long as the longest upload. */
export function isCopy({ method, path }: { method: string; path: string }): boolean {
  return method === "POST" && COPY.test(path);
}

/**
 * Returns a middleware that refuses `body_too_large` and, for a body that is not JSON, `unsupported_media`. It reads
 * a body to its end, so that the caller is identified after the body has arrived. It does not read long uploads: a
 * visitor could fill the memory with them.
 */
export function bodyRules(): MiddlewareHandler {
  return async (c, next) => {
    const { path, method } = c.req;
    if (FORBIDDEN_METHODS.test(method)) throw new HttpError("not_found");
    if (c.req.raw.body === null) return await next();
    replaceBody(c, gatherBody(c.req.raw.body));
    if (MULTIPART.test(`${method} ${path}`)) return await next();
    const length = c.req.header("content-length");
    // Without a type there may be no body at all: a POST without one needs no Content-Length (RFC 9112 6.3).
    const type = length === "0" ? undefined : c.req.header("content-type");
    if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
      throw new HttpError("unsupported_media", { text: "הבקשה צריכה להיות JSON." });
    }
    const isLong = MANUAL_NUMBERS.test(path);
    const maxBytes = isLong ? MANUAL_NUMBERS_MAX_BYTES : JSON_MAX_BYTES;
    if (Number(length ?? 0) > maxBytes) throw tooLarge();
    if (!isLong) {
      await readUpTo(c, maxBytes);
      return await next();
    }
    const wasTooLong = boundBody(c, maxBytes);
    await next();
    // The handler saw only JSON that was cut.
    if (wasTooLong()) throw tooLarge();
  };
}

/** Stops a body after `maxBytes`, whatever length it claims; returns a function that says whether it did. */
function boundBody(c: Context, maxBytes: number): () => boolean {
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      // A normal end would let the handler act on the part so far, if that is valid JSON.
      if (bytes > maxBytes) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
  replaceBody(c, c.req.raw.body!.pipeThrough(bound));
  return () => bytes > maxBytes;
}

/** Reads a body of at most `maxBytes`, whatever length it claims, and puts it back for the handler. */
async function readUpTo(c: Context, maxBytes: number): Promise<void> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for await (const chunk of c.req.raw.body!) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError("invalid_input", { detail: "the body broke off", cause });
  }
  if (bytes > maxBytes) throw tooLarge();
  replaceBody(c, bytes > 0 ? new Blob(chunks) : null);
}

function replaceBody(c: Context, body: BodyInit | null): void {
  const { url, method, headers, signal } = c.req.raw;
  c.req.raw = new Request(url, { method, headers, body, signal });
}

function tooLarge(): HttpError {
  return new HttpError("body_too_large", { text: "הבקשה גדולה מדי." });
}
