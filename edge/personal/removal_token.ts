/** The token that ends a recipient's own link for removal (edge/opt_out/removal_link.ts). */
import { createHmac } from "node:crypto";
import type { EdgeContext } from "../context.ts";

/** 88 bits: enough that nobody guesses one of a million links. */
const SEAL_BYTES = 11;
/** 36 ** 17 is less than 2 ** 88. */
const SEAL_CHARS = 18;
const TOKEN = /^([1-9a-z][0-9a-z]{0,10})([0-9a-z]{18})$/;

/** A delivery, as far as its link names it. */
export interface LinkedRow {
  id: number;
  campaign: number;
  /** Digits. */
  phone: number;
}

/**
 * Returns the last part of a recipient's link: the row, and a seal that only this installation can make. It is computed
 * when it is needed and stored nowhere. The number is sealed too: an erased row has no link.
 */
export function removalToken(ctx: Pick<EdgeContext, "audit">, row: LinkedRow): string {
  return row.id.toString(36) + sealOf(ctx, row);
}

function sealOf(ctx: Pick<EdgeContext, "audit">, { id, campaign, phone }: LinkedRow): string {
  const hmac = createHmac("sha256", ctx.audit.markKey).update(`removal-link\n${id}\n${campaign}\n${phone}`)
    .digest("hex");
  return BigInt(`0x${hmac.slice(0, 2 * SEAL_BYTES)}`).toString(36).padStart(SEAL_CHARS, "0");
}

/** Returns the row that a token names, whether or not its seal is right; null = it is no token. */
export function rowOfToken(token: string): number | null {
  const id = Number.parseInt(TOKEN.exec(token)?.[1] ?? "", 36);
  return Number.isSafeInteger(id) ? id : null;
}
