/** Lists every screen by role: its path and its heading. */
import type { AdminCampaignPage } from "shared/admin_api.ts";
import type { AdbStatus, Campaign } from "shared/http_api.ts";
import type { ContactList, Lists } from "shared/lists_api.ts";
import type { Caller } from "./caller.ts";
import { PERSONAL } from "./make_lists.ts";

export interface Screen {
  /** Name of the screen in its pictures. */
  name: string;
  path: string;
  /** Its first-level heading. */
  heading: string;
  /** HTTP status of the screen's own request, if it is not 200. */
  status?: number;
}

export const VISITOR_SCREENS: readonly Screen[] = [
  { name: "landing", path: "/", heading: "כל הודעה יוצאת. פעם אחת בלבד." },
  { name: "login", path: "/login", heading: "כניסה למערכת" },
  { name: "desk", path: "/desk", heading: "ליד הטלפונים" },
  { name: "desk-en", path: "/desk?lang=en&maker=xiaomi", heading: "Beside the phones" },
  { name: "removal-over", path: "/r/99999999", heading: "הקישור כבר אינו פעיל", status: 410 },
  { name: "not-found", path: "/no/such/place", heading: "404 Page Not Found" },
];

/** Returns the client's own screens, with one campaign of each status that this client has. */
export async function clientScreens(caller: Caller, username: string): Promise<Screen[]> {
  const campaigns = await caller.read<Campaign[]>("GET", "/api/campaigns");
  const { items: lists } = await caller.read<Lists>("GET", "/api/lists");
  return [
    ...signedInScreens(username),
    { name: "removals", path: "/account/removals", heading: "רשימת ההסרה" },
    { name: "lists", path: "/client/lists", heading: "הרשימות שלי" },
    { name: "saved-messages", path: "/client/messages", heading: "הודעות שמורות" },
    { name: "list-missing", path: "/client/lists/99999999", heading: "הרשימה לא נמצאה", status: 404 },
    ...listScreens(lists),
    ...personalOf(campaigns).map(({ id, name }) => ({
      name: "campaign-personal",
      path: `/client/campaign/${id}`,
      heading: name,
    })),
    ...oneOfEach(campaigns).map(({ id, status, name }) => ({
      name: `campaign-${status}`,
      path: `/client/campaign/${id}`,
      heading: name,
    })),
    ...oneOfEach(campaigns.filter(({ startedAt }) => startedAt !== null)).map(({ id, status, name }) => ({
      name: `report-${status}`,
      path: `/client/campaign/${id}/report`,
      heading: `דוח: ${name}`,
    })),
    {
      name: "report-missing",
      path: "/client/campaign/99999999/report",
      heading: "קמפיין לא נמצא",
      status: 404,
    },
    { name: "statement", path: "/client/statement?month=2026-01", heading: "דוח חודשי: ינואר 2026" },
    { name: "campaign-missing", path: "/client/campaign/99999999", heading: "קמפיין לא נמצא", status: 404 },
  ];
}

