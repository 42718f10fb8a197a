import { createHmac } from "node:crypto";
import type { EdgeContext } from "../context.ts";

/** Bytes kept of the 32: enough that no two numbers ever share a mark. */
const MARK_BYTES = 16;

/**
 * Returns a keyed hash in place of a phone number, an address or a typed name. Equal values have equal marks. Without
 * APP_KEY there is no way back, not even by trying all numbers.
 */
export function markOf(
  ctx: Pick<EdgeContext, "audit">,
  kind: "phone" | "address" | "name" | "session" | "call",
  text: string,
): string {
  return createHmac("sha256", ctx.audit.markKey).update(`${kind}\n${text}`).digest()
    .subarray(0, MARK_BYTES).toString("base64url");
}

/** Returns a list's marks for the audit log: all of a short list, the first ones of a long list. */
export function marksOf(ctx: Pick<EdgeContext, "audit">, phones: readonly number[]): string[] {
  return phones.slice(0, MOST_MARKS).map((digits) => markOf(ctx, "phone", `+${digits}`));
}

const MOST_MARKS = 100;
