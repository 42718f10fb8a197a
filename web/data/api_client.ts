/**
 * Sends all HTTP requests to the server: cookie session, JSON or multipart bodies, errors with a code and a
 * sentence.
 */
import type { ErrorCode } from "shared/error_code.ts";
import { closeCall, contentOf, openCall } from "./call_keys.ts";

/** An HTTP response with an error status. */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The server's error code, if its body had one. */
  readonly code: ErrorCode | undefined;
  /** The server's Hebrew sentence, if its body had one. */
  readonly serverText: string | undefined;
  /** Seconds to wait before another try (Retry-After, RFC 9110). */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, body: string) {
    super(`${response.status}: ${body || response.statusText}`);
    this.name = "ApiError";
    this.status = response.status;
    const parsed = readErrorBody(body);
    this.code = parsed.code;
    this.serverText = parsed.error;
    this.retryAfterSeconds = Number(response.headers.get("retry-after")) || undefined;
  }
}

export interface ApiRequestOptions {
  /** Plain values are sent as JSON, FormData as multipart. */
  body?: FormData | Record<string, unknown>;
  signal?: AbortSignal;
  /** The page may be closing: the browser sends the request nevertheless. */
  isLeaving?: boolean;
  /** The call acts once, though it is sent again after a lost answer; only for calls that take an Idempotency-Key. */
  once?: boolean;
}

/**
 * Sends one request with the session cookie and returns the response if it is OK.
 *
 * @throws {ApiError} when the response is not OK; its message is the status, a colon, and the body or status text.
 * @throws {TypeError} when no response arrived.
 */
export async function apiRequest(
  method: string,
  path: string,
  { body, signal, isLeaving, once = false }: ApiRequestOptions = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const content = once ? contentOf(method, path, body) : undefined;
  const response = await fetch(path, {
    method,
    credentials: "include",
    signal,
    keepalive: isLeaving,
    headers: {
      ...(body && !isForm && { "content-type": "application/json" }),
      ...(content !== undefined && { "idempotency-key": openCall(content) }),
    },
    body: isForm ? body : body && JSON.stringify(body),
  });
  const error = response.ok ? undefined : new ApiError(response, await response.text());
  if (content === undefined) {
    if (error !== undefined) throw error;
    return response;
  }
  // An answer may be lost in its middle: the call keeps its key until the whole answer is here.
  const answer = error === undefined ? await whole(response) : undefined;
  // After a fault of the server, as after no answer, nobody knows whether the call acted.
  if (response.status < 500 && error?.code !== "call_running") closeCall(content);
  if (answer === undefined) throw error;
  return answer;
}

async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = status === 204 ? null : await response.arrayBuffer();
  return new Response(body, { status, statusText, headers });
}

/** Sends one request and returns its JSON response. */
export async function apiJson<T>(method: string, path: string, options?: ApiRequestOptions): Promise<T> {
  return await (await apiRequest(method, path, options)).json() as T;
}

/** Returns the path that a query key represents: its segments joined with slashes. */
export function pathOfKey(queryKey: readonly unknown[]): string {
  return queryKey.join("/");
}

/** How a read treats a missing session: throw, or return null. */
export type On401 = "raise" | "null";

interface ReadContext {
  queryKey: readonly unknown[];
  signal?: AbortSignal;
}

/** Returns a query function that reads the path of its key; a 401 throws unless `on401` is "null". */
export function readByKey<T>(options: { on401: "null" }): (context: ReadContext) => Promise<T | null>;
export function readByKey<T>(options?: { on401?: "raise" }): (context: ReadContext) => Promise<T>;
export function readByKey<T>({ on401 = "raise" }: { on401?: On401 } = {}) {
  return async ({ queryKey, signal }: ReadContext): Promise<T | null> => {
    try {
      return await apiJson<T>("GET", pathOfKey(queryKey), { signal });
    } catch (error) {
      if (on401 === "null" && error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  };
}

/** Codes of a 401 caused by a wrong entry, not by an ended session. */
const TYPED_WRONG: (ErrorCode | undefined)[] = ["wrong_credentials", "wrong_code", "second_factor_needed"];

/** Returns whether the error means that the session is over. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && !TYPED_WRONG.includes(error.code);
}

function readErrorBody(body: string): { error?: string; code?: ErrorCode } {
  try {
    const { error, code } = JSON.parse(body) ?? {};
    return { error: typeof error === "string" ? error : undefined, code };
  } catch {
    return {};
  }
}
