/** Request and response schemas of the HTTP interface, one block per resource; the browser imports the types. */
import { z } from "zod";
import {
  campaignCountsSchema,
  campaignKindSchema,
  campaignStatusSchema,
  DECLARED_KINDS,
  MAX_MESSAGE_CHARS,
  MAX_NAME_CHARS,
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

/** How many rows an answer holds, and where it begins. */
export const pageQuery = z.object({
  cursor: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});

export const roleSchema = z.enum(["client", "admin"]);
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
  /** Whether a login asks for a code as well. */
  secondFactor: z.boolean(),
  /** An administrator who has to turn one on first: everything but their own account refuses them. */
  lacksSecondFactor: z.boolean(),
  /** The password was given by somebody else and has to be changed first, of everybody in the same way. */
  firstPassword: z.boolean(),
  createdAt: z.int(),
});
export type User = z.infer<typeof userSchema>;
/** Of an application's code and of a recovery code, however they are written. */
const codeSchema = z.string().min(1).max(64);
/** The same limit as a new password, but no least length: an old password may be shorter. */
export const loginRequestSchema = z.object({
  username: z.string().min(1).max(64),
  password: z.string().min(1).max(200),
  /** Of the second factor: asked for (`second_factor_needed`) once the password was right. */
  code: codeSchema.optional(),
});
/**
 * One's own password, and a code where one has a second factor. Asked again (`proof_needed`) before an act that a stolen
 * session must not do.
 */
export const proofSchema = loginRequestSchema.pick({ password: true, code: true });
export type Proof = z.infer<typeof proofSchema>;
/** The field of a call that may need a proof. */
export const provedFields = { proof: proofSchema.optional() };
/** The body of a call that takes a proof and nothing else. */
export const provedRequestSchema = z.object(provedFields);
export const createUserRequestSchema = z.object({
  ...provedFields,
  username: usernameSchema,
  password: newPasswordSchema,
  role: roleSchema.default("client"),
  /** Whether the password is good for a week, and for choosing another. */
  firstPassword: z.boolean().default(false),
});
export const updateUserRequestSchema = z.object({
  ...provedFields,
  disabled: z.boolean().optional(),
  /** A new password, told to the user by the administrator. */
  password: newPasswordSchema.optional(),
  /** Whether that one is good for a week, and for choosing another. */
  firstPassword: z.boolean().optional(),
  /** Takes the second factor away from who lost it. */
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
  /** The session that asks. */
  isThis: z.boolean(),
});
export type Session = z.infer<typeof sessionSchema>;

/** One's own, asked again: a session that was left open or stolen ends no others. */
export const endSessionsRequestSchema = z.object({ password: loginRequestSchema.shape.password });

// One's own second factor (RFC 6238)

export const secondFactorSchema = z.object({
  /** When it was turned on; null = it is off. */
  since: z.int().nullable(),
  /** Recovery codes not used yet. */
  recoveryCodes: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;
export const beginSecondFactorRequestSchema = z.object({ password: loginRequestSchema.shape.password });
export const begunSecondFactorSchema = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** otpauth://, for a QR picture. */
  uri: z.string(),
});
export type BegunSecondFactor = z.infer<typeof begunSecondFactorSchema>;
export const confirmSecondFactorRequestSchema = z.object({ code: codeSchema });
/** Both, for what makes the account weaker: turning it off, and other recovery codes. */
export const bothFactorsRequestSchema = loginRequestSchema.pick({ password: true }).extend({
  code: codeSchema,
});
/** Shown this once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

// Quota

export const setQuotaRequestSchema = z.object({
  messageQuota: z.int().min(0).max(1_000_000_000),
  expectedQuota: z.int().min(0).optional(),
  requestId: z.string().min(8).max(64).optional(),
});
export const LEDGER_KINDS = ["grant", "reserve", "refund", "charge", "cover"] as const;
export const ledgerEntrySchema = z.object({
  id: z.int(),
  at: z.int(),
  /** grant = an admin's change, reserve = send, refund = not sent, charge = late truth, cover = the house paid. */
  kind: z.enum(LEDGER_KINDS),
  delta: z.int(),
  balanceAfter: z.int(),
  campaignId: z.int().nullable(),
  campaignName: z.string().nullable(),
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
  "paused_by_client",
  "paused_by_admin",
  "paused_by_rule",
  "unknown_deliveries",
  "advertiser_missing",
  "without_consent",
  "frequency_capped",
] as const;
/** One sentence's worth of why a campaign stands where it does; the screen words it. */
export const campaignNoticeSchema = z.object({
  code: z.enum(NOTICE_CODES),
  count: z.int().optional(),
  site: z.string().optional(),
  since: z.int().optional(),
  /** When it goes on by itself. */
  until: z.int().optional(),
  /**
   * What an automatic pause was about, or how a pilot wave went so far, a Hebrew sentence; `trip` is the pause's id,
   * which a resume has to name.
   */
  reason: z.string().optional(),
  trip: z.int().optional(),
});
export type CampaignNotice = z.infer<typeof campaignNoticeSchema>;

