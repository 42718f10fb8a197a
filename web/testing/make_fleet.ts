import type { ActivityItem } from "shared/activity.ts";
import type { AuditRow } from "shared/audit.ts";
import type { Erasure } from "shared/privacy.ts";
import type {
  AlertCause,
  Capacity,
  Dashboard,
  FileItem,
  OutsideAlerts,
  Site,
  Stat,
} from "shared/admin_api.ts";
import type { AdbStatus } from "shared/http_api.ts";

type AdbDevice = AdbStatus["devices"][number];
type Account = AdbDevice["accounts"][number];

/** Returns a phone in the server's shape. */
export function makeDevice(given: Partial<AdbDevice> = {}): AdbDevice {
  return {
    id: 1,
    address: "192.168.4.22:5555",
    name: "חולון 1",
    site: "מחסן חולון",
    siteId: 1,
    siteConnected: true,
    state: "online",
    stateSince: 0,
    adbConnected: true,
    proofAt: 0,
    batteryPercent: 82,
    stopped: false,
    siteStopped: null,
    messagesToday: 0,
    capPerDay: 250,
    leftToday: given.standing === undefined || given.standing === "ready"
      ? 250 - (given.messagesToday ?? 0)
      : 0,
    leftNow: given.standing === undefined || given.standing === "ready" ? 63 : 0,
    standing: given.adbConnected === false ? "offline" : given.stopped ? "stopped" : "ready",
    held: 0,
    accounts: [],
    ...given,
  };
}

/** Returns one account of a phone. */
export function makeAccount(given: Partial<Account> = {}): Account {
  return {
    id: 1,
    account: "com.whatsapp/0",
    label: "",
    confirmed: true,
    status: "active",
    messagesCount: 0,
    capPerDay: 250,
    leftToday: 250 - (given.messagesCount ?? 0),
    standing: given.status === "banned" ? "banned" : "ready",
    riskScore: 0,
    note: null,
    whatsappVersion: "2.26.18.74",
    lastActivity: null,
    ...given,
  };
}

/** Returns a site with an agent. */
export function makeSite(given: Partial<Site> = {}): Site {
  return {
    id: 1,
    name: "מחסן חולון",
    status: "connected",
    stopped: false,
    stopReason: null,
    unconfirmedRest: false,
    protocol: "shigur.agent.v2",
    needsUpdate: false,
    owesOutcomes: false,
    draining: false,
    agentVersion: "1.0.0",
    lastSeenAt: 0,
    createdAt: 0,
    devices: 0,
    connectedDevices: 0,
    held: 0,
    takesItemTexts: true,
    asksRehearsal: false,
    owingDevices: 0,
    ...given,
  };
}

/** Returns the certificate of an erasure. */
export function makeErasure(given: Partial<Erasure> = {}): Erasure {
  return {
    id: 1,
    at: 0,
    by: "admin",
    reason: "בקשה של בעל המספר",
    mark: "q83v5mAbT0yRk2Zx",
    blocked: true,
    removed: { deliveries: 3, attempts: 1 },
    databaseAt: 0,
    scrubbedAt: 0,
    sites: [],
    doneAt: 0,
    ...given,
  };
}

/** Returns one row of the audit log. */
export function makeAuditRow(given: Partial<AuditRow> = {}): AuditRow {
  return {
    id: 1,
    at: 0,
    kind: "login",
    text: "כניסה למערכת",
    actorId: null,
    actorName: null,
    campaignId: null,
    deviceId: null,
    hash: "5c1f0e7a".repeat(8),
    ...given,
  };
}

/** Returns one line of the activity feed. */
export function makeActivity(given: Partial<ActivityItem> = {}): ActivityItem {
  return {
    id: 1,
    type: "info",
    code: "site_connected",
    message: "האתר התחבר",
    detail: null,
    timestamp: 0,
    deviceId: null,
    siteId: null,
    campaignId: null,
    userId: null,
    ...given,
  };
}

/** Returns one uploaded file. */
export function makeFile(given: Partial<FileItem> = {}): FileItem {
  return {
    id: 1,
    name: "list.csv",
    status: "completed",
    progress: 100,
    totalRows: 0,
    processedRows: 0,
    timestamp: 0,
    startedAt: 0,
    finishedAt: 0,
    by: "admin",
    target: { kind: "campaign", campaignId: 1, campaign: "סתיו", client: "dana" },
    added: 0,
    duplicates: 0,
    invalid: 0,
    suppressed: 0,
    withoutConsent: 0,
    error: null,
    hasRejected: false,
    canRetry: false,
    ...given,
  };
}

/** Returns a dashboard figure with its value of a day ago in `yesterday`. */
export function makeStat(value: number, yesterday: number | null, trend: (number | null)[] = []): Stat {
  return {
    value,
    yesterday,
    change: yesterday === null ? null : Math.round((value - yesterday) * 10) / 10,
    trend: Array.from({ length: 12 }, (_, index) => trend[index] ?? null),
  };
}

/** Returns a dashboard without any activity. */
export function makeDashboard(given: Partial<Dashboard> = {}): Dashboard {
  return {
    stats: {
      totalDevices: makeStat(0, null),
      activeSessions: makeStat(0, null),
      messagesToday: makeStat(0, null),
      banRate: makeStat(0, null),
    },
    measuredAt: null,
    sendRate: Array.from({ length: 12 }, (_, index) => ({ at: index * 7_200_000, sent: 0 })),
    fleet: { sending: 0, ready: 0, full: 0, unable: 0, stopped: 0, offline: 0, atRisk: 0, banned: 0 },
    devices: [],
    reset: { waitingMessages: 0, runningCampaigns: 0, sentToday: 0 },
    ...given,
  };
}

/** Returns the capacity board of a system without sites and campaigns. */
export function makeCapacity(given: Partial<Capacity> = {}): Capacity {
  return {
    at: 0,
    total: { leftNow: 0, leftToday: 0, usedToday: 0, capPerDay: 0, phones: 0, phonesReady: 0 },
    waiting: 0,
    waitingPaused: 0,
    hours: { isOpen: true, opensAt: 0 },
    sites: [],
    campaigns: [],
    campaignsRunning: 0,
    ...given,
  };
}

/** Returns a cause of alerts. */
export function makeCause(given: Partial<AlertCause> = {}): AlertCause {
  return {
    cause: "device_needs_hand:unauthorized",
    code: "device_needs_hand",
    type: "warning",
    title: "5 מכשירים לא מורשים",
    step: "מאשרים את המחשב על מסך הטלפון.",
    count: 5,
    alerts: 5,
    since: 0,
    newest: 0,
    quiet: null,
    messages: [],
    ...given,
  };
}

/** Returns the ways out of the browser; only e-mail is set up. */
export function makeOutside(given: Partial<OutsideAlerts> = {}): OutsideAlerts {
  return {
    channels: [
      { channel: "email", isSetUp: true, lastTest: null, lastFailure: null },
      { channel: "webhook", isSetUp: false, lastTest: null, lastFailure: null },
    ],
    kinds: [
      { code: "site_away", type: "error", label: "אתר לא מחובר", email: true, webhook: true },
      {
        code: "device_needs_hand",
        type: "warning",
        label: "מכשיר שדורש טיפול",
        email: false,
        webhook: false,
      },
    ],
    ...given,
  };
}
