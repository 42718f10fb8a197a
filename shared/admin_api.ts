/**
 * Request and response schemas of the calls that administrators' screens make (and suppressions, a client's too), one
 * block per screen; the browser imports the types. Times are integer milliseconds. Lists are read by cursor: pass
 * `nextCursor` back as `cursor` until it is null.
 */
import { z } from "zod";
import { activityItemSchema, activityTypeSchema } from "./activity.ts";
import { ACCOUNT_STATES, COMMAND_KINDS, deviceStateSchema, USER_KINDS } from "./agent_protocol.ts";
import { CAMPAIGN_STATUSES } from "./campaign.ts";
import {
  ACCOUNT_MARKS,
  accountSchema,
  campaignSchema,
  deliverySchema,
  pageQuery,
  provedFields,
} from "./http_api.ts";
import { plainText } from "./plain_text.ts";
import { exceptionReasonSchema } from "./privacy.ts";
import { settingsSchema } from "./settings.ts";

/** A part of a name or of a text, as people type it. */
const searchText = z.string().trim().max(100).optional();

// Dashboard: GET /api/admin/dashboard

/** Points of a trend, and bars of the chart: two hours each, the last of them still running. */
export const TREND_POINTS = 12;
export const statSchema = z.object({
  value: z.number(),
  /** What it was yesterday at this hour; null when nothing was measured then. */
  yesterday: z.number().nullable(),
  /** value − yesterday, or null. */
  change: z.number().nullable(),
  /** Oldest first; null = not measured. */
  trend: z.array(z.number().nullable()).length(TREND_POINTS),
});
export type Stat = z.infer<typeof statSchema>;
export const deviceCardSchema = z.object({
  deviceId: z.int(),
  name: z.string(),
  site: z.string(),
  /** Of its busiest account. */
  status: z.enum(ACCOUNT_MARKS),
  whatsappVersion: z.string().nullable(),
  lastActivity: z.int().nullable(),
  /** Taken from today's cap, and that cap. */
  messagesCount: z.int(),
  capPerDay: z.int(),
  /** Deliveries it holds: what a stop gives to other devices. */
  held: z.int(),
  /** A person stopped it. */
  stopped: z.boolean(),
});
export type DeviceCard = z.infer<typeof deviceCardSchema>;
export const dashboardSchema = z.object({
  stats: z.object({
    totalDevices: statSchema,
    /** Accounts logged in, on a phone that answers. */
    activeSessions: statSchema,
    /** Sent since 00:00 in Israel. */
    messagesToday: statSchema,
    /** Accounts banned or restricted within 30 days, in percent of all, one decimal. */
    banRate: statSchema,
  }),
  /** When devices, sessions and bans were last counted; null before the first time. */
  measuredAt: z.int().nullable(),
  /** Messages sent in each two hours of the last 24, oldest first; `at` is where they begin. */
  sendRate: z.array(z.object({ at: z.int(), sent: z.int() })).length(TREND_POINTS),
  /** Where the fleet stands; every device is in exactly one of them. */
  fleet: z.object({
    sending: z.int(),
    ready: z.int(),
    /** By a person. */
    stopped: z.int(),
    offline: z.int(),
    /** Fit to send, with a risk of 30 and above. */
    atRisk: z.int(),
    /** Every account of it banned or restricted. */
    banned: z.int(),
  }),
  /** Connected devices, the last active first, at most 12. */
  devices: z.array(deviceCardSchema),
  /** What the reset dialog tells. */
  reset: z.object({ waitingMessages: z.int(), runningCampaigns: z.int(), sentToday: z.int() }),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

// What needs a person's attention now: GET /api/admin/alerts, worst first

export const ADMIN_ALERT_CODES = [
  "older_database",
  "site_stopped",
  "site_gave_back",
  "site_away",
  "sites_owe_outcomes",
  "account_banned",
  "campaign_paused_by_rule",
  "account_rested",
  "unconfirmed_rested",
  "accounts_unconfirmed",
  "phone_moved",
  "phone_at_two_sites",
  "number_on_two_phones",
  "import_failed",
  "replies_wait",
  "quota_low",
  "no_device",
  "scan_silent",
  "device_needs_hand",
] as const;
export const adminAlertSchema = z.object({
  code: z.enum(ADMIN_ALERT_CODES),
  type: z.enum(["error", "warning"]),
  /** A finished Hebrew sentence; the age is told beside it from `since`. */
  message: z.string(),
  since: z.int().nullable(),
  siteId: z.int().nullable(),
  deviceId: z.int().nullable(),
  campaignId: z.int().nullable(),
  fileId: z.int().nullable(),
});
export type AdminAlert = z.infer<typeof adminAlertSchema>;
/** How many alerts of one kind are listed. */
export const ALERTS_OF_A_KIND = 5;
export const adminAlertsSchema = z.object({
  items: z.array(adminAlertSchema),
  /** The kinds of which there are more than are listed. */
  cut: z.array(z.enum(ADMIN_ALERT_CODES)),
});
export type AdminAlerts = z.infer<typeof adminAlertsSchema>;

// Activity: GET /api/admin/activity?kind=&q=&cursor=&limit=, POST /api/admin/activity/search with the same as JSON

export const activityQuerySchema = pageQuery.extend({ kind: activityTypeSchema.optional(), q: searchText });
export const activityPageSchema = z.object({
  items: z.array(activityItemSchema),
  nextCursor: z.int().nullable(),
});
export type ActivityPage = z.infer<typeof activityPageSchema>;

// Campaigns of all clients: GET /api/admin/campaigns?status=&q=&client=&cursor=&limit=, GET /api/admin/campaigns/{id}

/** A status, or one of two groups: running (processing, active, paused) and editable (draft, ready). */
export const CAMPAIGN_FILTERS = [...CAMPAIGN_STATUSES, "running", "editable"] as const;
export const adminCampaignSchema = campaignSchema.omit({ message: true, composed: true }).extend({
  client: z.object({ id: z.int(), username: z.string() }),
});
export type AdminCampaign = z.infer<typeof adminCampaignSchema>;
/** `q`: part of the campaign's or of the client's name. `client`: a user's id. */
export const adminCampaignQuerySchema = pageQuery.extend({
  status: z.enum(CAMPAIGN_FILTERS).optional(),
  q: searchText,
  client: z.coerce.number().int().positive().optional(),
});
export const adminCampaignPageSchema = z.object({
  items: z.array(adminCampaignSchema),
  nextCursor: z.int().nullable(),
});
export type AdminCampaignPage = z.infer<typeof adminCampaignPageSchema>;
export const adminCampaignDetailSchema = adminCampaignSchema.extend({
  message: z.string(),
  composed: z.string().nullable(),
  /** Until when this session sees the numbers, or null = they are masked. */
  numbersShownUntil: z.int().nullable(),
  /** What the sending hours are to it. */
  hours: z.object({
    /** The settings hold campaigns of its kind to them. */
    kept: z.boolean(),
    /** Who let it pass by them, when and why; null = nobody. Binds nothing while it advertises. */
    waived: z.object({ at: z.int(), by: z.string(), reason: z.string() }).nullable(),
  }),
});
export type AdminCampaignDetail = z.infer<typeof adminCampaignDetailSchema>;

/** POST|DELETE /api/admin/campaigns/{id}/hours-waiver → 204 */
export const waiveHoursRequestSchema = z.object({ reason: exceptionReasonSchema });

// System: GET /api/admin/health, POST /api/admin/search {q}

export const adminHealthSchema = z.object({
  /** attention = something of `GET /api/admin/alerts` is an error, or the database is slow. */
  status: z.enum(["ok", "attention"]),
  version: z.string(),
  serverTime: z.int(),
  /** One round trip to the database. */
  databaseMs: z.number(),
  sites: z.object({ total: z.int(), connected: z.int() }),
  /** Of uploads. off = nobody scans them; silent = no verdict came when it was last asked for, and all are refused. */
  scan: z.enum(["off", "on", "silent"]),
});
export type AdminHealth = z.infer<typeof adminHealthSchema>;

export const searchQuerySchema = z.object({ q: z.string().trim().min(1).max(100) });
export const searchHitSchema = z.object({
  kind: z.enum(["campaign", "device", "user", "site"]),
  id: z.int(),
  title: z.string(),
  /** Client of a campaign, site of a device, role of a user. */
  detail: z.string(),
  /** Campaign status, device state, "disabled" or "", "connected" or "away". */
  state: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;
/** At most eight. */
export const searchResultSchema = z.object({ items: z.array(searchHitSchema) });

// Anti-ban: GET /api/admin/risk?limit=

export const RISK_TIERS = ["high", "medium", "low"] as const;
export type RiskTier = typeof RISK_TIERS[number];
export const riskQuerySchema = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100) });
export const riskItemSchema = z.object({
  deviceId: z.int(),
  name: z.string(),
  site: z.string(),
  score: z.int().min(0).max(100),
  /** The weightiest reason, a Hebrew sentence. */
  reason: z.string(),
  /** All of them, the weightiest first. */
  reasons: z.array(z.string()),
  /** What would lower it, in the same order. */
  advice: z.array(z.string()),
});
export type RiskItem = z.infer<typeof riskItemSchema>;
export const riskTierSchema = z.object({
  tier: z.enum(RISK_TIERS),
  count: z.int(),
  /** Of all devices, whole percent. */
  percent: z.int(),
  /** The highest score first; `limit` of them. */
  items: z.array(riskItemSchema),
});
export const riskSchema = z.object({
  /** High, medium, low. */
  tiers: z.array(riskTierSchema).length(RISK_TIERS.length),
  lastBan: z.object({ deviceId: z.int(), name: z.string(), at: z.int() }).nullable(),
});
export type Risk = z.infer<typeof riskSchema>;

// Devices: GET /api/admin/devices/{id}, GET /api/admin/devices.csv, POST /api/admin/devices/{id}/{kind} → 202

export const COMMAND_STATUSES = ["waiting", "done", "failed", "timed_out"] as const;
export const deviceCommandSchema = z.object({
  id: z.int(),
  deviceId: z.int(),
  kind: z.enum(COMMAND_KINDS),
  /** waiting = told to the site, no answer yet; timed_out = none came in the time its kind takes. */
  status: z.enum(COMMAND_STATUSES),
  /** What happened, a Hebrew sentence, or null while it waits or when nothing is to be said. */
  detail: z.string().nullable(),
  /** Username of who asked. */
  by: z.string(),
  createdAt: z.int(),
  finishedAt: z.int().nullable(),
});
/** Also GET /api/admin/commands/{id}; `device_changed` comes when it ends. */
export type DeviceCommand = z.infer<typeof deviceCommandSchema>;
export const commandKindSchema = z.enum(COMMAND_KINDS);

export const deviceAccountSchema = accountSchema.extend({
  state: z.enum(ACCOUNT_STATES),
  /** Since when it is in that state. */
  stateSince: z.int().nullable(),
  /** How many messages it may send today. */
  capPerDay: z.int(),
  /** Why the risk is what it is, Hebrew sentences, the weightiest first. */
  riskReasons: z.array(z.string()),
  /** What would lower the risk, a sentence for each reason. */
  riskAdvice: z.array(z.string()),
  /** The worst score of each of the last days, the oldest first; day as yyyymmdd. */
  riskHistory: z.array(z.object({ day: z.int(), score: z.int() })),
  /** Why a breaker rests it, to be named by whoever lets it work again; null = it does not rest. */
  trip: z.int().nullable(),
  firstInstalledAt: z.int().nullable(),
  /** Of whose Android user it is; null = its site has not told. */
  userKind: z.enum(USER_KINDS).nullable(),
  /** Whether an image opens with its caption there; null = not seen yet. */
  captions: z.boolean().nullable(),
  /** Its own number, where the app shows it. */
  ownNumber: z.string().nullable(),
  /** Outcomes of the last 24 hours. */
  sent24h: z.int(),
  failed24h: z.int(),
  unknown24h: z.int(),
});
/** One recent delivery; its number is masked. */
export const deviceDeliverySchema = deliverySchema.pick({
  id: true,
  phone: true,
  state: true,
  reason: true,
  account: true,
  at: true,
}).extend({ campaignId: z.int(), campaignName: z.string() });
export const deviceDetailSchema = z.object({
  id: z.int(),
  /** Hardware serial. */
  serial: z.string(),
  name: z.string(),
  address: z.string(),
  model: z.string(),
  androidVersion: z.string(),
  state: deviceStateSchema,
  /** Since when it is in that state. */
  stateSince: z.int().nullable(),
  /** What adb said of it, in English, for whoever mends it. */
  stateDetail: z.string().nullable(),
  /** Everywhere adb sees it, the one in use first. */
  addresses: z.array(z.string()),
  adbConnected: z.boolean(),
  /** When a command last came back from the phone. */
  proofAt: z.int().nullable(),
  batteryPercent: z.int().nullable(),
  /** A person stopped it: it is given nothing until it is started. */
  stopped: z.boolean(),
  /** Whether its site holds it stopped, as it said last; null = it does not say. */
  siteStopped: z.boolean().nullable(),
  firstSeenAt: z.int(),
  /** Taken from today's cap, over all its accounts, and that cap. */
  usedToday: z.int(),
  capPerDay: z.int(),
  /** Deliveries it holds. */
  held: z.int(),
  riskScore: z.int(),
  site: z.object({
    id: z.int(),
    name: z.string(),
    connected: z.boolean(),
    lastSeenAt: z.int().nullable(),
  }),
  accounts: z.array(deviceAccountSchema),
  /** The newest 50. */
  deliveries: z.array(deviceDeliverySchema),
  /** The newest 20. */
  commands: z.array(deviceCommandSchema),
});
export type DeviceDetail = z.infer<typeof deviceDetailSchema>;

// Accounts: PATCH /api/admin/accounts/{id} → 204

/** A label of "" takes it away. */
export const editAccountRequestSchema = z.strictObject({
  label: plainText.max(60).optional(),
  confirmed: z.boolean().optional(),
}).refine(({ label, confirmed }) => label !== undefined || confirmed !== undefined);
export type EditAccountRequest = z.infer<typeof editAccountRequestSchema>;

// Files: GET|POST /api/admin/files, GET …/{id}, GET …/{id}/rejected.csv, POST …/{id}/retry

export const FILE_STATUSES = ["queued", "processing", "completed", "error"] as const;
export const fileItemSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(FILE_STATUSES),
  /** 0–100, whole percent. */
  progress: z.int().min(0).max(100),
  totalRows: z.int(),
  processedRows: z.int(),
  /** When it was uploaded. */
  timestamp: z.int(),
  startedAt: z.int().nullable(),
  finishedAt: z.int().nullable(),
  /** Username of who uploaded it. */
  by: z.string(),
  target: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("campaign"), campaignId: z.int(), campaign: z.string(), client: z.string() }),
    z.object({ kind: z.literal("suppressions") }),
  ]),
  added: z.int(),
  /** In the file more than once, or in the target before. */
  duplicates: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  /** Left out of a marketing campaign, for nobody declared their consent. */
  withoutConsent: z.int(),
  /** Why it failed, a Hebrew sentence. */
  error: z.string().nullable(),
  /** Whether `…/rejected.csv` has rows. */
  hasRejected: z.boolean(),
  /** Whether `…/retry` may work: it failed, and its bytes are still here. */
  canRetry: z.boolean(),
});
export type FileItem = z.infer<typeof fileItemSchema>;
export const fileQuerySchema = pageQuery.extend({ status: z.enum(FILE_STATUSES).optional(), q: searchText });
export const filePageSchema = z.object({ items: z.array(fileItemSchema), nextCursor: z.int().nullable() });
export type FilePage = z.infer<typeof filePageSchema>;
/**
 * Fields of the multipart body: `file`, `target` = a campaign's id, or this word, and for a marketing campaign
 * `consent` = what is declared of its numbers, as JSON. Answers 202 and a FileItem.
 */
