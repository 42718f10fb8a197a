/**
 * The tables. Times are integer milliseconds, phones are E.164 digits as integers, days are yyyymmdd in
 * Asia/Jerusalem. Counters, ledger, caps and a campaign's end move by trigger (migrations/0001_rules.sql),
 * so no writer can forget them.
 */
import { sql } from "drizzle-orm";
import { CAMPAIGN_STATUSES } from "shared/campaign.ts";
import { DELIVERY_STATES } from "shared/delivery.ts";
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

const id = () => integer("id").primaryKey({ autoIncrement: true });

export const users = sqliteTable("users", {
  id: id(),
  username: text("username").notNull(),
  /** Case-folded username: one login, however it is typed. */
  usernameKey: text("username_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  role: text("role", { enum: ["client", "admin"] }).notNull(),
  /** Always the sum of the client's ledger entries. */
  messageQuota: integer("message_quota").notNull().default(0),
  disabled: integer("disabled", { mode: "boolean" }).notNull().default(false),
  /** Id of the last event of this user; the ETag of their campaign list. */
  changeNo: integer("change_no").notNull().default(0),
  /** Grows each time a lease serves this client: the smallest is next. */
  leaseTurn: integer("lease_turn").notNull().default(0),
  createdAt: integer("created_at").notNull(),
}, (t) => [check("users_quota_not_negative", sql`${t.messageQuota} >= 0`)]);

export const sessions = sqliteTable("sessions", {
  /** SHA-256 of the cookie's value. */
  idHash: text("id_hash").primaryKey(),
  user: integer("user").notNull().references(() => users.id),
  createdAt: integer("created_at").notNull(),
  lastSeenAt: integer("last_seen_at").notNull(),
  userAgent: text("user_agent").notNull().default(""),
}, (t) => [index("sessions_user").on(t.user)]);

export const loginAttempts = sqliteTable("login_attempts", {
  /** What is being guessed at, hashed: an account, or an address. */
  key: text("key").primaryKey(),
  failures: integer("failures").notNull(),
  firstAt: integer("first_at").notNull(),
  blockedUntil: integer("blocked_until").notNull().default(0),
});

export const quotaLedger = sqliteTable(
  "quota_ledger",
  {
    id: id(),
    client: integer("client").notNull().references(() => users.id),
    at: integer("at").notNull(),
    kind: text("kind", { enum: ["grant", "reserve", "refund", "charge", "cover"] }).notNull(),
    delta: integer("delta").notNull(),
    balanceAfter: integer("balance_after").notNull().default(0),
    campaign: integer("campaign"),
    delivery: integer("delivery"),
    /** The person whose act this was, when it was a person's. */
    actor: integer("actor"),
    /** Given by the caller, so that a repeated request is one change. */
    requestId: text("request_id").unique(),
  },
  (
    t,
  ) => [index("quota_ledger_client").on(t.client, t.id), index("quota_ledger_campaign").on(t.campaign, t.id)],
);

export const images = sqliteTable("images", {
  sha256: text("sha256").primaryKey(),
  mediaType: text("media_type").notNull(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
  width: integer("width").notNull(),
  height: integer("height").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const campaigns = sqliteTable("campaigns", {
  id: id(),
  client: integer("client").notNull().references(() => users.id),
  name: text("name").notNull(),
  message: text("message").notNull(),
  image: text("image").references(() => images.sha256),
  kind: text("kind", { enum: ["marketing", "service", "undeclared"] }).notNull().default("undeclared"),
  status: text("status", { enum: CAMPAIGN_STATUSES }).notNull().default("draft"),
  queuedCount: integer("queued_count").notNull().default(0),
  leasedCount: integer("leased_count").notNull().default(0),
  sentCount: integer("sent_count").notNull().default(0),
  failedCount: integer("failed_count").notNull().default(0),
  unknownCount: integer("unknown_count").notNull().default(0),
  skippedCount: integer("skipped_count").notNull().default(0),
  cancelledCount: integer("cancelled_count").notNull().default(0),
  /** Units taken at send; reserved = queued + leased + sent + unknown + refunded. */
  reserved: integer("reserved").notNull().default(0),
  /** The import that is running, or null; send waits for it. */
  runningImport: integer("running_import"),
  /** Who or what paused it: client, admin, or a rule's code. */
  pausedBy: text("paused_by"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  sendAt: integer("send_at"),
  firstAckedAt: integer("first_acked_at"),
  lastSentAt: integer("last_sent_at"),
  completedAt: integer("completed_at"),
}, (t) => [
  index("campaigns_client").on(t.client, t.id),
  index("campaigns_live").on(t.client, t.sendAt).where(sql`status IN ('processing','active')`),
  index("campaigns_image").on(t.image),
]);

export const deliveries = sqliteTable("deliveries", {
  id: id(),
  campaign: integer("campaign").notNull().references(() => campaigns.id),
  phone: integer("phone").notNull(),
  state: text("state", { enum: DELIVERY_STATES })
    .notNull().default("queued"),
  reason: text("reason"),
  by: integer("by").notNull().default(0),
  /** Of the last lease; kept after it ends, as the row's present attempt. */
  token: text("token"),
  site: integer("site"),
  account: integer("account"),
  attempt: integer("attempt").notNull().default(0),
  leasedAt: integer("leased_at"),
  /** The day whose cap this lease was taken from, yyyymmdd. */
  leasedDay: integer("leased_day"),
  /** Null while the lease is only offered. */
  ackedAt: integer("acked_at"),
  leaseUntil: integer("lease_until"),
  notBefore: integer("not_before").notNull().default(0),
  tries: integer("tries").notNull().default(0),
  resent: integer("resent").notNull().default(0),
  tappedAt: integer("tapped_at"),
  import: integer("import"),
  updatedAt: integer("updated_at").notNull(),
}, (t) => [
  uniqueIndex("deliveries_campaign_phone").on(t.campaign, t.phone),
  index("deliveries_queue").on(t.campaign, t.notBefore, t.id).where(sql`state = 'queued'`),
  index("deliveries_state").on(t.campaign, t.state, t.id).where(sql`state <> 'queued'`),
  index("deliveries_phone").on(t.phone),
  index("deliveries_token").on(t.token).where(sql`state = 'leased'`),
  index("deliveries_site").on(t.site).where(sql`state = 'leased'`),
  index("deliveries_lease_until").on(t.leaseUntil).where(sql`state = 'leased'`),
  index("deliveries_resent").on(t.campaign).where(sql`resent > 0`),
]);

export const attempts = sqliteTable("attempts", {
  id: id(),
  campaign: integer("campaign").notNull(),
  phone: integer("phone").notNull(),
  attempt: integer("attempt").notNull(),
  token: text("token").notNull(),
  site: integer("site").notNull(),
  account: integer("account"),
  outcome: text("outcome", { enum: ["sent", "failed", "unknown", "void"] }).notNull(),
  reason: text("reason"),
  tappedAt: integer("tapped_at"),
  at: integer("at").notNull(),
}, (t) => [
  uniqueIndex("attempts_once").on(t.token, t.phone, t.outcome),
  index("attempts_delivery").on(t.campaign, t.phone, t.id),
]);

export const resends = sqliteTable("resends", {
  campaign: integer("campaign").notNull(),
  phone: integer("phone").notNull(),
  attempt: integer("attempt").notNull(),
  token: text("token").notNull(),
  site: integer("site").notNull(),
  /** 0 = open, 1 = known not tapped, 2 = known sent. */
  known: integer("known").notNull().default(0),
  user: integer("user").notNull(),
  at: integer("at").notNull(),
}, (t) => [primaryKey({ columns: [t.campaign, t.phone, t.attempt] })]);

export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    campaign: integer("campaign").notNull().references(() => campaigns.id),
    fileName: text("file_name").notNull(),
    status: text("status", { enum: ["queued", "processing", "completed", "error"] }).notNull(),
    totalRows: integer("total_rows").notNull().default(0),
    processedRows: integer("processed_rows").notNull().default(0),
    added: integer("added").notNull().default(0),
    duplicates: integer("duplicates").notNull().default(0),
    invalid: integer("invalid").notNull().default(0),
    suppressed: integer("suppressed").notNull().default(0),
    error: text("error"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (
    t,
  ) => [
    index("imports_campaign").on(t.campaign, t.id),
    index("imports_running").on(t.updatedAt).where(sql`status = 'processing'`),
  ],
);

export const sites = sqliteTable("sites", {
  id: id(),
  name: text("name").notNull().unique(),
  /** Ed25519 public key (JWK x), null until enrolled. */
  publicKey: text("public_key").unique(),
  epoch: integer("epoch").notNull().default(0),
  /** Equals epoch once that connection's hello was handled. */
  helloEpoch: integer("hello_epoch").notNull().default(0),
  revoked: integer("revoked", { mode: "boolean" }).notNull().default(false),
  stopped: integer("stopped", { mode: "boolean" }).notNull().default(false),
  stopReason: text("stop_reason"),
  journalId: text("journal_id"),
  journalCounter: integer("journal_counter").notNull().default(0),
  answeredGeneration: text("answered_generation"),
  /** The campaign the last pull chose; read back by the claim in the same batch. */
  turnCampaign: integer("turn_campaign"),
  draining: integer("draining", { mode: "boolean" }).notNull().default(false),
  agentVersion: text("agent_version"),
  lastSeenAt: integer("last_seen_at"),
  createdAt: integer("created_at").notNull(),
});

export const joinTokens = sqliteTable("join_tokens", {
  hash: text("hash").primaryKey(),
  site: integer("site").notNull().references(() => sites.id),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});

export const agentTokensSeen = sqliteTable("agent_tokens_seen", {
  jti: text("jti").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
});

export const devices = sqliteTable("devices", {
  id: id(),
  site: integer("site").notNull().references(() => sites.id),
  /** Hardware serial, unique at its site. */
  key: text("key").notNull(),
  address: text("address").notNull(),
  model: text("model").notNull().default(""),
  androidVersion: text("android_version").notNull().default(""),
  state: text("state").notNull(),
  batteryPercent: integer("battery_percent"),
  proofAt: integer("proof_at"),
  stopped: integer("stopped", { mode: "boolean" }).notNull().default(false),
  firstSeenAt: integer("first_seen_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
}, (t) => [uniqueIndex("devices_site_key").on(t.site, t.key)]);

export const accounts = sqliteTable("accounts", {
  id: id(),
  device: integer("device").notNull().references(() => devices.id),
  site: integer("site").notNull().references(() => sites.id),
  /** `<device>/<package>/<Android user>`, the name it has on the wire. */
  key: text("key").notNull(),
  state: text("state").notNull(),
  appVersion: text("app_version"),
  firstInstalledAt: integer("first_installed_at"),
  firstSeenAt: integer("first_seen_at").notNull(),
  lastSentAt: integer("last_sent_at"),
  lastLeasedAt: integer("last_leased_at").notNull().default(0),
  updatedAt: integer("updated_at").notNull(),
}, (t) => [uniqueIndex("accounts_site_key").on(t.site, t.key), index("accounts_device").on(t.device)]);

export const accountDays = sqliteTable("account_days", {
  account: integer("account").notNull(),
  day: integer("day").notNull(),
  /** Cap room taken on this day: leased, sent, failed or unknown. */
  used: integer("used").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.account, t.day] })]);

export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const suppressions = sqliteTable("suppressions", {
  id: id(),
  /** 0 = every client. */
  client: integer("client").notNull().default(0),
  phone: integer("phone").notNull(),
  source: text("source").notNull(),
  at: integer("at").notNull(),
}, (t) => [uniqueIndex("suppressions_phone").on(t.phone, t.client)]);

export const events = sqliteTable("events", {
  /** The order in which every listener hears them. */
  id: id(),
  at: integer("at").notNull(),
  type: text("type").notNull(),
  /** The client who hears it, or null. */
  client: integer("client"),
  /** Whether administrators hear it. */
  forAdmins: integer("for_admins", { mode: "boolean" }).notNull().default(false),
  /** The site whose agent is told (recall, settings, workWaiting, revoke), or null. */
  site: integer("site"),
  campaign: integer("campaign"),
  data: text("data").notNull(),
}, (t) => [
  index("events_at").on(t.at),
  // One row each, always the newest: readers that lag skip what is overtaken.
  uniqueIndex("events_progress").on(t.campaign).where(sql`type = 'campaign_progress'`),
  uniqueIndex("events_quota").on(t.client).where(sql`type = 'quota_changed'`),
]);

export const activity = sqliteTable("activity", {
  id: id(),
  at: integer("at").notNull(),
  kind: text("kind", { enum: ["success", "error", "warning", "info"] }).notNull(),
  /** What happened, as a code with its figures; the screen words it. */
  code: text("code").notNull(),
  data: text("data").notNull(),
  site: integer("site"),
  device: integer("device"),
  campaign: integer("campaign"),
  user: integer("user"),
}, (t) => [index("activity_at").on(t.at)]);

export const ticks = sqliteTable("ticks", {
  name: text("name").primaryKey(),
  /** Nobody else runs it before this. */
  claimedUntil: integer("claimed_until").notNull(),
});

export const system = sqliteTable("system", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});
