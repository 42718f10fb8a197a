/**
 * Request and response schemas of the administrators' calls and of suppressions (which clients use too), one block
 * per screen. The browser imports the types. Times are integer milliseconds. Lists use a cursor: send `nextCursor`
 * back as `cursor` until it is null.
 */
import { z } from "zod";
import { activityItemSchema, activityTypeSchema } from "./activity.ts";
import {
  ACCOUNT_STATES,
  COMMAND_KINDS,
  deviceStateSchema,
  unknownScreenSchema,
  USER_KINDS,
} from "./agent_protocol.ts";
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
import { deviceStandingSchema } from "./standing.ts";

/** Returns the schema of a campaign as administrators see it in lists. */
function adminCampaignShape() {
  return campaignSchema.omit({ message: true, composed: true }).extend({
    client: z.object({ id: z.int(), username: z.string() }),
  });
}

/** Part of a name or text, as typed. */
const searchText = z.string().trim().max(100).optional();

// Dashboard: GET /api/admin/dashboard

/** Points of a trend and bars of the chart: two hours each; the last one is still running. */
export const TREND_POINTS = 12;
const statSchema = z.object({
  value: z.number(),
  /** The value at this hour yesterday; null when nothing was measured then. */
  yesterday: z.number().nullable(),
  /** value − yesterday, or null. */
  change: z.number().nullable(),
  /** Oldest first; null means not measured. */
  trend: z.array(z.number().nullable()).length(TREND_POINTS),
});
export type Stat = z.infer<typeof statSchema>;
const deviceCardSchema = z.object({
  deviceId: z.int(),
  name: z.string(),
  site: z.string(),
  /** The status of the device's busiest account. */
  status: z.enum(ACCOUNT_MARKS),
  whatsappVersion: z.string().nullable(),
  lastActivity: z.int().nullable(),
  /** Messages counted against today's cap. */
  messagesCount: z.int(),
  capPerDay: z.int(),
  leftToday: z.int(),
  standing: deviceStandingSchema,
  /** Deliveries the device holds; a stop gives them to other devices. */
  held: z.int(),
  /** True after a person stopped the device. */
  stopped: z.boolean(),
});
export type DeviceCard = z.infer<typeof deviceCardSchema>;
export const dashboardSchema = z.object({
  stats: z.object({
    totalDevices: statSchema,
    /** Accounts that are logged in on a phone that responds. */
    activeSessions: statSchema,
    /** Messages sent since 00:00 in Israel. */
    messagesToday: statSchema,
    /** Accounts banned or restricted within 30 days, in percent of all accounts, one decimal. */
    banRate: statSchema,
  }),
  /** Time of the last count of devices, sessions and bans; null before the first count. */
  measuredAt: z.int().nullable(),
  /** Messages sent in each two hours of the last 24, oldest first; `at` is the start of the two hours. */
  sendRate: z.array(z.object({ at: z.int(), sent: z.int() })).length(TREND_POINTS),
  /** Number of devices in each state; every device counts once. */
  fleet: z.object({
    sending: z.int(),
    ready: z.int(),
    /** Fit, but has sent all that it may for now. */
    full: z.int(),
    /** Connected, but neither the phone nor any of its accounts can send. */
    unable: z.int(),
    /** Stopped by a person, alone or with its site. */
    stopped: z.int(),
    offline: z.int(),
    /** Fit to send, with a risk score of at least 30. */
    atRisk: z.int(),
    /** Devices with all their accounts banned or restricted. */
    banned: z.int(),
  }),
  /** Connected devices, most recently active first, at most 12. */
  devices: z.array(deviceCardSchema),
  /** Figures for the reset dialog. */
  reset: z.object({ waitingMessages: z.int(), runningCampaigns: z.int(), sentToday: z.int() }),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

// Capacity board: GET /api/admin/capacity

const CAPACITY_SITE_STATES = ["working", "away", "stopped", "draining"] as const;
const roomsShape = {
  /** Messages that the phones may still send in this hour and today, at the caps, warm-up and rests in force. */
  leftNow: z.int(),
  leftToday: z.int(),
  /** Messages counted against today, and the caps of a whole day. */
  usedToday: z.int(),
  capPerDay: z.int(),
  phones: z.int(),
  /** Phones that could send now. */
  phonesReady: z.int(),
};
const capacitySiteSchema = z.object({
  id: z.int(),
  name: z.string(),
  state: z.enum(CAPACITY_SITE_STATES),
  ...roomsShape,
  /** What would be left today if all its phones worked, beyond `leftToday`. */
  leftAway: z.int(),
});
export type CapacitySite = z.infer<typeof capacitySiteSchema>;
const capacityCampaignSchema = adminCampaignShape().pick({
  id: true,
  name: true,
  kind: true,
  status: true,
  totalContacts: true,
  sentCount: true,
  pace: true,
  estimate: true,
  notices: true,
  client: true,
}).extend({
  /** Messages that wait or are on phones. */
  waiting: z.int(),
});
export type CapacityCampaign = z.infer<typeof capacityCampaignSchema>;
/** Most campaigns on the board. */
export const CAPACITY_CAMPAIGNS = 100;
export const capacitySchema = z.object({
  at: z.int(),
  total: z.object(roomsShape),
  /** Messages of all running campaigns, and of the paused ones. */
  waiting: z.int(),
  waitingPaused: z.int(),
  /** Whether the sending hours are open, and when they next open. */
  hours: z.object({ isOpen: z.boolean(), opensAt: z.int() }),
  /** Least left first. */
  sites: z.array(capacitySiteSchema),
  /** Running campaigns: those that stand first, then by their end. */
  campaigns: z.array(capacityCampaignSchema),
  /** How many running campaigns there are; the list holds the oldest CAPACITY_CAMPAIGNS. */
  campaignsRunning: z.int(),
});
export type Capacity = z.infer<typeof capacitySchema>;

// Alerts, worst first: GET /api/admin/alerts

export const ADMIN_ALERT_CODES = [
  "older_database",
  "site_stopped",
  "site_gave_back",
  "site_away",
  "sites_owe_outcomes",
  "account_banned",
  "unknown_screen",
  "campaign_paused_by_rule",
  "account_rested",
  "unconfirmed_rested",
  "accounts_unconfirmed",
  "phone_moved",
  "phone_at_two_sites",
  "number_on_two_phones",
  "import_failed",
  "approval_waits",
  "plan_waits",
  "series_waits",
  "replies_wait",
  "quota_low",
  "no_device",
  "campaign_stalled",
  "scan_silent",
  "device_needs_hand",
  "alerts_undelivered",
] as const;
/** A kind of alert and, where one kind has several reasons, the reason: "device_needs_hand:unauthorized". */
export const alertCauseSchema = z.string().max(80).regex(/^[a-z_]+(:[a-z0-9_]+)?$/);
const adminAlertSchema = z.object({
  code: z.enum(ADMIN_ALERT_CODES),
  /** The cause that this alert is counted under. */
  cause: z.string(),
  type: z.enum(["error", "warning"]),
  /** A finished Hebrew sentence; the screen adds the age from `since`. */
  message: z.string(),
  since: z.int().nullable(),
  siteId: z.int().nullable(),
  deviceId: z.int().nullable(),
  campaignId: z.int().nullable(),
  fileId: z.int().nullable(),
});
export type AdminAlert = z.infer<typeof adminAlertSchema>;
/** Number of alerts listed per kind. */
export const ALERTS_OF_A_KIND = 5;

/** Ways out of the browser. Their addresses come from the environment of the edge alone. */
export const ALERT_CHANNELS = ["email", "webhook"] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];
/**
 * Why a message did not go out, in words of our own: the other side's words may hold secrets. connect = no connection;
 * tls = no secure connection; login = the name or password was refused; refused = the other side said no; timeout =
 * no answer in time; broken = an answer that makes no sense, or an end in the middle; stopped = the edge ended.
 */
export const ALERT_FAILURES = ["connect", "tls", "login", "refused", "timeout", "broken", "stopped"] as const;
export type AlertFailure = (typeof ALERT_FAILURES)[number];
/** The last message about a cause, or the last test, on one channel. */
export const alertMessageSchema = z.object({
  channel: z.enum(ALERT_CHANNELS),
  /** unknown = it may have arrived. */
  state: z.enum(["sending", "sent", "failed", "unknown"]),
  /** The last attempt. */
  at: z.int(),
  attempts: z.int(),
  reason: z.enum(ALERT_FAILURES).nullable(),
  /** Status of the refusing answer: of HTTP, or a reply code of SMTP. */
  status: z.int().nullable(),
  /** The next attempt; null = none before the hour is over. */
  nextAt: z.int().nullable(),
});
export type AlertMessage = z.infer<typeof alertMessageSchema>;

const alertQuietSchema = z.object({
  kind: z.enum(["acknowledged", "snoozed"]),
  at: z.int(),
  by: z.string(),
  /** End of a snooze; an acknowledgement has none. */
  until: z.int().nullable(),
});
/** All alerts of one cause. */
const alertCauseItemSchema = z.object({
  cause: z.string(),
  code: z.enum(ADMIN_ALERT_CODES),
  type: z.enum(["error", "warning"]),
  /** A Hebrew sentence without names: "5 מכשירים לא מורשים". */
  title: z.string(),
  /** What to do, in Hebrew. */
  step: z.string(),
  /** Number of what the title counts. */
  count: z.int(),
  /** Number of single alerts under it. */
  alerts: z.int(),
  /** The earliest and the latest of them; null when the kind has no times. */
  since: z.int().nullable(),
  newest: z.int().nullable(),
  /** Ends by itself when the cause gets worse; an acknowledgement also when it is gone. */
  quiet: alertQuietSchema.nullable(),
  messages: z.array(alertMessageSchema),
});
export type AlertCause = z.infer<typeof alertCauseItemSchema>;
export const adminAlertsSchema = z.object({
  items: z.array(adminAlertSchema),
  /** Kinds with more alerts than the list holds. */
  cut: z.array(z.enum(ADMIN_ALERT_CODES)),
  /** Every present cause, worst first. */
  causes: z.array(alertCauseItemSchema),
});
export type AdminAlerts = z.infer<typeof adminAlertsSchema>;

// The alerts of one cause: GET /api/admin/alerts/items?cause=&cursor=&limit=

export const alertItemsQuerySchema = pageQuery.extend({ cause: alertCauseSchema });
export const alertItemsSchema = z.object({
  items: z.array(adminAlertSchema),
  nextCursor: z.int().nullable(),
});
export type AlertItems = z.infer<typeof alertItemsSchema>;

// Quiet: PUT /api/admin/alerts/quiet, DELETE /api/admin/alerts/quiet

/** Lengths of a snooze. */
export const SNOOZE_HOURS = [1, 4, 24, 168] as const;
export const quietAlertRequestSchema = z.object({
  cause: alertCauseSchema,
  /** Null acknowledges without an end. */
  hours: z.literal(SNOOZE_HOURS).nullable(),
  /** What the person saw: more than that is worse, and ends the quiet. */
  seen: z.object({ count: z.int().min(0), newest: z.int().nullable() }),
});
export type QuietAlertRequest = z.infer<typeof quietAlertRequestSchema>;
export const unquietAlertRequestSchema = z.object({ cause: alertCauseSchema });

// Outside the browser: GET and PUT /api/admin/alerts/outside, POST /api/admin/alerts/test {channel}

const outsideKindSchema = z.object({
  code: z.enum(ADMIN_ALERT_CODES),
  email: z.boolean(),
  webhook: z.boolean(),
});
export const outsideAlertsSchema = z.object({
  channels: z.array(z.object({
    channel: z.enum(ALERT_CHANNELS),
    /** Whether the environment names an address. */
    isSetUp: z.boolean(),
    lastTest: alertMessageSchema.nullable(),
    /** The last message that was not delivered for certain, of the last day. */
    lastFailure: alertMessageSchema.nullable(),
  })),
  kinds: z.array(outsideKindSchema.extend({ type: z.enum(["error", "warning"]), label: z.string() })),
});
export type OutsideAlerts = z.infer<typeof outsideAlertsSchema>;
/** Kinds that are not named keep their choice. */
export const chooseOutsideRequestSchema = z.object({
  kinds: z.array(outsideKindSchema).max(ADMIN_ALERT_CODES.length),
});
export const testAlertRequestSchema = z.object({ channel: z.enum(ALERT_CHANNELS) });

// Activity: GET /api/admin/activity?kind=&q=&cursor=&limit=, POST /api/admin/activity/search with the same as JSON

export const activityQuerySchema = pageQuery.extend({ kind: activityTypeSchema.optional(), q: searchText });
export const activityPageSchema = z.object({
  items: z.array(activityItemSchema),
  nextCursor: z.int().nullable(),
});
export type ActivityPage = z.infer<typeof activityPageSchema>;

// Campaigns of all clients: GET /api/admin/campaigns?status=&q=&client=&cursor=&limit=, GET /api/admin/campaigns/{id}

/** A status, or one of two groups: running (processing, active, paused) and editable (draft, ready). */
const CAMPAIGN_FILTERS = [...CAMPAIGN_STATUSES, "running", "editable"] as const;
const adminCampaignSchema = adminCampaignShape();
export type AdminCampaign = z.infer<typeof adminCampaignSchema>;
/** `q`: part of the campaign's or the client's name. `client`: a user's id. */
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
  /** Time until which this session sees the numbers; null means that they are masked. */
  numbersShownUntil: z.int().nullable(),
  /** How the sending hours apply to this campaign. */
  hours: z.object({
    /** True when the settings apply the sending hours to campaigns of this kind. */
    kept: z.boolean(),
    /** The exception from the sending hours; null means none. It has no effect on marketing. */
    waived: z.object({ at: z.int(), by: z.string(), reason: z.string() }).nullable(),
  }),
});
export type AdminCampaignDetail = z.infer<typeof adminCampaignDetailSchema>;