export const SUPPRESSIONS_TARGET = "suppressions";

// Accounts: POST /api/admin/accounts/{id}/release → 204

export const releaseAccountRequestSchema = z.object({ trip: z.int() });

// Settings: GET|PUT /api/admin/settings

const { shape } = settingsSchema;
/** All of them: a field left out of a save is a mistake, not a wish for its default. */
export const saveSettingsRequestSchema = z.strictObject({
  maxMessagesPerDay: shape.maxMessagesPerDay.unwrap(),
  rateLimit: shape.rateLimit.unwrap(),
  warmupEnabled: shape.warmupEnabled.unwrap(),
  autoFailover: shape.autoFailover.unwrap(),
  enableNotifications: shape.enableNotifications.unwrap(),
  hourlyPercent: shape.hourlyPercent.unwrap(),
  unconfirmedPerDay: shape.unconfirmedPerDay.unwrap(),
  sendingHoursEnforced: shape.sendingHoursEnforced.unwrap(),
  serviceHoursEnforced: shape.serviceHoursEnforced.unwrap(),
  sendingOpensAt: shape.sendingOpensAt.unwrap(),
  sendingClosesAt: shape.sendingClosesAt.unwrap(),
  fridayClosesAt: shape.fridayClosesAt.unwrap(),
  frequencyCapDays: shape.frequencyCapDays.unwrap(),
  breakerFailedPercent: shape.breakerFailedPercent.unwrap(),
  breakerUnknownPercent: shape.breakerUnknownPercent.unwrap(),
  breakerOptOutPercent: shape.breakerOptOutPercent.unwrap(),
  retentionDays: shape.retentionDays.unwrap(),
  maxContactsPerClient: shape.maxContactsPerClient.unwrap(),
  adminsNeedSecondFactor: shape.adminsNeedSecondFactor.unwrap(),
  ...provedFields,
});
export const savedSettingsSchema = z.object({
  settings: settingsSchema,
  /** When and by whom they were last saved; null = never, all are defaults. */
  savedAt: z.int().nullable(),
  savedBy: z.string().nullable(),
});
export type SavedSettings = z.infer<typeof savedSettingsSchema>;

