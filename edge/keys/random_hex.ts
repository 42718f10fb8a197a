import type { EdgeContext } from "../context.ts";

/** `bytes` unguessable bytes, in hexadecimal. */
export function randomHex(ctx: Pick<EdgeContext, "randomBytes">, bytes: number): string {
  return ctx.randomBytes(bytes).toHex();
}
