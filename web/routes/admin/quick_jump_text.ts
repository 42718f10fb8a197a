import type { SearchHit } from "shared/admin_api.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { SITES } from "../../text/admin_sites.ts";
import { USERS } from "../../features/users/text.ts";
import { CAMPAIGN } from "../../features/campaigns/text/campaign.ts";

/** Words of the quick-jump field. */
export const QUICK_JUMP = {
  heading: "מעבר מהיר",
  open: "מעבר למסך, קמפיין או מכשיר",
  field: "מעבר למסך, קמפיין, משתמש או מכשיר",
  results: "תוצאות",
  kinds: { screen: "מסך", device: "מכשיר", site: "אתר", user: "משתמש", campaign: "קמפיין" },
  loading: "מחפש...",
  failed: "החיפוש לא הצליח. המסכים כאן למעלה זמינים גם בלעדיו.",
};

/** Returns a result's kind and state: "מכשיר · מחובר", "קמפיין · סיים". */
export function jumpDetail({ kind, detail, state }: SearchHit): string {
  const parts = {
    device: [detail, state === "online" ? DEVICES.marks.online : DEVICES.standings.offline],
    site: [state === "connected" ? SITES.states.connected : SITES.states.away],
    user: [
      USERS.roles[detail as keyof typeof USERS.roles] ?? detail,
      state === "disabled" ? USERS.disabled : "",
    ],
    campaign: [detail, CAMPAIGN.statuses[state as keyof typeof CAMPAIGN.statuses] ?? state],
  }[kind];
  return [QUICK_JUMP.kinds[kind], ...parts].filter(Boolean).join(" · ");
}