// Sites: GET|POST /api/admin/sites, POST …/{id}/{token|revoke}

export const STOP_REASONS = ["journal_doubted", "two_machines", "impossible_report"] as const;
export type StopReason = (typeof STOP_REASONS)[number];
export const SITE_STATUSES = ["connected", "away", "not_enrolled", "revoked"] as const;
export const siteSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(SITE_STATUSES),
  /** It is given nothing until an administrator says so. */
  stopped: z.boolean(),
  /** Why: its journal is in doubt, or two machines connect with its key; null = it is not stopped. */
  stopReason: z.enum(STOP_REASONS).nullable(),
  /** Its accounts that nobody confirmed are given nothing until an administrator confirms or starts them. */
  unconfirmedRest: z.boolean(),
  /** The version of the agents' protocol its last connection spoke; null = it never connected. */
  protocol: z.string().nullable(),
  /** The edge speaks another version: it refuses the site until its agent is updated. */
  needsUpdate: z.boolean(),
  /** A restored database waits for what it did meanwhile. */
  owesOutcomes: z.boolean(),
  draining: z.boolean(),
  agentVersion: z.string().nullable(),
  lastSeenAt: z.int().nullable(),
  createdAt: z.int(),
  devices: z.int(),
  connectedDevices: z.int(),
  /** Deliveries it holds and may have sent: what a revocation makes unknown. */
  held: z.int(),
});
export type Site = z.infer<typeof siteSchema>;
export const sitesSchema = z.object({ items: z.array(siteSchema) });
export const createSiteRequestSchema = z.object({
  ...provedFields,
  name: plainText.min(1).max(60),
});
/** Shown once, to be typed at the site. */
export const joinTokenSchema = z.object({
  siteId: z.int(),
  joinToken: z.string(),
  expiresAt: z.int(),
  /** What to paste on the site's machine, one line of shell. */
  command: z.string(),
});
export type JoinToken = z.infer<typeof joinTokenSchema>;

// Users: GET /api/admin/users/{id} (what a confirmation tells)

export const userEffectSchema = z.object({
  userId: z.int(),
  /** Campaigns that disabling would pause. */
  runningCampaigns: z.int(),
  /** Deliveries of them that wait. */
  waitingMessages: z.int(),
  /** Campaigns ready to send. */
  readyCampaigns: z.int(),
  /** Open sessions, which disabling and a new password end. */
  sessions: z.int(),
  lastSeenAt: z.int().nullable(),
});
export type UserEffect = z.infer<typeof userEffectSchema>;
