/** Request and response schemas of the HTTP interface, one block per resource; the browser imports the types. */
import { z } from "zod";
import { campaignCountsSchema, campaignStatusSchema, MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from "./campaign.ts";
import { deliveryReasonSchema, deliveryStateSchema } from "./delivery.ts";

export const roleSchema = z.enum(["client", "admin"]);
export type Role = z.infer<typeof roleSchema>;

// Users and sessions

export const usernameSchema = z.string().trim().min(1).max(64).regex(/^[^\p{C}]+$/u);
export const newPasswordSchema = z.string().min(8).max(200);
export const userSchema = z.object({
  id: z.int(),
  username: z.string(),
  role: roleSchema,
  messageQuota: z.int(),
  disabled: z.boolean(),
  createdAt: z.int(),
});
export type User = z.infer<typeof userSchema>;
/** The same limit as a new password, but no least length: an old password may be shorter. */
export const loginRequestSchema = z.object({
  username: z.string().min(1).max(64),
  password: z.string().min(1).max(200),
});
export const createUserRequestSchema = z.object({
  username: usernameSchema,
  password: newPasswordSchema,
  role: roleSchema.default("client"),
});
export const updateUserRequestSchema = z.object({
  disabled: z.boolean().optional(),
  /** A new password, told to the user by the administrator. */
  password: newPasswordSchema.optional(),
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
  "cap_reached",
  "waiting_for_site",
  "waiting_turn",
  "paused_by_client",
  "paused_by_admin",
  "paused_by_rule",
  "unknown_deliveries",
] as const;
/** One sentence's worth of why a campaign stands where it does; the screen words it. */
export const campaignNoticeSchema = z.object({
  code: z.enum(NOTICE_CODES),
  count: z.int().optional(),
  site: z.string().optional(),
  since: z.int().optional(),
});
export type CampaignNotice = z.infer<typeof campaignNoticeSchema>;

export const campaignSchema = z.object({
  id: z.int(),
  name: z.string(),
  message: z.string(),
  imageUrl: z.string().nullable(),
  status: campaignStatusSchema,
  totalContacts: z.int(),
  sentCount: z.int(),
  counts: campaignCountsSchema,
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  completedAt: z.int().nullable(),
  lastSentAt: z.int().nullable(),
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
/** The text fields of the multipart body; `image` is the optional file beside them. */
export const createCampaignFieldsSchema = z.object({
  name: typedText.min(1).max(MAX_NAME_CHARS),
  message: typedText.min(1).max(MAX_MESSAGE_CHARS),
  status: z.literal("draft").optional(),
});
export const sendResultSchema = z.object({ remainingQuota: z.int() });
export type SendResult = z.infer<typeof sendResultSchema>;
export const recallResultSchema = z.object({
  status: campaignStatusSchema,
  changed: z.int(),
  recalled: z.int(),
});

// Contacts

export const manualNumbersRequestSchema = z.object({ numbers: z.string().min(1).max(10 * 1024 * 1024) });
export const contactProblemSchema = z.object({ row: z.int(), text: z.string(), problem: z.string() });
export const uploadResultSchema = z.object({
  /** Contacts this upload added. */
  total: z.int(),
  /** Numbers repeated in the upload or already in the campaign. */
  duplicatesRemoved: z.int(),
  invalid: z.int(),
  suppressed: z.int(),
  /** The first few rejected rows, for the screen. */
  problems: z.array(contactProblemSchema),
});
export type UploadResult = z.infer<typeof uploadResultSchema>;

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
  status: z.enum(ACCOUNT_MARKS),
  messagesCount: z.int(),
  riskScore: z.int().min(0).max(100),
  whatsappVersion: z.string().nullable(),
  lastActivity: z.int().nullable(),
});
export const adbDeviceSchema = z.object({
  id: z.int(),
  address: z.string(),
  name: z.string(),
  site: z.string(),
  adbConnected: z.boolean(),
  proofAt: z.int().nullable(),
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
