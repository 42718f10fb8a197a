/** A password given by another person: valid for a week, and only for choosing a new one. */
import type { EdgeContext } from "../context.ts";

export const FIRST_PASSWORD_MS = 7 * 24 * 60 * 60_000;

/** Returns when a password given now expires. */
export function firstPasswordUntil(ctx: Pick<EdgeContext, "now">): number {
  return ctx.now() + FIRST_PASSWORD_MS;
}
