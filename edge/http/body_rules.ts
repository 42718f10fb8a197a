/** How large a body may be, and that it is JSON, before anything reads it; and that it is here. */
import type { Context, MiddlewareHandler } from "hono";
import { gatherBody } from "./gather_body.ts";
import { HttpError } from "./http_error.ts";

const KIB = 1024;
export const JSON_MAX_BYTES = 64 * KIB;
/** Ten megabytes of pasted numbers, and the JSON around them. */
export const MANUAL_NUMBERS_MAX_BYTES = 10 * KIB * KIB + 64 * KIB;

const MANUAL_NUMBERS = /^\/api\/campaigns\/[^/]+\/contacts\/manual$/;
/** Multipart routes: their reader counts as it streams. */
const MULTIPART =
  /^(POST \/api\/(campaigns|campaigns\/[^/]+\/contacts|admin\/files|suppressions\/file)|PUT \/api\/campaigns\/[^/]+\/image)$/;

const COPY = /^\/api\/campaigns\/[^/]+\/duplicate$/;

/** The runtime makes no request of these (Fetch, "forbidden method"), and no route is theirs. */
const FORBIDDEN_METHODS = /^(TRACE|TRACK|CONNECT)$/i;

/** Whether a request may carry megabytes: a file, or a long list of pasted numbers. */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return MULTIPART.test(`${method} ${path}`) || (method === "POST" && MANUAL_NUMBERS.test(path));
}

/** Whether a request may copy a list as long as the longest that was uploaded. */
export function isCopy({ method, path }: { method: string; path: string }): boolean {
  return method === "POST" && COPY.test(path);
}

/**
 * Refuses `body_too_large` and, for a body that isn't JSON, `unsupported_media`. Takes a body in, so that who asks is
 * looked at when it is whole; but not the long ones, for a visitor would fill the memory with them.
 */
export function bodyRules(): MiddlewareHandler {
  return async (c, next) => {
    const { path, method } = c.req;
    if (FORBIDDEN_METHODS.test(method)) throw new HttpError("not_found");
    if (c.req.raw.body === null) return await next();
    replaceBody(c, gatherBody(c.req.raw.body));
    if (MULTIPART.test(`${method} ${path}`)) return await next();
    const length = c.req.header("content-length");
    // Without a type it may be no body at all: a POST needs no Content-Length to have none (RFC 9112 6.3).
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
    // To whoever read it, it was JSON that is cut.
    if (wasTooLong()) throw tooLarge();
  };
}

/** Ends a body behind `maxBytes`, whatever it says of its length; answers whether it had to. */
function boundBody(c: Context, maxBytes: number): () => boolean {
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      // An end would let whoever reads it take what came until then, if that is JSON, and act by it.
      if (bytes > maxBytes) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
  replaceBody(c, c.req.raw.body!.pipeThrough(bound));
  return () => bytes > maxBytes;
}

/** Takes in a body, whatever it says of its length, and puts it back for whoever reads it. */
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
