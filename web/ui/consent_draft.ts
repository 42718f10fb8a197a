/** What a person has filled in of a declaration of consent, and what of it is still missing. */
import type { Consent } from "shared/consent.ts";
import { CONSENT } from "../text/consent.ts";
import { DAY, readDay } from "../text/day.ts";

/** known = nothing new is declared; numbers of earlier declarations are taken in. */
export interface ConsentDraft {
  basis: Consent["basis"] | "known" | "";
  source: string;
  /** As it was typed. */
  obtainedOn: string;
}

export const NO_CONSENT: ConsentDraft = { basis: "", source: "", obtainedOn: "" };

export type ConsentField = "basis" | "source" | "obtainedOn";

/** The first thing that is missing, with the sentence that asks for it; `today` is yyyy-mm-dd. */
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

/** What is told to the server of a draft that misses nothing. */
export function consentOf({ basis, source, obtainedOn }: ConsentDraft): Consent | undefined {
  switch (basis) {
    case "opt_in":
      return { basis, source: source.trim(), obtainedOn: readDay(obtainedOn) ?? "" };
    case "existing_customer":
      return { basis, source: source.trim() };
    default:
      return undefined;
  }
}

function dayProblem(typed: string, today: string): string | undefined {
  if (typed.trim() === "") return CONSENT.missingDate;
  const day = readDay(typed);
  if (day === undefined) return DAY.unreadable;
  return day > today ? CONSENT.futureDate : undefined;
}

/** The local day of a moment, yyyy-mm-dd. */
export function dayOf(at: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Jerusalem" }).format(at);
}
