/** Sample data of a fleet at work, for viewing the administrators' screens. */
import type { FakeEdge } from "./fake_edge_api.ts";
import {
  makeAccount,
  makeActivity,
  makeAuditRow,
  makeCapacity,
  makeCause,
  makeDashboard,
  makeDevice,
  makeErasure,
  makeFile,
  makeSite,
  makeStat,
} from "./make_fleet.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const MANY_STANDINGS = [
  "ready",
  "ready",
  "hour_full",
  "rested",
  "ready",
  "day_full",
  "unconfirmed_full",
] as const;

/** Fills the administrators' part of a fake edge; `many` phones turn the devices screen into a table. */
export function seedAdminSample(edge: FakeEdge, now: number, many = 0): void {
  const { admin } = edge;
  ["אופטיקה ברק", "גן אורן", "סטודיו פילאטיס ״לב״ 🙂"].forEach((username, index) =>
    edge.addUser({ username, messageQuota: [640, 0, 1][index] })
  );
  edge.addUser({ username: "מוסך הצפון", messageQuota: 75, disabled: true });
  const holon = { siteId: 1, site: "מחסן חולון" };
  const haifa = {
    siteId: 2,
    site: "משרד חיפה",
    siteConnected: false,
    adbConnected: false,
    state: "offline",
  } as const;
  const ago = (ms: number) => now - ms;
  admin.devices = [
    makeDevice({
      ...holon,
      id: 1,
      name: "חולון 1",
      address: "R58M31XK2QA",
      proofAt: ago(4 * SECOND),
      messagesToday: 244,
      accounts: [
        makeAccount({
          id: 1,
          status: "processing",
          messagesCount: 148,
          riskScore: 12,
          lastActivity: ago(4 * SECOND),
        }),
        makeAccount({
          id: 2,
          account: "com.whatsapp.w4b/0",
          messagesCount: 96,
          riskScore: 38,
          lastActivity: ago(8 * SECOND),
          whatsappVersion: "2.26.18.70",
        }),
      ],
    }),
    makeDevice({
      ...holon,
      id: 2,
      name: "חולון 2",
      proofAt: ago(2 * SECOND),
      messagesToday: 71,
      capPerDay: 71,
      leftToday: 0,
      standing: "day_full",
      accounts: [
        makeAccount({
          id: 3,
          messagesCount: 71,
          capPerDay: 71,
          leftToday: 0,
          standing: "day_full",
          riskScore: 30,
          lastActivity: ago(6 * MINUTE),
        }),
      ],
    }),
    makeDevice({
      ...holon,
      id: 3,
      name: "חולון 4",
      address: "192.168.4.24:5555",
      proofAt: ago(3 * SECOND),
      messagesToday: 14,
      stopped: true,
      accounts: [
        makeAccount({
          id: 4,
          status: "idle",
          messagesCount: 14,
          riskScore: 34,
          note: "בחימום: 14 מתוך 20 היום",
        }),
      ],
    }),
    makeDevice({
      ...holon,
      id: 4,
      name: "חולון 5",
      address: "R9AN80C4B1W",
      proofAt: ago(5 * SECOND),
      standing: "no_account",
    }),
    makeDevice({
      ...holon,
      id: 6,
      name: "חולון 6",
      address: "R9AN80C4B2X",
      proofAt: ago(5 * SECOND),
      messagesToday: 71,
      standing: "banned",
      accounts: [
        makeAccount({
          id: 6,
          status: "banned",
          messagesCount: 71,
          leftToday: 0,
          riskScore: 100,
          note: "החשבון נחסם.",
        }),
      ],
    }),
    makeDevice({
      ...holon,
      id: 7,
      name: "חולון 7",
      address: "R9AN80C4B3Y",
      proofAt: ago(3 * SECOND),
      messagesToday: 9,
      batteryPercent: 14,
      state: "low_battery",
      standing: "unfit",
      accounts: [makeAccount({ id: 7, messagesCount: 9 })],
    }),
    makeDevice({
      ...haifa,
      id: 5,
      name: "חיפה 2",
      address: "192.168.7.11:5555",
      proofAt: ago(12 * MINUTE),
      held: 2,
      messagesToday: 61,
      accounts: [
        makeAccount({
          id: 5,
          status: "banned",
          messagesCount: 61,
          riskScore: 94,
          note: "החשבון נחסם",
          lastActivity: ago(16 * MINUTE),
        }),
      ],
    }),
    ...Array.from({ length: many }, (_, index) =>
      makeDevice({
        ...(index % 3 === 0 ? haifa : holon),
        id: 100 + index,
        name: `מכשיר ${index + 1}`,
        address: `10.0.${index >> 8}.${index & 255}:5555`,
        proofAt: ago((index % 50) * SECOND),
        messagesToday: index % 251,
        ...(index % 3 === 0 ? {} : { standing: MANY_STANDINGS[index % MANY_STANDINGS.length] }),
        accounts: [
          makeAccount({
            id: 1000 + index,
            riskScore: index % 101,
            messagesCount: index % 251,
            lastActivity: ago(index * SECOND),
          }),
        ],
      })),
  ];
  admin.sites = [
    makeSite({ id: 1, devices: 4, connectedDevices: 4, held: 3, lastSeenAt: ago(2 * SECOND) }),
    makeSite({
      id: 2,
      name: "משרד חיפה",
      status: "away",
      devices: 3,
      held: 46,
      lastSeenAt: ago(12 * MINUTE),
    }),
    makeSite({
      id: 3,
      name: "באר שבע",
      status: "away",
      stopped: true,
      devices: 12,
      held: 1,
      lastSeenAt: ago(3 * HOUR),
    }),
    makeSite({ id: 4, name: "אילת", status: "not_enrolled", agentVersion: null, lastSeenAt: null }),
    makeSite({ id: 5, name: "ירושלים (ישן)", status: "revoked", lastSeenAt: ago(300 * HOUR) }),
  ];
  admin.alerts = [{
    code: "site_away",
    type: "warning",
    message: "אתר משרד חיפה לא מחובר. 46 הודעות שמורות אצלו ולא יישלחו ממקום אחר עד שיחזור.",
    since: ago(12 * MINUTE),
    siteId: 2,
    deviceId: null,
    campaignId: null,
    fileId: null,
  }];
  admin.alerts.push(...Array.from({ length: 25 }, (_, index) => ({
    code: "device_needs_hand" as const,
    cause: "device_needs_hand:unauthorized",
    type: "warning" as const,
    message: `המכשיר חולון ${index + 1}, אתר מחסן חולון, לא שולח: לא מורשה. מה לעשות כתוב בדף המכשיר.`,
    since: ago(40 * MINUTE),
    siteId: 1,
    deviceId: index + 1,
    campaignId: null,
    fileId: null,
  })));
  admin.causes = [
    makeCause({
      cause: "site_away",
      code: "site_away",
      type: "error",
      title: "אתר אחד לא מחובר",
      step: "בודקים שהמחשב באתר דולק, מחובר לאינטרנט, ושתוכנת האתר פועלת בו.",
      count: 1,
      alerts: 1,
      since: ago(12 * MINUTE),
      messages: [
        {
          channel: "email",
          state: "sent",
          at: ago(11 * MINUTE),
          attempts: 1,
          reason: null,
          status: null,
          nextAt: null,
        },
        {
          channel: "webhook",
          state: "failed",
          at: ago(MINUTE),
          attempts: 2,
          reason: "refused",
          status: 503,
          nextAt: now + 4 * MINUTE,
        },
      ],
    }),
    makeCause({
      title: "25 מכשירים לא מורשים",
      step:
        "על מסך הטלפון מופיע חלון ״לאפשר ניפוי באגים ב־USB?״. מסמנים ״לאפשר תמיד מהמחשב הזה״ ומאשרים. אם אין חלון, מנתקים את הכבל ומחברים שוב.",
      count: 25,
      alerts: 25,
      since: ago(40 * MINUTE),
    }),
    makeCause({
      cause: "quota_low",
      code: "quota_low",
      title: "לשני לקוחות אין מכסה שמספיקה לקמפיין",
      step: "טוענים הודעות במסך המשתמשים.",
      count: 2,
      alerts: 2,
      since: null,
      quiet: { kind: "acknowledged", at: ago(3 * HOUR), by: "admin", until: null },
    }),
  ];
  const sent = [1480, 1620, 940, 0, 0, 0, 0, 0, 420, 1690, 2310, 1174];
  const bucket = Math.floor(now / (2 * HOUR)) * 2 * HOUR;
  admin.dashboard = makeDashboard({
    stats: {
      totalDevices: makeStat(48, 45, [40, 42, 42, 43, 45, 45, 45, 46, 46, 47, 48, 48]),
      activeSessions: makeStat(41, 43, [41, 43, 39, 45, 43, 42, 41, 42, 44, 43, 42, 41]),
      messagesToday: makeStat(9214, 8230, sent),
      banRate: makeStat(0.8, 1.1, [1.1, 1.1, 1, 1, 0.9, 1, 1, 0.9, 0.9, 0.9, 0.8, 0.8]),
    },
    measuredAt: now,
    sendRate: sent.map((count, index) => ({ at: bucket - (11 - index) * 2 * HOUR, sent: count })),
    fleet: { sending: 24, ready: 11, full: 3, unable: 1, stopped: 1, offline: 5, atRisk: 2, banned: 1 },
    devices: admin.devices.slice(0, 4).map((device) => ({
      deviceId: device.id,
      name: device.name,
      site: device.site,
      status: device.accounts[0]?.status ?? "idle",
      whatsappVersion: device.accounts[0]?.whatsappVersion ?? null,
      lastActivity: device.accounts[0]?.lastActivity ?? null,
      messagesCount: device.messagesToday,
      capPerDay: device.capPerDay,
      leftToday: device.leftToday,
      standing: device.standing,
      held: 3,
      stopped: device.stopped,
    })),
    reset: { waitingMessages: 4212, runningCampaigns: 3, sentToday: 9214 },
  });
  seedCapacity(edge, now);
  admin.trendsOf = {
    sent: (ago) => ago > 150 ? null : ago % 7 === 5 ? 0 : 6200 + (ago * 977) % 3100 - ago * 22,
    names: {
      site: ["מחסן חולון", "משרד חיפה", "תחנה חדשה בבאר שבע עם שם ארוך מאוד שלא נכנס בשורה אחת"],
      account: ["מכירות דרום", "SM-A515F · 4F2A", "שירות לקוחות", "SM-G991B · 77C1"],
      client: ["dana", "אופטיקה ברק", "גן אורן", "סטודיו פילאטיס ״לב״"],
    },
    more: 12,
    sentSince: 9214,
  };
  const lines = [
    ["success", "הקמפיין ״תזכורת איסוף״ הסתיים: 860 הודעות", "משק הדר", MINUTE],
    ["error", "חשבון נחסם. ההודעות שלו עברו לחשבונות אחרים", "חיפה 2", 4 * MINUTE],
    ["warning", "הסוללה ב־14%. המכשיר הפסיק לקבל הודעות", "חולון 7", 9 * MINUTE],
    ["info", "מכשיר חדש חובר ונכנס לחימום", "חולון 12", 11 * MINUTE],
    ["warning", "האתר התנתק", "חיפה", 12 * MINUTE],
    ["success", "נקלטו 1,240 מספרים מתוך 1,294 שורות", "משק הדר", 20 * MINUTE],
  ] as const;
  const chain = { checkedAt: ago(2 * MINUTE), rows: 60, fault: null, open: 0, openSince: null };
  Object.assign(admin, { chain, chainAfterCheck: { ...chain, checkedAt: ago(0) } });
  admin.erasures = [
    makeErasure({
      id: 2,
      at: ago(3 * MINUTE),
      sites: [{ id: 1, name: "חיפה", answeredAt: null, removed: 0, revoked: false }],
      doneAt: null,
    }),
    makeErasure({ id: 1, at: ago(300 * MINUTE) }),
  ];
  admin.audit = Array.from({ length: 60 }, (_, index) =>
    makeAuditRow({
      id: 60 - index,
      at: ago(index * 7 * MINUTE),
      kind: index % 3 === 0 ? "settings_changed" : "login",
      text: index % 3 === 0 ? "שינוי הגדרות: תקרה יומית למכשיר: 120 במקום 250" : "כניסה למערכת",
      actorName: "admin",
    }));
  admin.activity = [
    ...lines.map(([type, message, detail, age], index) =>
      makeActivity({
        id: 100 - index,
        type,
        message,
        detail,
        timestamp: ago(age),
        deviceId: index === 1 ? 5 : null,
      })
    ),
    ...Array.from(
      { length: 80 },
      (_, index) =>
        makeActivity({
          id: 90 - index,
          message: `המכשיר ענה שוב (${index + 1})`,
          detail: "חולון 3",
          timestamp: ago((index + 1) * HOUR),
        }),
    ),
  ];
  const target = { kind: "campaign", campaignId: 1, campaign: "סלי סוכות", client: "משק הדר" } as const;
  admin.files = [
    makeFile({
      id: 5,
      name: "members-2026-09.csv",
      status: "processing",
      progress: 61,
      totalRows: 100_000,
      processedRows: 61_400,
      startedAt: ago(2 * MINUTE),
      target,
    }),
    makeFile({
      id: 4,
      name: "סניף צפון, לקוחות.csv",
      status: "queued",
      progress: 0,
      timestamp: ago(3 * MINUTE),
      startedAt: null,
      target,
    }),
    makeFile({
      id: 3,
      name: "lakohot-2026.csv",
      totalRows: 1294,
      processedRows: 1294,
      added: 1240,
      duplicates: 38,
      invalid: 12,
      suppressed: 4,
      hasRejected: true,
      startedAt: ago(20 * MINUTE),
      target,
    }),
    makeFile({
      id: 2,
      name: "export_crm_final(2).csv",
      status: "error",
      progress: 0,
      totalRows: 3410,
      error: "לא נמצאה עמודה עם מספרי טלפון. בשורה הראשונה יש: שם, עיר, סכום.",
      canRetry: true,
      startedAt: ago(HOUR),
      target,
    }),
    makeFile({
      id: 1,
      name: "opt-out-history.csv",
      totalRows: 212,
      processedRows: 212,
      added: 209,
      duplicates: 3,
      startedAt: ago(5 * HOUR),
      target: { kind: "suppressions" },
    }),
  ];
  admin.lastBan = { deviceId: 5, name: "חיפה 2", at: ago(4 * MINUTE) };
}

