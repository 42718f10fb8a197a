import type { EdgeContext } from "../context.ts";

/** Returns `bytes` unguessable bytes in hexadecimal. */
export function randomHex(ctx: Pick<EdgeContext, "randomBytes">, bytes: number): string {
  return ctx.randomBytes(bytes).toHex();
}
