import type { SendRequest, SendResult } from "shared/http_api.ts";
import { countOf } from "../text/hebrew_count.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { leaveOutReached, lookForReached, readReached } from "../queue/reached_before.ts";
import { type BeforeSend, sendCampaign } from "../queue/send.ts";

const OWED_TEXT = "המערכת שוחזרה מגיבוי. אפשר יהיה לשלוח כשכל האתרים ידווחו למי נשלחו הודעות בינתיים.";

/**
 * Sends as sendCampaign() does, for a person. After a restore it warns first: contacts possibly messaged in the lost
 * time are excluded, or messaged again, only if the request says so.
 *
 * @throws {HttpError} as sendCampaign(), and `reached_in_lost_time`
 */
export async function sendChecked(
  ctx: EdgeContext,
  caller: Pick<Caller, "client" | "person">,
  campaign: number,
  { reached: wanted, ...options }: SendRequest,
): Promise<SendResult> {
  const { client, person } = caller;
  const of = { campaign, client };
  const sender = { client, person };
  if (wanted === "send") return await sendCampaign(ctx, sender, campaign, options);
  const before: BeforeSend = {
    look: lookForReached(of),
    async act(answer) {
      const { reached, isOwed } = readReached(answer);
      // Before the sites have reported, nothing would go out and no warning would be possible.
      if (isOwed) throw new HttpError("campaign_not_ready", { text: OWED_TEXT });
      if (reached === 0) return;
      if (wanted === undefined) {
        throw new HttpError("reached_in_lost_time", { text: reachedText(reached) });
      }
      await leaveOutReached(ctx, of);
    },
  };
  return await sendCampaign(ctx, sender, campaign, { ...options, before });
}

function reachedText(count: number): string {
  const isOne = count === 1;
  return `המערכת שוחזרה מגיבוי. ${countOf(count, "contact")} ברשימה כבר ${isOne ? "קיבל" : "קיבלו"} הודעה ` +
    `בזמן שבין הגיבוי לשחזור. אפשר להשמיט ${isOne ? "אותו" : "אותם"} ולשלוח לשאר, או לשלוח לכולם.`;
}