/** POST|DELETE /api/admin/campaigns/{id}/hours-waiver → 204 */
export const waiveHoursRequestSchema = z.object({ reason: exceptionReasonSchema });

// System: GET /api/admin/health, POST /api/admin/search {q}

export const adminHealthSchema = z.object({
  /** attention = an alert of `GET /api/admin/alerts` is an error, or the database is slow. */
  status: z.enum(["ok", "attention"]),
  version: z.string(),
  serverTime: z.int(),
  /** Duration of one round trip to the database. */
  databaseMs: z.number(),
  sites: z.object({ total: z.int(), connected: z.int() }),
  /**
   * The scanner of uploads. off = uploads are not scanned; silent = the scanner did not reply to the last request,
   * and all uploads are refused.
   */
  scan: z.enum(["off", "on", "silent"]),
});
export type AdminHealth = z.infer<typeof adminHealthSchema>;

export const searchQuerySchema = z.object({ q: z.string().trim().min(1).max(100) });
const searchHitSchema = z.object({
  kind: z.enum(["campaign", "device", "user", "site"]),
  id: z.int(),
  title: z.string(),
  /** A campaign's client, a device's site or a user's role. */
  detail: z.string(),
  /** Campaign status, device state, "disabled" or "", "connected" or "away". */
  state: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;
/** At most eight results. */
export const searchResultSchema = z.object({ items: z.array(searchHitSchema) });

// Anti-ban: GET /api/admin/risk?limit=

export const RISK_TIERS = ["high", "medium", "low"] as const;
export type RiskTier = typeof RISK_TIERS[number];
export const riskQuerySchema = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100) });
const riskItemSchema = z.object({
  deviceId: z.int(),
  name: z.string(),
  site: z.string(),
  score: z.int().min(0).max(100),
  /** The strongest reason, a Hebrew sentence. */
  reason: z.string(),
  /** All reasons, strongest first. */
  reasons: z.array(z.string()),
  /** Advice that would lower the risk, one sentence for each reason, in the same order. */
  advice: z.array(z.string()),
});
export type RiskItem = z.infer<typeof riskItemSchema>;
const riskTierSchema = z.object({
  tier: z.enum(RISK_TIERS),
  count: z.int(),
  /** Share of all devices, whole percent. */
  percent: z.int(),
  /** The `limit` items with the highest scores, highest first. */
  items: z.array(riskItemSchema),
});
export const riskSchema = z.object({
  /** In the order high, medium, low. */
  tiers: z.array(riskTierSchema).length(RISK_TIERS.length),
  lastBan: z.object({ deviceId: z.int(), name: z.string(), at: z.int() }).nullable(),
});
export type Risk = z.infer<typeof riskSchema>;

