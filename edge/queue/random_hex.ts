import type { EdgeContext } from "../context.ts";

/** `bytes` unguessable bytes, in hexadecimal. */
export function randomHex(ctx: Pick<EdgeContext, "randomBytes">, bytes: number): string {
  return Array.from(ctx.randomBytes(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
