/** The entries of a declaration of consent, and what is still missing. */
import type { Consent } from "shared/consent.ts";
import { CONSENT } from "../text/consent.ts";
import { DAY, readDay } from "../text/day.ts";

/** known = no new declaration; numbers with an earlier declaration are accepted. */
export interface ConsentDraft {
  basis: Consent["basis"] | "known" | "";
  source: string;
  /** As typed. */
  obtainedOn: string;
}

export const NO_CONSENT: ConsentDraft = { basis: "", source: "", obtainedOn: "" };

export type ConsentField = "basis" | "source" | "obtainedOn";

/** Returns the first missing entry and the sentence that asks for it; `today` is yyyy-mm-dd. */
export function missingOf(
  { basis, source, obtainedOn }: ConsentDraft,
  today: string,
): { field: ConsentField; text: string } | undefined {
  if (basis === "") return { field: "basis", text: CONSENT.missingBasis };
  if (basis !== "opt_in") return undefined;
  if (source.trim().length < 2) return { field: "source", text: CONSENT.missingSource };
  const text = dayProblem(obtainedOn, today);
  return text === undefined ? undefined : { field: "obtainedOn", text };
}

/** Returns the declaration for the server from a complete draft. */
export function consentOf({ basis, source, obtainedOn }: ConsentDraft): Consent | undefined {
  switch (basis) {
    case "opt_in":
      return { basis, source: source.trim(), obtainedOn: readDay(obtainedOn, dayOf(Date.now())) ?? "" };
    case "existing_customer":
      return { basis, source: source.trim() };
    default:
      return undefined;
  }
}

function dayProblem(typed: string, today: string): string | undefined {
  if (typed.trim() === "") return CONSENT.missingDate;
  const day = readDay(typed, today);
  if (day === undefined) return DAY.unreadable;
  return day > today ? CONSENT.futureDate : undefined;
}

/** Returns the local day of a time, yyyy-mm-dd. */
export function dayOf(at: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Jerusalem" }).format(at);
}