// Devices: GET /api/admin/devices/{id}, GET /api/admin/devices.csv, POST /api/admin/devices/{id}/{kind} → 202

const COMMAND_STATUSES = ["waiting", "done", "failed", "timed_out"] as const;
export const deviceCommandSchema = z.object({
  id: z.int(),
  deviceId: z.int(),
  kind: z.enum(COMMAND_KINDS),
  /** waiting = sent to the site, no result yet; timed_out = no result within the time limit of its kind. */
  status: z.enum(COMMAND_STATUSES),
  /** The result as a Hebrew sentence; null while the command waits or when there is nothing to add. */
  detail: z.string().nullable(),
  /** Username of the administrator who gave the command. */
  by: z.string(),
  createdAt: z.int(),
  finishedAt: z.int().nullable(),
});
/** Also returned by GET /api/admin/commands/{id}; a `device_changed` event follows its end. */
export type DeviceCommand = z.infer<typeof deviceCommandSchema>;
export const commandKindSchema = z.enum(COMMAND_KINDS);

const deviceAccountSchema = accountSchema.extend({
  state: z.enum(ACCOUNT_STATES),
  /** Start of the present state. */
  stateSince: z.int().nullable(),
  /** Reasons for the risk score: Hebrew sentences, strongest first. */
  riskReasons: z.array(z.string()),
  /** Advice that would lower the risk, one sentence for each reason. */
  riskAdvice: z.array(z.string()),
  /** The worst score of each recent day, oldest first; day as yyyymmdd. */
  riskHistory: z.array(z.object({ day: z.int(), score: z.int() })),
  /** The screen of its app that its site does not know, and since when; the account sends nothing. Null means none. */
  unknownScreen: unknownScreenSchema.extend({ since: z.int() }).nullable(),
  /** Id of the breaker's trip that stopped the account; a release has to name it. Null means not stopped. */
  trip: z.int().nullable(),
  firstInstalledAt: z.int().nullable(),
  /** Kind of the account's Android user; null means that the site has not reported it. */
  userKind: z.enum(USER_KINDS).nullable(),
  /** Whether an image opens with its caption in this app; null means not seen yet. */
  captions: z.boolean().nullable(),
  /** Whether a phone of its site has shown the screens of this version of the app; null means not known. */
  screensSeen: z.boolean().nullable(),
  /** The account's own number, when the app shows it. */
  ownNumber: z.string().nullable(),
  /** Outcomes of the last 24 hours. */
  sent24h: z.int(),
  failed24h: z.int(),
  unknown24h: z.int(),
});
/** One recent delivery; its number is masked. */
const deviceDeliverySchema = deliverySchema.pick({
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
  /** Start of the present state. */
  stateSince: z.int().nullable(),
  /** adb's English description of the state, for the person who repairs the device. */
  stateDetail: z.string().nullable(),
  /** All addresses at which adb sees the device; the one in use is first. */
  addresses: z.array(z.string()),
  adbConnected: z.boolean(),
  /** Time of the phone's last reply to a command. */
  proofAt: z.int().nullable(),
  batteryPercent: z.int().nullable(),
  /** True after a person stopped the device; it receives no work until a person starts it. */
  stopped: z.boolean(),
  /** Whether the site holds the device stopped, by its last report; null means not reported. */
  siteStopped: z.boolean().nullable(),
  /** The phone gets no marketing until it was rehearsed, or a send from it is proven. */
  owesRehearsal: z.boolean(),
  firstSeenAt: z.int(),
  /** Messages counted against today's cap, over all accounts of the device, and that cap. */
  usedToday: z.int(),
  capPerDay: z.int(),
  leftToday: z.int(),
  leftNow: z.int(),
  standing: deviceStandingSchema,
  /** Deliveries the device holds. */
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

/** An empty label removes the label. */
export const editAccountRequestSchema = z.strictObject({
  label: plainText.max(60).optional(),
  confirmed: z.boolean().optional(),
}).refine(({ label, confirmed }) => label !== undefined || confirmed !== undefined);
export type EditAccountRequest = z.infer<typeof editAccountRequestSchema>;

// Files: GET|POST /api/admin/files, GET …/{id}, GET …/{id}/rejected.csv, POST …/{id}/retry

const FILE_STATUSES = ["queued", "processing", "completed", "error"] as const;
export const fileItemSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(FILE_STATUSES),
  /** 0–100, whole percent. */
  progress: z.int().min(0).max(100),
  totalRows: z.int(),
  processedRows: z.int(),
  /** Time of the upload. */
  timestamp: z.int(),
  startedAt: z.int().nullable(),
  finishedAt: z.int().nullable(),
  /** Username of the uploader. */
  by: z.string(),
  target: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("campaign"), campaignId: z.int(), campaign: z.string(), client: z.string() }),
    z.object({ kind: z.literal("suppressions") }),
  ]),
  added: z.int(),
  /** Repeated in the file, or present in the target before. */
  duplicates: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  /** Left out of a marketing campaign because their consent was not declared. */
  withoutConsent: z.int(),
  /** The cause of the failure, a Hebrew sentence. */
  error: z.string().nullable(),
  /** True when `…/rejected.csv` has rows. */
  hasRejected: z.boolean(),
  /** True when the file failed and its bytes are still stored, so `…/retry` may succeed. */
  canRetry: z.boolean(),
});
export type FileItem = z.infer<typeof fileItemSchema>;
export const fileQuerySchema = pageQuery.extend({ status: z.enum(FILE_STATUSES).optional(), q: searchText });
export const filePageSchema = z.object({ items: z.array(fileItemSchema), nextCursor: z.int().nullable() });
export type FilePage = z.infer<typeof filePageSchema>;
/**
 * Fields of the multipart body: `file`; `target`, a campaign's id or this word; for a marketing campaign also
 * `consent`, the declaration as JSON. The response is 202 with a FileItem.
 */
