import type { SearchHit } from "shared/admin_api.ts";
import { DEVICES } from "../../text/admin_devices.ts";
import { SITES } from "../../text/admin_sites.ts";
import { USERS } from "../../features/users/text.ts";
import { CAMPAIGN } from "../../features/campaigns/text/campaign.ts";

/** Words of the quick-jump field. */
export const QUICK_JUMP = {
  heading: "מעבר מהיר",
  open: "מסך, פעולה, לקוח, קמפיין או מכשיר",
  field: "מעבר למסך, פעולה, לקוח, קמפיין או מכשיר",
  results: "תוצאות",
  kinds: { screen: "מסך", act: "פעולה", device: "מכשיר", site: "אתר", user: "משתמש", campaign: "קמפיין" },
  acts: {
    createUser: "יצירת משתמש או לקוח חדש",
    loadMessages: "טעינת הודעות ללקוח",
    addDevice: "הוספת מכשיר",
    addSite: "הוספת אתר",
    uploadCsv: "העלאת קובץ CSV",
    suppress: "הוספה לרשימת ההסרה",
    hours: "שינוי שעות השליחה",
    cap: "שינוי התקרה היומית",
    reset: "איפוס תורים",
  },
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
