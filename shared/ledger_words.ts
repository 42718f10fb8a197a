/** The ledger's kinds of entries in Hebrew, for the screen and the exported file. */
import type { LedgerKind } from "./quota.ts";

export type LedgerActor = "client" | "admin" | "system";

const WORDS: Record<LedgerKind | "taken" | "unrefunded", string> = {
  grant: "טעינת הודעות",
  taken: "הפחתת הודעות",
  correction: "תיקון",
  reserve: "שליחה",
  release: "שליחה שנלקחה בחזרה או תזמון שבוטל",
  refund: "זיכוי על הודעות שלא יצאו",
  unrefunded: "ביטול זיכוי של שליחה שלא תצא",
  charge: "חיוב על הודעה שהתברר שיצאה",
  cover: "כיסוי על חשבון המערכת",
};

/** Returns what an entry is about. */
export function ledgerWords({ kind, delta }: { kind: LedgerKind; delta: number }): string {
  if (kind === "grant" && delta < 0) return WORDS.taken;
  if (kind === "refund" && delta < 0) return WORDS.unrefunded;
  return WORDS[kind];
}