export const SUPPRESSIONS_TARGET = "suppressions";

// Accounts: POST /api/admin/accounts/{id}/release → 204

export const releaseAccountRequestSchema = z.object({ trip: z.int() });

// Settings: GET|PUT /api/admin/settings

const { shape } = settingsSchema;
/** All settings are required: a missing field is a mistake, not a wish for the default. */
export const saveSettingsRequestSchema = z.strictObject({
  maxMessagesPerDay: shape.maxMessagesPerDay.unwrap(),
  rateLimit: shape.rateLimit.unwrap(),
  warmupEnabled: shape.warmupEnabled.unwrap(),
  autoFailover: shape.autoFailover.unwrap(),
  stickySender: shape.stickySender.unwrap(),
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
  contactsKeptDays: shape.contactsKeptDays.unwrap(),
  maxContactsPerClient: shape.maxContactsPerClient.unwrap(),
  adminsNeedSecondFactor: shape.adminsNeedSecondFactor.unwrap(),
  approvalFrom: shape.approvalFrom.unwrap(),
  ...provedFields,
});
export const savedSettingsSchema = z.object({
  settings: settingsSchema,
  /** Time and author of the last save; null means never saved, so all values are defaults. */
  savedAt: z.int().nullable(),
  savedBy: z.string().nullable(),
});
export type SavedSettings = z.infer<typeof savedSettingsSchema>;

