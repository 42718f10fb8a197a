/** The quota's ledger: its kinds of entries, and the bounds of a correction. */
import type { ReasonChars } from "./reason.ts";

/**
 * grant = messages that an administrator loaded; correction = an administrator's change with a reason; reserve = a
 * send or a plan; release = a send that was taken back, or a plan that was called off; refund = not sent (negative: a refund that was undone); charge = `sent`
 * reported after a refund; cover = paid by the operator.
 */
export const LEDGER_KINDS = [
  "grant",
  "correction",
  "reserve",
  "release",
  "refund",
  "charge",
  "cover",
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Highest quota of a client, and so the largest change of it. */
export const MAX_QUOTA = 1_000_000_000;

/** For a correction of a client's quota: the client reads it too. */
export const CORRECTION_REASON_CHARS: ReasonChars = { least: 3, most: 200 };
