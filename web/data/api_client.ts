/** The one way to the server: cookie session, JSON or multipart bodies, errors with a code and a sentence. */
import type { ErrorCode } from "shared/error_code.ts";

/** An answer that was not OK. */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The server's code, when its body had one. */
  readonly code: ErrorCode | undefined;
  /** The server's Hebrew sentence, when its body had one. */
  readonly serverText: string | undefined;
  /** Seconds until another try makes sense (Retry-After, RFC 9110). */
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
  /** A plain value travels as JSON, FormData as multipart. */
  body?: FormData | Record<string, unknown>;
  signal?: AbortSignal;
}

/**
 * Sends one request with the session cookie and returns the answer if it is OK.
 *
 * @throws {ApiError} when the answer is not OK; its text is the status, a colon, and the body or status text.
 * @throws {TypeError} when no answer came.
 */
export async function apiRequest(
  method: string,
  path: string,
  { body, signal }: ApiRequestOptions = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: "include",
    signal,
    headers: body && !isForm ? { "content-type": "application/json" } : undefined,
    body: isForm ? body : body && JSON.stringify(body),
  });
  if (!response.ok) throw new ApiError(response, await response.text());
  return response;
}

/** Sends one request and reads its JSON answer. */
export async function apiJson<T>(method: string, path: string, options?: ApiRequestOptions): Promise<T> {
  return await (await apiRequest(method, path, options)).json() as T;
}

/** The path a query key stands for: its segments joined with slashes. */
export function pathOfKey(queryKey: readonly unknown[]): string {
  return queryKey.join("/");
}

/** What a read does about a missing session: raise, or answer null. */
export type On401 = "raise" | "null";

interface ReadContext {
  queryKey: readonly unknown[];
  signal?: AbortSignal;
}

/** A query function that reads the path its key stands for; a 401 raises unless `on401` is "null". */
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

/** Of what was typed, and not of the session it was typed in. */
const TYPED_WRONG: (ErrorCode | undefined)[] = ["wrong_credentials", "wrong_code", "second_factor_needed"];

/** Whether the error says that the session is over. */
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