// Sites: GET|POST /api/admin/sites, POST …/{id}/{token|revoke}

const STOP_REASONS = ["journal_doubted", "two_machines", "impossible_report"] as const;
export type StopReason = (typeof STOP_REASONS)[number];
const SITE_STATUSES = ["connected", "away", "not_enrolled", "revoked"] as const;
export const siteSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(SITE_STATUSES),
  /** The site receives no work until an administrator starts it. */
  stopped: z.boolean(),
  /**
   * Why the site is stopped: its journal is in doubt, or two machines connect with its key. Null means not
   * stopped.
   */
  stopReason: z.enum(STOP_REASONS).nullable(),
  /** The site's unconfirmed accounts receive no work until an administrator confirms or starts them. */
  unconfirmedRest: z.boolean(),
  /** Agent protocol version of the last connection; null means that the site never connected. */
  protocol: z.string().nullable(),
  /** The edge speaks another version and refuses the site until its agent is updated. */
  needsUpdate: z.boolean(),
  /** A restored database still waits for the outcomes that this site has from the lost time. */
  owesOutcomes: z.boolean(),
  draining: z.boolean(),
  agentVersion: z.string().nullable(),
  lastSeenAt: z.int().nullable(),
  createdAt: z.int(),
  devices: z.int(),
  connectedDevices: z.int(),
  /** Deliveries the site holds and may have sent; a revocation makes them unknown. */
  held: z.int(),
  /** Its agent takes a text for each recipient; without that its phones send no personal message. */
  takesItemTexts: z.boolean(),
  /** Its phones get marketing only after a rehearsal or a proven send. */
  asksRehearsal: z.boolean(),
  /** Phones of it that wait for one. */
  owingDevices: z.int(),
});
export type Site = z.infer<typeof siteSchema>;
export const sitesSchema = z.object({ items: z.array(siteSchema) });
export const createSiteRequestSchema = z.object({
  ...provedFields,
  name: plainText.min(1).max(60),
});
export const askRehearsalRequestSchema = z.object({ asks: z.boolean() });
/** Shown once, to be typed at the site. */
export const joinTokenSchema = z.object({
  siteId: z.int(),
  joinToken: z.string(),
  expiresAt: z.int(),
  /** One line of shell to paste on the site's machine. */
  command: z.string(),
});
export type JoinToken = z.infer<typeof joinTokenSchema>;

// Users: GET /api/admin/users/{id} (the figures of a confirmation dialog)

export const userEffectSchema = z.object({
  userId: z.int(),
  /** Campaigns that would be paused when the user is disabled. */
  runningCampaigns: z.int(),
  /** Waiting deliveries of those campaigns. */
  waitingMessages: z.int(),
  /** Plans and repeats that would wait for a person. Absent in responses of older releases. */
  waitingPlans: z.int().optional(),
  /** Campaigns ready to send. */
  readyCampaigns: z.int(),
  /** Open sessions; disabling the user or setting a new password ends them. */
  sessions: z.int(),
  lastSeenAt: z.int().nullable(),
});
export type UserEffect = z.infer<typeof userEffectSchema>;