export const campaignSchema = z.object({
  id: z.int(),
  name: z.string(),
  kind: campaignKindSchema,
  message: z.string(),
  /**
   * A marketing message with what the law adds to it: as it was sent, and before that as it would be; null of any
   * other kind, and while nobody said who advertises.
   */
  composed: z.string().nullable(),
  imageUrl: z.string().nullable(),
  status: campaignStatusSchema,
  totalContacts: z.int(),
  sentCount: z.int(),
  counts: campaignCountsSchema,
  /** Recipients of it who asked to be removed. */
  optedOutCount: z.int(),
  /** Replies to it that wait for a person's decision; told of one campaign, not in lists. */
  waitingReplies: z.int().optional(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  completedAt: z.int().nullable(),
  lastSentAt: z.int().nullable(),
  /** A pilot wave, when one was chosen. */
  pilot: z.lazy(() => pilotSchema).nullish(),
  notices: z.array(campaignNoticeSchema),
});
export type Campaign = z.infer<typeof campaignSchema>;
/**
 * Words as the phones will type them. Forms carry every line break as CRLF (HTML, "multipart form data"); other
 * control characters come along with a paste, have no glyph, and SQLite ends a text at NUL.
 */
const typedText = z.string()
  .overwrite((text) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""))
  .trim();