function seedCapacity({ admin, campaigns }: FakeEdge, now: number): void {
  const rooms = {
    phones: 20,
    phonesReady: 17,
    leftNow: 610,
    leftToday: 2140,
    usedToday: 1830,
    capPerDay: 4100,
  };
  const running = campaigns.filter(({ status }) => status === "active");
  const shown = running[0];
  admin.capacity = makeCapacity({
    at: now,
    total: { phones: 38, phonesReady: 21, leftNow: 640, leftToday: 2170, usedToday: 1960, capPerDay: 4450 },
    waiting: 4212,
    waitingPaused: 217,
    sites: [
      {
        id: 2,
        name: "משרד חיפה",
        state: "away",
        ...rooms,
        phones: 12,
        phonesReady: 0,
        leftNow: 0,
        leftToday: 0,
        usedToday: 120,
        leftAway: 1340,
      },
      {
        id: 3,
        name: "אתר הדגמה עם שם ארוך במיוחד ליד תחנת הרכבת",
        state: "working",
        ...rooms,
        phones: 6,
        phonesReady: 4,
        leftNow: 30,
        leftToday: 30,
        usedToday: 10,
        leftAway: 0,
      },
      { id: 1, name: "מחסן חולון", state: "working", ...rooms, leftAway: 250 },
    ],
    campaigns: shown === undefined ? [] : [
      {
        ...shown,
        id: 90,
        name: "מבצע אופניים",
        client: { id: 4, username: "גן אורן" },
        waiting: 300,
        pace: null,
        estimate: null,
        notices: [{ code: "stalled", cause: "not_asking", count: 300, since: now - 9 * MINUTE }],
      },
      { ...shown, client: { id: 1, username: "dana" }, waiting: 1421 },
      {
        ...shown,
        id: 91,
        name: "הזמנה לערב פתיחה של הסטודיו החדש ברחוב הרצל",
        client: { id: 5, username: "סטודיו פילאטיס" },
        waiting: 2491,
        pace: 38,
        estimate: { endsAt: now + 3 * 24 * HOUR, by: "pace" },
        notices: [],
      },
    ],
    campaignsRunning: 3,
  });
}