/** Returns the administrators' screens, with one campaign of each status and one device of each kind. */
export async function adminScreens(caller: Caller, username: string): Promise<Screen[]> {
  const { items } = await caller.read<AdminCampaignPage>("GET", "/api/admin/campaigns?limit=200");
  const { id: client } = items[0]?.client ?? { id: 2 };
  const { items: lists } = await caller.read<Lists>("GET", `/api/lists?client=${client}`);
  const { devices } = await caller.read<AdbStatus>("GET", "/api/devices/adb-status");
  const connected = devices.find(({ adbConnected }) => adbConnected);
  const away = devices.find(({ adbConnected }) => !adbConnected);
  return [
    { name: "dashboard", path: "/admin", heading: "דשבורד ניהול" },
    { name: "alerts", path: "/admin/alerts", heading: "התראות" },
    { name: "devices", path: "/admin/devices", heading: "ניהול מכשירים" },
    ...[connected, away].flatMap((device) =>
      device
        ? [{
          name: `device-${device.adbConnected ? "connected" : "away"}`,
          path: `/admin/devices/${device.id}`,
          heading: device.name,
        }]
        : []
    ),
    { name: "device-missing", path: "/admin/devices/99999999", heading: "המכשיר לא נמצא", status: 404 },
    { name: "sites", path: "/admin/sites", heading: "אתרים" },
    { name: "site-screens-missing", path: "/admin/sites/99999999/screens", heading: "מסכי האתר" },
    ...devices.slice(0, 1).map(({ siteId }) => ({
      name: "site-screens",
      path: `/admin/sites/${siteId}/screens`,
      heading: "מסכי האתר",
    })),
    { name: "anti-ban", path: "/admin/anti-ban", heading: "ניטור אנטי-באן" },
    { name: "files", path: "/admin/files", heading: "תור קבצים" },
    { name: "users", path: "/admin/users", heading: "ניהול משתמשים" },
    { name: "campaigns", path: "/admin/campaigns", heading: "קמפיינים" },
    { name: "capacity", path: "/admin/capacity", heading: "קיבולת" },
    { name: "trends", path: "/admin/trends", heading: "מגמות" },
    { name: "trends-account", path: "/admin/trends?days=90&by=account", heading: "מגמות" },
    { name: "trends-client", path: "/admin/trends?days=7&by=client", heading: "מגמות" },
    ...personalOf(items).map(({ id, name }) => ({
      name: "campaign-personal",
      path: `/admin/campaigns/${id}`,
      heading: name,
    })),
    ...oneOfEach(items).map(({ id, status, name }) => ({
      name: `campaign-${status}`,
      path: `/admin/campaigns/${id}`,
      heading: name,
    })),
    ...items.filter(({ startedAt }) => startedAt !== null).slice(0, 1).map(({ id, name }) => ({
      name: "report",
      path: `/admin/campaigns/${id}/report`,
      heading: `דוח: ${name}`,
    })),
    {
      name: "report-missing",
      path: "/admin/campaigns/99999999/report",
      heading: "קמפיין לא נמצא",
      status: 404,
    },
    { name: "campaign-missing", path: "/admin/campaigns/99999999", heading: "קמפיין לא נמצא", status: 404 },
    { name: "privacy", path: "/admin/privacy", heading: "מחיקת מספר" },
    { name: "audit", path: "/admin/audit", heading: "יומן ביקורת" },
    { name: "suppressions", path: "/admin/suppressions", heading: "רשימת ההסרה" },
    { name: "activity", path: "/admin/activity", heading: "יומן פעילות" },
    { name: "settings", path: "/admin/settings", heading: "הגדרות מערכת" },
    { name: "lists-of-client", path: `/client/lists?client=${client}`, heading: "רשימות של לקוח" },
    ...listScreens(lists),
    { name: "not-found", path: "/admin/no/such/place", heading: "404 Page Not Found" },
    ...signedInScreens(username),
  ];
}

function signedInScreens(username: string): Screen[] {
  return [
    { name: "client", path: "/client", heading: `ברוך הבא, ${username}` },
    { name: "account", path: "/account", heading: "החשבון שלי" },
  ];
}

function listScreens(lists: readonly ContactList[]): Screen[] {
  return lists.map(({ id, name, size }) => ({
    name: `list-${size === 0 ? "empty" : "filled"}`,
    path: `/client/lists/${id}`,
    heading: name,
  }));
}

/** Returns the newest campaign whose text differs between its recipients, if there is one. */
function personalOf<T extends { name: string }>(campaigns: readonly T[]): T[] {
  return campaigns.filter(({ name }) => name.startsWith(PERSONAL)).slice(0, 1);
}

function oneOfEach<T extends { status: string }>(campaigns: T[]): T[] {
  return [...new Map(campaigns.map((campaign) => [campaign.status, campaign])).values()];
}