/** A name stands inside sentences, whose numbers a mark that turns the direction would turn too. */
const nameText = typedText.overwrite((text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")).trim();
/** The text fields of the multipart body; `image` is the optional file beside them. */
export const createCampaignFieldsSchema = z.object({
  name: nameText.min(1).max(MAX_NAME_CHARS),
  message: typedText.min(1).max(MAX_MESSAGE_CHARS),
  status: z.literal("draft").optional(),
  /** Left out, the campaign is undeclared: it counts as service, and administrators see that nobody said. */
  kind: z.enum(DECLARED_KINDS).optional(),
});
/**
 * What is done with contacts who were reached in the time that a restored database lost. Without it a campaign that has
 * such contacts is refused; the notice `reached_in_lost_time` tells how many there are.
 */
export const sendRequestSchema = z.object({ reached: z.enum(["leave_out", "send"]).optional() });
export type SendRequest = z.infer<typeof sendRequestSchema>;
export const sendResultSchema = z.object({ remainingQuota: z.int() });
export type SendResult = z.infer<typeof sendResultSchema>;
/** `trip`: the notice's, when a breaker paused the campaign; whoever names it has seen why. */
export const resumeRequestSchema = z.object({ trip: z.int().nullish() });
/** The first contacts of the list go alone; the rest waits that long behind them and asks how it went. */
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

/** Most of a text of pasted numbers, in UTF-8. */
export const MAX_PASTED_BYTES = 10 * 1024 * 1024;
/** `consent`: for marketing campaigns. An uploaded file's form carries it as JSON in a field of the same name. */
export const manualNumbersRequestSchema = z.object({
  numbers: z.string().min(1).max(MAX_PASTED_BYTES),
  consent: consentSchema.optional(),
});
export const contactProblemSchema = z.object({ row: z.int(), text: z.string(), problem: z.string() });
export const uploadResultSchema = z.object({
  /** Names the rejected rows: GET /api/campaigns/{id}/imports/{importId}/rejected.csv. */
  importId: z.int(),
  /** Contacts this upload added. */
  total: z.int(),
  /** Numbers repeated in the upload or already in the campaign. */
  duplicatesRemoved: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  /** Left out of a marketing campaign: neither this upload nor an earlier one says that they agreed. */
  withoutConsent: z.int(),
  /** The first few rejected rows, for the screen. */
  problems: z.array(contactProblemSchema),
});
export type UploadResult = z.infer<typeof uploadResultSchema>;

// The advertiser

/** No pattern is tried on a longer text: one that looks for two parts takes the square of its length. */
const ends = { abort: true };
const advertiserShape = {
  name: plainText.min(2).max(60),
  address: plainText.max(100),
  /** As it is to be shown; a number people can call. */
  phone: plainText.max(20, ends).regex(/^(\+?\*?[\d(][\d ()\-]*)?$/).refine((text) =>
    text === "" || digitsOf(text) >= 3
  ),
  email: plainText.max(100, ends).regex(/^([^\s@,]+@[^\s@,]+\.[^\s@,]+)?$/),
};
/** Who advertises: GET and PUT /api/profile. A phone or an e-mail address is needed. */
export const advertiserSchema = z.object(advertiserShape).refine(
  ({ phone, email }) => phone !== "" || email !== "",
  {
    path: ["phone"],
  },
);
export const profileSchema = z.object({ advertiser: z.object(advertiserShape).nullable() });
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
  /** Name of the site that holds the delivery and is away, or null. */
  waitingForSite: z.string().nullable(),
  account: z.string().nullable(),
  attempts: z.int(),
  at: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;
export const deliveryStepSchema = z.object({
  at: z.int(),
  what: deliveryStepNameSchema,
  /** Who made the step: MOVED_BY. */
  by: movedBySchema,
  /** Number of the try, from 1; 0 = it was never given to a site. */
  attempt: z.int(),
  site: z.string().nullable(),
  account: z.string().nullable(),
  reason: deliveryReasonSchema.nullable(),
  /** Of a site's report: whether it was taken; null for other steps. */
  result: z.enum(REPORT_RESULTS).nullable(),
  tappedAt: z.int().nullable(),
});
export type DeliveryStep = z.infer<typeof deliveryStepSchema>;
/** One delivery with everything that happened to it, oldest first. */
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
  /** What administrators call it, or "". */
  label: z.string(),
  /** An administrator looked at it and knows whose it is; it sends either way. */
  confirmed: z.boolean(),
  status: z.enum(ACCOUNT_MARKS),
  messagesCount: z.int(),
  riskScore: z.int().min(0).max(100),
  /** What is wrong with it, a Hebrew sentence for the second line; null when nothing is. */
  note: z.string().nullable(),
  whatsappVersion: z.string().nullable(),
  lastActivity: z.int().nullable(),
});
export const adbDeviceSchema = z.object({
  id: z.int(),
  address: z.string(),
  name: z.string(),
  site: z.string(),
  siteId: z.int(),
  siteConnected: z.boolean(),
  state: deviceStateSchema,
  /** Since when it is in that state. */
  stateSince: z.int().nullable(),
  adbConnected: z.boolean(),
  proofAt: z.int().nullable(),
  batteryPercent: z.int().nullable(),
  /** A person stopped it. */
  stopped: z.boolean(),
  /** Whether its site holds it stopped, as it said last; null = it does not say. */
  siteStopped: z.boolean().nullable(),
  /** Taken from today's cap over all its accounts, and that cap. */
  messagesToday: z.int(),
  capPerDay: z.int(),
  /** Deliveries it holds: what a stop gives to other devices. */
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
  /** Deliveries cancelled at once. */
  messageQueueCleared: z.int(),
  /** Campaigns cancelled. */
  campaignQueueCleared: z.int(),
});
export type QueuesCleared = z.infer<typeof queuesClearedSchema>;

// Test to myself: POST /api/campaigns/{id}/test

export const testRequestSchema = z.object({ phone: z.string().min(1).max(40) });
/** The test is a campaign of its own that no list shows; follow it at /api/campaigns/{campaignId}. */
export const testStartedSchema = z.object({
  campaignId: z.int(),
  remainingQuota: z.int(),
  remainingToday: z.int(),
});
export type TestStarted = z.infer<typeof testStartedSchema>;
