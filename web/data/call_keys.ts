/**
 * Idempotency-Keys of calls that act once. A call whose answer was lost keeps its key, so that a second press of the
 * same button with the same content is the same call for the server.
 */

/** Most calls without an answer that are remembered. */
const MOST = 20;
const open = new Map<string, string>();

/** Returns the key of a call; the same for a call with the same content, until closeCall(). */
export function openCall(call: string): string {
  const known = open.get(call);
  if (known !== undefined) return known;
  // Not randomUUID(): on a page that is not secure browsers lack it.
  const key = Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (byte) => byte.toString(16).padStart(2, "0"),
  )
    .join("");
  open.set(call, key);
  for (const oldest of open.keys()) if (open.size > MOST) open.delete(oldest);
  return key;
}

/** Forgets a call that was answered: the next one with the same content is a new act. */
export function closeCall(call: string): void {
  open.delete(call);
}

/**
 * Returns what makes two calls the same: a file counts by its name, length and time. A proof does not count: the code
 * in it differs at each try.
 */
export function contentOf(
  method: string,
  path: string,
  body: FormData | Record<string, unknown> = {},
): string {
  if (!(body instanceof FormData)) return JSON.stringify([method, path, { ...body, proof: undefined }]);
  const fields = Array.from(
    body.entries(),
    ([name, value]) => [name, value instanceof File ? [value.name, value.size, value.lastModified] : value],
  );
  return JSON.stringify([method, path, fields]);
}
