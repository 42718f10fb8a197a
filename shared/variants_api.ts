/** Several texts of one campaign: /api/campaigns/{id}/texts. */
import { z } from "zod";
import { MAX_MESSAGE_CHARS } from "./campaign.ts";
import { typedText } from "./http_api.ts";
import { MAX_TEXTS } from "./text_names.ts";

export const furtherTextsSchema = z.object({
  /** The texts beside the campaign's message; none = one text for all. */
  messages: z.array(typedText.min(1).max(MAX_MESSAGE_CHARS)).max(MAX_TEXTS - 1),
});

export const textFiguresSchema = z.object({
  no: z.int(),
  text: z.string(),
  sent: z.int(),
  failed: z.int(),
  unknown: z.int(),
  removals: z.int(),
});
export type TextFigures = z.infer<typeof textFiguresSchema>;

export const campaignTextsSchema = z.object({
  /** The texts beside the message of a campaign that is not sent yet. */
  messages: z.array(z.string()),
  /** The texts of a sent campaign that has several, with what came of each. */
  sent: z.array(textFiguresSchema),
  /** The text with the fewest failures and removals so far; null while nothing came of any. */
  proposed: z.int().nullable(),
  /** True when the difference between the texts may be chance. */
  isClose: z.boolean(),
  /** The text that a person chose for the rest. */
  winner: z.int().nullable(),
  /** True while the rest waits for a choice. */
  canChoose: z.boolean(),
});
export type CampaignTexts = z.infer<typeof campaignTextsSchema>;

export const chooseTextRequestSchema = z.object({ no: z.int().min(1).max(MAX_TEXTS) });

/**
 * Proposes the text with the smallest share of failures and removals. The channel has no receipts, so these are its only
 * signals.
 */
export function proposeText(texts: readonly TextFigures[]): { proposed: number | null; isClose: boolean } {
  const shares = texts.map(({ no, sent, failed, unknown, removals }) => {
    const outcomes = sent + failed + unknown;
    return { no, outcomes, share: outcomes === 0 ? null : Math.min(1, (failed + removals) / outcomes) };
  });
  const [best, second] = shares.flatMap((one) => one.share === null ? [] : [{ ...one, share: one.share }])
    .sort((a, b) => a.share - b.share || a.no - b.no);
  if (best === undefined) return { proposed: null, isClose: true };
  if (second === undefined) return { proposed: best.no, isClose: true };
  // Two standard errors of the difference, with one bad outcome more than was seen: no small wave is sure of anything.
  const errorOf = ({ share, outcomes }: { share: number; outcomes: number }) => {
    const p = (share * outcomes + 1) / (outcomes + 2);
    return p * (1 - p) / outcomes;
  };
  const isClose = second.share - best.share < 2 * Math.sqrt(errorOf(best) + errorOf(second));
  return { proposed: best.no, isClose };
}
