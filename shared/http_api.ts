/** Request and response schemas of the HTTP interface, one block per resource; the browser imports the types. */
import { z } from "zod";
import {
  campaignCountsSchema,
  campaignKindSchema,
  campaignStatusSchema,
  DECLARED_KINDS,
  MAX_MESSAGE_CHARS,
  MAX_NAME_CHARS,
  MAX_SEND_DELAY_SECONDS,
} from "./campaign.ts";
import { consentSchema } from "./consent.ts";
import {
  deliveryReasonSchema,
  deliveryStateSchema,
  deliveryStepNameSchema,
  movedBySchema,
} from "./delivery.ts";
import { deviceStateSchema, REPORT_RESULTS } from "./agent_protocol.ts";
import { plainText } from "./plain_text.ts";
import { accountStandingSchema, deviceStandingSchema, stallCauseSchema } from "./standing.ts";
import { CORRECTION_REASON_CHARS, LEDGER_KINDS, MAX_QUOTA } from "./quota.ts";

/** Page size and start of a list. */
export const pageQuery = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});

const roleSchema = z.enum(["client", "admin"]);
export type Role = z.infer<typeof roleSchema>;

// Users and sessions

export const usernameSchema = plainText.min(1).max(64);
export const newPasswordSchema = z.string().min(8).max(200);
export const userSchema = z.object({
  id: z.int(),
  username: z.string(),
  role: roleSchema,
  messageQuota: z.int(),
  disabled: z.boolean(),
  /** True when a login also asks for a code. */
  secondFactor: z.boolean(),
  /**
   * True for an administrator who has to turn on a second factor first; all calls but those of their own account
   * are refused.
   */
  lacksSecondFactor: z.boolean(),
  /** True when another person set the password, for users of either role; it has to be changed first. */
  firstPassword: z.boolean(),
  createdAt: z.int(),
});
export type User = z.infer<typeof userSchema>;
/** An application's code or a recovery code, in any notation. */
const codeSchema = z.string().min(1).max(64);
/** Same maximum as a new password but no minimum: an old password may be shorter. */
export const loginRequestSchema = z.object({
  username: z.string().min(1).max(64),
  password: z.string().min(1).max(200),
  /** The second factor's code; requested by `second_factor_needed` after a correct password. */
  code: codeSchema.optional(),
});
/**
 * The caller's password, and a code when they have a second factor. Requested by `proof_needed` before acts that a
 * stolen session must not perform.
 */
export const proofSchema = loginRequestSchema.pick({ password: true, code: true });
export type Proof = z.infer<typeof proofSchema>;
/** Field of a call that may need a proof. */
export const provedFields = { proof: proofSchema.optional() };
/** Body of a call with a proof and nothing else. */
export const provedRequestSchema = z.object(provedFields);
export const createUserRequestSchema = z.object({
  ...provedFields,
  username: usernameSchema,
  password: newPasswordSchema,
  role: roleSchema.default("client"),
  /** True when the password is valid for one week and only for choosing another one. */
  firstPassword: z.boolean().default(false),
  /** The quota that a client starts with; an administrator has none. */
  messageQuota: z.int().min(0).max(1_000_000_000).default(0),
}).refine(({ role, messageQuota }) => role === "client" || messageQuota === 0, { path: ["messageQuota"] });
export const updateUserRequestSchema = z.object({
  ...provedFields,
  disabled: z.boolean().optional(),
  /** A new password; the administrator passes it on to the user. */
  password: newPasswordSchema.optional(),
  /** True when the new password is valid for one week and only for choosing another one. */
  firstPassword: z.boolean().optional(),
  /** Removes the second factor of a user who lost it. */
  secondFactor: z.literal(false).optional(),
});
export const changePasswordRequestSchema = z.object({
  currentPassword: z.string().min(1).max(200),
  newPassword: newPasswordSchema,
});
export const sessionSchema = z.object({
  createdAt: z.int(),
  lastSeenAt: z.int(),
  userAgent: z.string(),
  /** True for the caller's session. */
  isThis: z.boolean(),
});
export type Session = z.infer<typeof sessionSchema>;

/** The caller's password again: an unattended or stolen session must not end the others. */
export const endSessionsRequestSchema = z.object({ password: loginRequestSchema.shape.password });

// The caller's second factor (RFC 6238)

