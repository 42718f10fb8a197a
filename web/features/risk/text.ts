import type { RiskTier } from "shared/admin_api.ts";
import { countOf } from "../../text/count.ts";

export const ANTI_BAN = {
  heading: "ניטור אנטי-באן",
  subtitle: "ציון הסיכון מחושב מתוצאות השליחה של 24 השעות האחרונות, ומתעדכן אחרי כל הודעה.",
  settings: "הגדרות אנטי-באן",
  loading: "טוען ציוני סיכון...",
  failed: "ציוני הסיכון לא נטענו",
  tiers: "רמות סיכון",
  tier: { high: "סיכון גבוה", medium: "סיכון בינוני", low: "סיכון נמוך" } satisfies Record<RiskTier, string>,
  rule: { high: "ציון 70 ומעלה", medium: "ציון 30 עד 69", low: "ציון מתחת ל־30" } satisfies Record<
    RiskTier,
    string
  >,
  devices: (count: number) => countOf(count, "device"),
  devicesWord: "מכשירים",
  share: (percent: number) => `${percent}% מהמכשירים`,
  empty: {
    high: "אין מכשירים בסיכון גבוה. כאן יופיעו מכשירים שהציון שלהם 70 ומעלה, עם הסיבה.",
    medium: "אין מכשירים בסיכון בינוני. כאן יופיעו מכשירים שהציון שלהם 30 עד 69, עם הסיבה.",
    low: "אין מכשירים בסיכון נמוך.",
  } satisfies Record<RiskTier, string>,
  more: (count: number) => `עוד ${countOf(count, "device")}`,
  less: "הצגת חמישה בלבד",
  listOf: (tier: string) => `רשימה: ${tier}`,
  lastBan: (device: string, age: string) => `${device} נחסם ${age}.`,
  lastBanMeaning: "חסימה נוספת באותו קמפיין תשהה אותו.",
  toDevice: "לפרטי המכשיר",
  score: "ציון",
};
