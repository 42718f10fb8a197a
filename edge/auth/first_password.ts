/** A password that somebody else gave: good for a week, and for nothing but choosing another. */
import type { EdgeContext } from "../context.ts";

export const FIRST_PASSWORD_MS = 7 * 24 * 60 * 60_000;

/** Until when one that is given now opens. */
export function firstPasswordUntil(ctx: Pick<EdgeContext, "now">): number {
  return ctx.now() + FIRST_PASSWORD_MS;
}