export const secondFactorSchema = z.object({
  /** Time it was turned on; null means off. */
  since: z.int().nullable(),
  /** Number of unused recovery codes. */
  recoveryCodes: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;
export const beginSecondFactorRequestSchema = z.object({ password: loginRequestSchema.shape.password });
export const begunSecondFactorSchema = z.object({
  /** Base32, for typing by hand. */
  secret: z.string(),
  /** otpauth:// address, for a QR picture. */
  uri: z.string(),
});
export type BegunSecondFactor = z.infer<typeof begunSecondFactorSchema>;
export const confirmSecondFactorRequestSchema = z.object({ code: codeSchema });
/** Password and code, for acts that weaken the account: turning the second factor off, renewing recovery codes. */
export const bothFactorsRequestSchema = loginRequestSchema.pick({ password: true }).extend({
  code: codeSchema,
});
/** Shown only once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

// Quota

export const setQuotaRequestSchema = z.object({
  messageQuota: z.int().min(0).max(MAX_QUOTA),
  expectedQuota: z.int().min(0).optional(),
  requestId: z.string().min(8).max(64).optional(),
});
/** `delta`: how many messages to add, or with a minus sign to take; the balance never falls below 0. */
export const correctQuotaRequestSchema = z.object({
  delta: z.int().min(-MAX_QUOTA).max(MAX_QUOTA).refine((delta) => delta !== 0),
  reason: plainText.min(CORRECTION_REASON_CHARS.least).max(CORRECTION_REASON_CHARS.most),
  requestId: z.string().min(8).max(64).optional(),
});
/** Who acted: the client, an administrator, or the system by its rules. */
const LEDGER_ACTORS = ["client", "admin", "system"] as const;
const ledgerEntrySchema = z.object({
  id: z.int(),
  at: z.int(),
  /** Explained at LEDGER_KINDS. */
  kind: z.enum(LEDGER_KINDS),
  delta: z.int(),
  balanceAfter: z.int(),
  campaignId: z.int().nullable(),
  campaignName: z.string().nullable(),
  actor: z.enum(LEDGER_ACTORS),
  /** Null for the system; a client does not see the names of administrators. */
  actorName: z.string().nullable(),
  /** The reason of a correction. */
  reason: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export const ledgerPageSchema = z.object({
  items: z.array(ledgerEntrySchema),
  nextCursor: z.int().nullable(),
});

// Campaigns

export const NOTICE_CODES = [
  "no_contacts",
  "import_running",
  "no_device",
  "no_picture_account",
  "waiting_for_rehearsal",
  "agents_too_old",
  "some_agents_too_old",
  "cap_reached",
  "waiting_for_confirmation",
  "gave_back_too_much",
  "hour_reached",
  "outside_hours",
  "opens_later",
  "told_before_sending",
  "hours_waived",
  "pilot_wave",
  "pilot_wait",
  "waiting_for_account",
  "older_database",
  "waiting_for_sites",
  "reached_in_lost_time",
  "waiting_for_outcomes",
  "waiting_for_erasures",
  "backup_copy",
  "newer_release",
  "waiting_for_site",
  "words_missing",
  "waiting_turn",
  "phones_busy",
  "retry_wait",
  "number_wait",
  "sender_wait",
  "stalled",
  "paused_by_client",
  "paused_by_admin",
  "paused_by_rule",
  "unknown_deliveries",
  "advertiser_missing",
  "no_online_refusal",
  "without_consent",
  "frequency_capped",
  "left_out_empty",
] as const;
/** Code of the reason for a campaign's present state; the screen words it. */
const campaignNoticeSchema = z.object({
  code: z.enum(NOTICE_CODES),
  count: z.int().optional(),
  site: z.string().optional(),
  since: z.int().optional(),
  /** Time at which the campaign continues by itself. */
  until: z.int().optional(),
  /**
   * The reason of an automatic pause, or the result of a pilot wave so far: a Hebrew sentence. `trip` is the
   * pause's id; a resume has to name it.
   */
  reason: z.string().optional(),
  trip: z.int().optional(),
  /** The cause of `no_device` and of `stalled`. */
  cause: stallCauseSchema.optional(),
});
export type CampaignNotice = z.infer<typeof campaignNoticeSchema>;

/** When a campaign ends at the present pace and capacity (edge/campaigns/estimate_end.ts). */
export const estimateSchema = z.object({
  endsAt: z.int(),
  /**
   * rule = three seconds a message, in a campaign's first moments; pace = the measured pace; capacity = what the
   * phones can do, while no pace is measured or before the send.
   */
  by: z.enum(["rule", "pace", "capacity"]),
});
export type Estimate = z.infer<typeof estimateSchema>;

export const campaignSchema = z.object({
  id: z.int(),
  name: z.string(),
  kind: campaignKindSchema,
  message: z.string(),
  /**
   * A marketing message with the parts that the law adds: as sent, or before that as it would be sent. Null for
   * other kinds, and while the advertiser is unknown.
   */
  composed: z.string().nullable(),
  imageUrl: z.string().nullable(),
  status: campaignStatusSchema,
  totalContacts: z.int(),
  sentCount: z.int(),
  counts: campaignCountsSchema,
  /** Recipients of the campaign who asked for removal. */
  optedOutCount: z.int(),
  /** Replies to the campaign that wait for a person's decision; present for a single campaign, not in lists. */
  waitingReplies: z.int().optional(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  /**
   * The wait of a send that can be taken back: its end, and the milliseconds until then by the server's clock, 0 once
   * it is over. Null when the send had none, and once a message of it was handed to a site.
   */
  takeBack: z.object({ until: z.int(), leftMs: z.int() }).nullable(),
  completedAt: z.int().nullable(),
  lastSentAt: z.int().nullable(),
  /** Messages a minute over the last minutes; null = not measured, or not running. */
  pace: z.number().nullable(),
  /** Null while nothing can go, and when the campaign is neither ready nor running. */
  estimate: estimateSchema.nullable(),
  /**
   * The hours of Israel's clock that bind the campaign: from Sunday to Thursday, and the early closing of Fridays and
   * holiday eves. Null when none do.
   */
  sendingHours: z.object({ opens: z.int(), closes: z.int(), closesEarly: z.int() }).nullable(),
  /** The pilot wave, if one was chosen. */
  pilot: z.lazy(() => pilotSchema).nullish(),
  notices: z.array(campaignNoticeSchema),
});
export type Campaign = z.infer<typeof campaignSchema>;
/**
 * Text as the phones will type it. Forms encode every line break as CRLF (HTML, "multipart form data"). Other
 * control characters come from pasted text and have no glyph, and SQLite ends a text at NUL.
 */
const typedText = z.string()
  .overwrite((text) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""))
  .trim();
/** Names appear inside sentences: strip direction overrides, which would also reverse the sentence's numbers. */
const nameText = typedText.overwrite((text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")).trim();
/** Text fields of the multipart body; `image` is the optional file beside them. */
export const createCampaignFieldsSchema = z.object({
  name: nameText.min(1).max(MAX_NAME_CHARS),
  message: typedText.min(1).max(MAX_MESSAGE_CHARS),
  status: z.literal("draft").optional(),
  /** Without it the campaign is undeclared: it counts as service, and administrators see that the kind is missing. */
  kind: z.enum(DECLARED_KINDS).optional(),
});
/** The words from which a person began to edit: a change is refused when they are no longer the campaign's. */
export const campaignWordsSchema = z.object({
  name: z.string().max(MAX_NAME_CHARS),
  message: z.string().max(MAX_MESSAGE_CHARS),
  kind: campaignKindSchema,
});
export type CampaignWords = z.infer<typeof campaignWordsSchema>;
export const sendRequestSchema = z.object({
  /**
   * Decides about contacts who received a message in the time that a restored database lost. Without it the send of
   * a campaign with such contacts is refused; the notice `reached_in_lost_time` gives their number.
   */
  reached: z.enum(["leave_out", "send"]).optional(),
  /**
   * True = recipients who lack a value that the message needs get none, and cost nothing. Without it such a send is
   * refused (`values_missing`).
   */
  leaveOutEmpty: z.boolean().optional(),
  /** Nothing goes out for this long, in which the send can be taken back. Without it the send starts at once. */
  delaySeconds: z.int().min(0).max(MAX_SEND_DELAY_SECONDS).optional(),
});
export type SendRequest = z.infer<typeof sendRequestSchema>;
export const sendResultSchema = z.object({ remainingQuota: z.int() });
export type SendResult = z.infer<typeof sendResultSchema>;
/** The campaign is ready again, and its messages are back in the quota. */
export const takenBackSchema = z.object({ status: campaignStatusSchema, remainingQuota: z.int() });
export type TakenBack = z.infer<typeof takenBackSchema>;
/** `trip`: the id in the notice, when a breaker paused the campaign; it proves that the caller saw the reason. */
export const resumeRequestSchema = z.object({ trip: z.int().nullish() });
/** The first contacts of the list are sent alone; the rest waits this long after them and depends on their results. */
export const pilotSchema = z.object({
  count: z.int().min(1).max(10_000),
  waitMinutes: z.int().min(1).max(24 * 60),
});
export type Pilot = z.infer<typeof pilotSchema>;
export const recallResultSchema = z.object({
  status: campaignStatusSchema,
  changed: z.int(),
  recalled: z.int(),
});

// Contacts

/** Largest text of pasted numbers, in UTF-8. */
export const MAX_PASTED_BYTES = 10 * 1024 * 1024;
/**
 * `consent`: required for marketing campaigns. The form of an uploaded file carries it as JSON in a field of the
 * same name.
 */
export const manualNumbersRequestSchema = z.object({
  numbers: z.string().min(1).max(MAX_PASTED_BYTES),
  consent: consentSchema.optional(),
});
export const contactProblemSchema = z.object({ row: z.int(), text: z.string(), problem: z.string() });
export const uploadResultSchema = z.object({
  /** Id for the rejected rows: GET /api/campaigns/{id}/imports/{importId}/rejected.csv. */
  importId: z.int(),
  /** Contacts added by this upload. */
  total: z.int(),
  /** Numbers repeated in the upload or present in the campaign before. */
  duplicatesRemoved: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  /** Contacts left out of a marketing campaign: neither this upload nor an earlier one declares their consent. */
  withoutConsent: z.int(),
  /** The first few rejected rows, for the screen. */
  problems: z.array(contactProblemSchema),
  /** True = letters of the file were broken; U+FFFD replaces each. */
  isDamaged: z.literal(true).optional(),
});
export type UploadResult = z.infer<typeof uploadResultSchema>;
/** What was added to a campaign at one time, with its counts. */
const campaignImportSchema = z.object({
  id: z.int(),
  source: z.enum(["file", "typed", "copy", "lists"]),
  /** Digits that may be a number are removed; "" unless it is a file. */
  fileName: z.string(),
  status: z.enum(["queued", "processing", "completed", "error"]),
  /** The sentence of a failed import, otherwise null. */
  error: z.string().nullable(),
  at: z.int(),
  /** The column of the file that was read, from 1, and its heading; null when there is none. */
  column: z.object({ no: z.int(), name: z.string().nullable() }).nullable(),
  added: z.int(),
  duplicates: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  withoutConsent: z.int(),
  /** True when the rejected rows can be downloaded. */
  hasRejected: z.boolean(),
});
export type CampaignImport = z.infer<typeof campaignImportSchema>;
export const importPageSchema = z.object({
  items: z.array(campaignImportSchema),
  nextCursor: z.int().nullable(),
});
export type ImportPage = z.infer<typeof importPageSchema>;

// The advertiser

/** Match no pattern against a longer text: a pattern with two parts takes time with the square of its length. */
const ends = { abort: true };
const advertiserShape = {
  name: plainText.min(2).max(60),
  address: plainText.max(100),
  /** A telephone number in the form to be shown. */
  phone: plainText.max(20, ends).regex(/^(\+?\*?[\d(][\d ()\-]*)?$/).refine((text) =>
    text === "" || digitsOf(text) >= 3
  ),
  email: plainText.max(100, ends).regex(/^([^\s@,]+@[^\s@,]+\.[^\s@,]+)?$/),
  /** Whether each message carries its recipient's own link for removal; needs PUBLIC_URL. */
  removalLink: z.boolean().default(false),
};
/** The advertiser: GET and PUT /api/profile. A phone number or an e-mail address is required. */
export const advertiserSchema = z.object(advertiserShape).refine(
  ({ phone, email }) => phone !== "" || email !== "",
  {
    path: ["phone"],
  },
);
export const profileSchema = z.object({
  advertiser: z.object(advertiserShape).nullable(),
  /** Origin of the links for removal; null = the installation does not know its address, and makes none. */
  linkOrigin: z.string().nullable(),
});
export type Profile = z.infer<typeof profileSchema>;

function digitsOf(text: string): number {
  return text.replace(/\D/g, "").length;
}

// Deliveries

export const deliverySchema = z.object({
  id: z.int(),
  phone: z.string(),
  state: deliveryStateSchema,
  reason: deliveryReasonSchema.nullable(),
  /** Name of the disconnected site that holds the delivery, or null. */
  waitingForSite: z.string().nullable(),
  /** Key of the account, for administrators: phone, app and Android user. Null for clients. */
  account: z.string().nullable(),
  /** The sending number in E.164, for clients; null while it is not known, and for administrators. */
  sender: z.string().nullable(),
  attempts: z.int(),
  at: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;
export const deliveryStepSchema = z.object({
  at: z.int(),
  what: deliveryStepNameSchema,
  /** Actor of the step: MOVED_BY. */
  by: movedBySchema,
  /** Number of the attempt, from 1; 0 means never leased to a site. */
  attempt: z.int(),
  site: z.string().nullable(),
  /** As in a delivery. */
  account: z.string().nullable(),
  sender: z.string().nullable(),
  reason: deliveryReasonSchema.nullable(),
  /** Result of a site's report; null for other steps. */
  result: z.enum(REPORT_RESULTS).nullable(),
  tappedAt: z.int().nullable(),
});
export type DeliveryStep = z.infer<typeof deliveryStepSchema>;
/** One delivery with its whole history, oldest step first. */
export const deliveryStorySchema = deliverySchema.extend({ history: z.array(deliveryStepSchema) });
export type DeliveryStory = z.infer<typeof deliveryStorySchema>;
export const deliveryPageSchema = z.object({
  items: z.array(deliverySchema),
  nextCursor: z.string().nullable(),
});
export const resolveRequestSchema = z.object({
  ids: z.union([z.array(z.int()).min(1).max(5000), z.literal("all")]),
  as: z.enum(["sent", "failed", "resend"]),
});
export const resolveResultSchema = z.object({ changed: z.int() });

// Devices

export const ACCOUNT_MARKS = ["active", "processing", "idle", "banned"] as const;
export const accountSchema = z.object({
  id: z.int(),
  account: z.string(),
  /** The administrators' name for the account, or "". */
  label: z.string(),
  /** True after an administrator identified its owner; the account sends either way. */
  confirmed: z.boolean(),
  status: z.enum(ACCOUNT_MARKS),
  messagesCount: z.int(),
  /** Number of messages the account may send in its day, and what of it is left. */
  capPerDay: z.int(),
  leftToday: z.int(),
  /** What keeps the account from sending now. */
  standing: accountStandingSchema,
  riskScore: z.int().min(0).max(100),
  /** A Hebrew sentence about a problem, for the second line; null means no problem. */
  note: z.string().nullable(),
  whatsappVersion: z.string().nullable(),
  lastActivity: z.int().nullable(),
});
const adbDeviceSchema = z.object({
  id: z.int(),
  address: z.string(),
  name: z.string(),
  site: z.string(),
  siteId: z.int(),
  siteConnected: z.boolean(),
  state: deviceStateSchema,
  /** Start of the present state. */
  stateSince: z.int().nullable(),
  adbConnected: z.boolean(),
  proofAt: z.int().nullable(),
  batteryPercent: z.int().nullable(),
  /** True after a person stopped the device. */
  stopped: z.boolean(),
  /** Whether the site holds the device stopped, by its last report; null means not reported. */
  siteStopped: z.boolean().nullable(),
  /** Messages counted against today's cap over all accounts of the device, and that cap. */
  messagesToday: z.int(),
  capPerDay: z.int(),
  /** What the device may still send today, and in this hour: warm-up, hours, caps and rests are taken into account. */
  leftToday: z.int(),
  leftNow: z.int(),
  /** The state that leads; only `ready` is good. */
  standing: deviceStandingSchema,
  /** Deliveries the device holds; a stop gives them to other devices. */
  held: z.int(),
  accounts: z.array(accountSchema),
});
export const adbStatusSchema = z.object({
  devices: z.array(adbDeviceSchema),
  summary: z.object({ total: z.int(), online: z.int(), offline: z.int() }),
});
export type AdbStatus = z.infer<typeof adbStatusSchema>;

export const queuesClearedSchema = z.object({
  message: z.string(),
  /** Deliveries cancelled immediately. */
  messageQueueCleared: z.int(),
  /** Campaigns cancelled. */
  campaignQueueCleared: z.int(),
});
export type QueuesCleared = z.infer<typeof queuesClearedSchema>;

// Test to myself: POST /api/campaigns/{id}/test

export const testRequestSchema = z.object({
  phone: z.string().min(1).max(40),
  /** A recipient of the campaign, by the id of its delivery, whose values a personal message takes. */
  row: z.int().min(1).optional(),
});
export type TestRequest = z.infer<typeof testRequestSchema>;
/** The test is a separate campaign that no list shows; poll it at /api/campaigns/{campaignId}. */
export const testStartedSchema = z.object({
  campaignId: z.int(),
  remainingQuota: z.int(),
  remainingToday: z.int(),
});
export type TestStarted = z.infer<typeof testStartedSchema>;
