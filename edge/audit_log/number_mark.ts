import { createHmac } from "node:crypto";
import type { EdgeContext } from "../context.ts";

/** Of the 32 bytes: enough that no two numbers ever share a mark. */
const MARK_BYTES = 16;

/**
 * A keyed hash that stands for a phone number, an address or a name that was typed: the same for the same, and without
 * APP_KEY no way back, not even by trying all numbers.
 */
export function markOf(
  ctx: Pick<EdgeContext, "audit">,
  kind: "phone" | "address" | "name",
  text: string,
): string {
  return createHmac("sha256", ctx.audit.markKey).update(`${kind}\n${text}`).digest()
    .subarray(0, MARK_BYTES).toString("base64url");
}

/** A list's marks as the audit log keeps them: all of a short list, the first of a long one. */
export function marksOf(ctx: Pick<EdgeContext, "audit">, phones: readonly number[]): string[] {
  return phones.slice(0, MOST_MARKS).map((digits) => markOf(ctx, "phone", `+${digits}`));
}

const MOST_MARKS = 100;
