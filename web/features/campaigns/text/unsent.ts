import type { CampaignCounts } from "shared/campaign.ts";
import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words about the recipients that an ended campaign did not reach. */
export const UNSENT = {
  lead: (unsent: number, total: number) =>
    `${countOf(unsent, "recipient")} מתוך ${formatNumber(total)} לא ${
      oneOrMany(unsent, "קיבל", "קיבלו")
    } את ההודעה.`,
  why: ({ failed, skipped, cancelled }: CampaignCounts, leftOut: number) =>
    `${
      [
        part(failed, "נכשלה", "נכשלו"),
        part(skipped - leftOut, "דולגה", "דולגו"),
        part(leftOut, "הושמטה כי חסר לנמען ערך", "הושמטו כי חסר לנמען ערך"),
        part(cancelled, "בוטלה", "בוטלו"),
      ].filter(Boolean).join(", ")
    }. המכסה שלהן הוחזרה.`,
};

function part(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${formatNumber(count)} ${oneOrMany(count, one, many)}`;
}
