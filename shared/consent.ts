/** On what a client relies when they advertise to a number: declared of a whole upload (Communications Law s.30A(b), (c)). */
import { z } from "zod";
import { MAX_CONSENT_SOURCE_CHARS } from "./campaign.ts";
import { plainText } from "./plain_text.ts";

/** opt_in = agreed beforehand and expressly; existing_customer = left the number while buying, and was told. */
export const CONSENT_BASES = ["opt_in", "existing_customer"] as const;
export type ConsentBasis = (typeof CONSENT_BASES)[number];

const source = plainText.max(MAX_CONSENT_SOURCE_CHARS);
export const consentSchema = z.discriminatedUnion("basis", [
  z.object({
    basis: z.literal("opt_in"),
    /** Where they agreed: a form, a club, a call. */
    source: source.min(2),
    /** When they agreed; the last of them, if it was over a time. */
    obtainedOn: z.iso.date(),
  }),
  z.object({ basis: z.literal("existing_customer"), source: source.default("") }),
]);
export type Consent = z.infer<typeof consentSchema>;
