/** The legal basis for advertising to a number, declared for a whole upload (Communications Law s.30A(b), (c)). */
import { z } from "zod";
import { MAX_CONSENT_SOURCE_CHARS } from "./campaign.ts";
import { plainText } from "./plain_text.ts";

/**
 * opt_in = agreed expressly and in advance; existing_customer = gave the number during a purchase and was
 * informed.
 */
export const CONSENT_BASES = ["opt_in", "existing_customer"] as const;
export type ConsentBasis = (typeof CONSENT_BASES)[number];

const source = plainText.max(MAX_CONSENT_SOURCE_CHARS);
export const consentSchema = z.discriminatedUnion("basis", [
  z.object({
    basis: z.literal("opt_in"),
    /** Where recipients agreed: a form, a club, a call. */
    source: source.min(2),
    /** Date of the agreement; the latest date when it was collected over a period. */
    obtainedOn: z.iso.date(),
  }),
  z.object({ basis: z.literal("existing_customer"), source: source.default("") }),
]);
export type Consent = z.infer<typeof consentSchema>;
