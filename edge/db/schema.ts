/**
 * The tables. Times are integer milliseconds, phones are E.164 digits as integers, days are yyyymmdd in
 * Asia/Jerusalem. Triggers (rules/) update counters, ledger, caps and a campaign's end, so no writer can forget them.
 */
import { sql } from "drizzle-orm";
import {
  ACCOUNT_STATES,
  COMMAND_KINDS,
  DEVICE_STATES,
  REPORT_RESULTS,
  TRIALS,
  USER_KINDS,
} from "shared/agent_protocol.ts";
import { CAMPAIGN_KINDS, CAMPAIGN_STATUSES } from "shared/campaign.ts";
import { CONSENT_BASES } from "shared/consent.ts";
import { DELIVERY_STATES, MOVED_BY } from "shared/delivery.ts";
import { STATEMENT_MAIL_STATES } from "shared/statement_api.ts";
import { LEDGER_KINDS } from "shared/quota.ts";
import { ALERT_CHANNELS, ALERT_FAILURES, type StopReason } from "shared/admin_api.ts";
import { REPLY_STATES } from "shared/replies_api.ts";
import { SIGNALS } from "../text/trip_words.ts";
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

const id = () => integer("id").primaryKey({ autoIncrement: true });

export const users = sqliteTable("users", {
  id: id(),
  username: text("username").notNull(),
  /** Case-folded username: any spelling of the case is one login. */
  usernameKey: text("username_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  /** When a password given by another person ends; null = the user chose it. */
  firstPasswordUntil: integer("first_password_until"),
  role: text("role", { enum: ["client", "admin"] }).notNull(),
  /** Always the sum of the client's ledger entries. */
  messageQuota: integer("message_quota").notNull().default(0),
  disabled: integer("disabled", { mode: "boolean" }).notNull().default(false),
  /** Id of the user's last event; the ETag of their campaign list. */
  changeNo: integer("change_no").notNull().default(0),
  /** Fairness between clients: each lease for this client raises it, and the smallest is served next. */
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

/** A user's second factor: required at login from its confirmation on. */
export const secondFactors = sqliteTable("second_factors", {
  user: integer("user").primaryKey().references(() => users.id),
  /** Sealed by auth/sealed_secret.ts. */
  secret: text("secret").notNull(),
  /** Null = begun, not yet proven by a first code. */
  confirmedAt: integer("confirmed_at"),
  /** Number of the half minute of the last accepted code: no code is accepted twice. */
  lastStep: integer("last_step").notNull().default(0),
});

export const recoveryCodes = sqliteTable("recovery_codes", {
  /** SHA-256 of the code. */
  codeHash: text("code_hash").primaryKey(),
  user: integer("user").notNull().references(() => users.id),
}, (t) => [index("recovery_codes_user").on(t.user)]);

export const loginAttempts = sqliteTable("login_attempts", {
  /** Hash of what is being guessed: an account, an address, or the phone numbers that one person searches for. */
  key: text("key").primaryKey(),
  failures: integer("failures").notNull(),
  firstAt: integer("first_at").notNull(),
});

export const quotaLedger = sqliteTable(
  "quota_ledger",
  {
    id: id(),
    client: integer("client").notNull().references(() => users.id),
    at: integer("at").notNull(),
    kind: text("kind", { enum: LEDGER_KINDS }).notNull(),
    /** The change of the client's quota; negative when units are taken. */
    delta: integer("delta").notNull(),
    /** The client's quota after this entry; written by trigger. */
    balanceAfter: integer("balance_after").notNull().default(0),
    campaign: integer("campaign"),
    delivery: integer("delivery"),
    /** The person who acted; null for the system's own acts. */
    actor: integer("actor"),
    /** Given by the caller, so that a repeated request changes the quota once. */
    requestId: text("request_id").unique(),
    /** The administrator's reason for a correction. */
    reason: text("reason"),
  },
  (
    t,
  ) => [
    index("quota_ledger_client").on(t.client, t.id),
    index("quota_ledger_campaign").on(t.campaign, t.id),
    index("quota_ledger_at").on(t.client, t.at),
  ],
);

/** Messages that a client keeps, to begin campaigns with. */
export const savedMessages = sqliteTable("saved_messages", {
  id: id(),
  client: integer("client").notNull(),
  name: text("name").notNull(),
  message: text("message").notNull(),
  kind: text("kind", { enum: CAMPAIGN_KINDS }).notNull(),
  /** Hash of its image; campaigns may have the same one. */
  image: text("image"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** The person of the last change. */
  updatedBy: integer("updated_by").notNull(),
  /** Campaigns that began with it. */
  usedCount: integer("used_count").notNull().default(0),
  usedAt: integer("used_at"),
}, (t) => [
  index("saved_messages_client").on(t.client, t.id),
  index("saved_messages_image").on(t.image).where(sql`image IS NOT NULL`),
]);

/** Where a client wants the statement of each month. */
export const statementMails = sqliteTable("statement_mails", {
  client: integer("client").primaryKey(),
  email: text("email").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** The message with a month's statement; the row exists before anything is sent. */
export const statementMessages = sqliteTable("statement_messages", {
  client: integer("client").notNull(),
  /** "2026-11". */
  month: text("month").notNull(),
  state: text("state", { enum: STATEMENT_MAIL_STATES }).notNull(),
  /** Why it was not accepted; null = it was, or is under way. */
  reason: text("reason"),
  attempts: integer("attempts").notNull(),
  triedAt: integer("tried_at").notNull(),
  /** Time of the next attempt; null = none. */
  nextAt: integer("next_at"),
}, (t) => [primaryKey({ columns: [t.client, t.month] })]);

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
  kind: text("kind", { enum: CAMPAIGN_KINDS }).notNull().default("undeclared"),
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
  /** The running import, or null. The campaign cannot be sent until it ends. */
  runningImport: integer("running_import"),
  /** The cause of the pause: client, admin, or a rule's code. */
  pausedBy: text("paused_by"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  sendAt: integer("send_at"),
  firstAckedAt: integer("first_acked_at"),
  lastSentAt: integer("last_sent_at"),
  completedAt: integer("completed_at"),
  /** Set on a test message to oneself: the campaign under test. Lists leave such rows out. */
  testOf: integer("test_of"),
  /** When the phone numbers of its recipients were forgotten. */
  forgottenAt: integer("forgotten_at"),
  /** The open row of breaker_trips that paused it. */
  trip: integer("trip"),
  /** The campaign whose recipients it writes to again. */
  againOf: integer("again_of"),
  /** Recipients of it who asked to be removed. */
  optedOutCount: integer("opted_out_count").notNull().default(0),
  /** The pilot wave that the client chose: the number of its messages, and the wait after them. */
  pilotCount: integer("pilot_count"),
  pilotWaitMs: integer("pilot_wait_ms"),
  /** During the pilot: the id of the last delivery that may be leased, and the time at which the wait ends. */
  pilotLast: integer("pilot_last"),
  pilotUntil: integer("pilot_until"),
  /** Nothing is leased before this time, until which its client may take the send back; null = it started at once. */
  startsAt: integer("starts_at"),
  /** When sites were told that `startsAt` had come. */
  startToldAt: integer("start_told_at"),
  /** When a delivery was first leased since the send; a campaign with one cannot be taken back. */
  firstLeasedAt: integer("first_leased_at"),
  /** The text that phones send, fixed at send; null = `message`. */
  sentText: text("sent_text"),
  /** The parts of a personal message as JSON (edge/personal/sent_parts.ts), fixed at send; null = one text for all. */
  sentParts: text("sent_parts"),
  /** The names of its fields that every recipient must have, as JSON, fixed at send; null = none. */
  requiredFields: text("required_fields"),
  /** The number of its texts, fixed at send (edge/personal/variants.ts); null = one. */
  variantCount: integer("variant_count"),
  variantSeed: integer("variant_seed"),
  /** The text that a person chose for the rest. */
  winner: integer("winner"),
  /** Recipients skipped by the frequency cap. */
  cappedCount: integer("capped_count").notNull().default(0),
  /** Recipients skipped because they lack a value that the message needs. */
  valuelessCount: integer("valueless_count").notNull().default(0),
  /** Number of its rows in `unconsented`. */
  unconsentedCount: integer("unconsented_count").notNull().default(0),
  /** When, by which administrator and why the sending hours were waived; has no effect on marketing. */
  hoursWaivedAt: integer("hours_waived_at"),
  hoursWaivedBy: integer("hours_waived_by"),
  hoursWaivedWhy: text("hours_waived_why"),
}, (t) => [
  index("campaigns_client").on(t.client, t.id),
  index("campaigns_status").on(t.status, t.id),
  index("campaigns_tests").on(t.client, t.createdAt).where(sql`test_of IS NOT NULL`),
  index("campaigns_live").on(t.client, t.sendAt).where(sql`status IN ('processing','active')`),
  index("campaigns_image").on(t.image),
  index("campaigns_again").on(t.againOf).where(sql`again_of IS NOT NULL`),
  index("campaigns_unforgotten").on(t.completedAt).where(
    sql`completed_at IS NOT NULL AND forgotten_at IS NULL`,
  ),
]);

export const deliveries = sqliteTable("deliveries", {
  id: id(),
  campaign: integer("campaign").notNull().references(() => campaigns.id),
  phone: integer("phone").notNull(),
  state: text("state", { enum: DELIVERY_STATES })
    .notNull().default("queued"),
  /** The cause of its present state, one of DELIVERY_REASONS; null when the state alone says enough. */
  reason: text("reason"),
  /** The actor that wrote the present state: a number of MOVED_BY. */
  by: integer("by").notNull().default(0),
  /** The token of its last lease. It is kept after the lease ends and identifies the attempt. */
  token: text("token"),
  /** The site of its last lease; kept after the lease ends, as are `account` and `attempt`. */
  site: integer("site"),
  /** 1 = its last lease gave the site a new number: the lease before was another site's, or there was none. */
  isNewToSite: integer("is_new_to_site").notNull().default(0),
  account: integer("account"),
  /** The number of times that it was leased. */
  attempt: integer("attempt").notNull().default(0),
  leasedAt: integer("leased_at"),
  /** The day whose cap its last lease used, yyyymmdd. */
  leasedDay: integer("leased_day"),
  /** Null while the lease is offered and not yet acknowledged. */
  ackedAt: integer("acked_at"),
  /** When an offered lease ends and returns to the queue; null after the site acknowledged it. */
  leaseUntil: integer("lease_until"),
  /** It is not leased before this time; PARKED (shared/lease.ts) = it waits for its account. */
  notBefore: integer("not_before").notNull().default(0),
  /** The number of temporary failures before a tap. Each waits longer (RETRY_DELAYS_MS); the fourth is final. */
  tries: integer("tries").notNull().default(0),
  /** The number of its earlier attempts in `resends`. */
  resent: integer("resent").notNull().default(0),
  /** When the site tapped, by its report. */
  tappedAt: integer("tapped_at"),
  /** The import that added it. */
  import: integer("import"),
  /** The values of the recipient's columns as JSON (shared/contact_fields.ts); null = none, or forgotten. */
  fields: text("fields"),
  updatedAt: integer("updated_at").notNull(),
  /** The account that it is left for until `notBefore`: the last one that wrote to the number for this client. */
  awaits: integer("awaits"),
  /** The first delivery to the person for the same message, if this one is a repetition (edge/queue/family.ts). */
  origin: integer("origin"),
  /** The number of the text that the recipient gets, set at the first claim; null in a campaign with one text. */
  variant: integer("variant"),
}, (t) => [
  uniqueIndex("deliveries_campaign_phone").on(t.campaign, t.phone),
  index("deliveries_queue").on(t.campaign, t.notBefore).where(sql`state = 'queued'`),
  index("deliveries_state").on(t.campaign, t.state).where(sql`state <> 'queued'`),
  index("deliveries_origin").on(t.origin).where(sql`origin IS NOT NULL`),
  index("deliveries_in_hand").on(t.site, t.token).where(sql`state = 'leased'`),
  index("deliveries_lease_until").on(t.leaseUntil).where(sql`state = 'leased' AND lease_until IS NOT NULL`),
  index("deliveries_resent").on(t.campaign).where(sql`resent > 0`),
  index("deliveries_awaits").on(t.campaign, t.awaits, t.notBefore).where(sql`awaits IS NOT NULL`),
]);

/** Every outcome except success at the first try, and every move that was not made by the site. */
export const attempts = sqliteTable("attempts", {
  id: id(),
  campaign: integer("campaign").notNull(),
  phone: integer("phone").notNull(),
  attempt: integer("attempt").notNull(),
  token: text("token").notNull(),
  site: integer("site").notNull(),
  account: integer("account"),
  /** The site's report, or the state that another mover gave the delivery. */
  outcome: text("outcome", { enum: ["void", ...DELIVERY_STATES] }).notNull(),
  reason: text("reason"),
  tappedAt: integer("tapped_at"),
  at: integer("at").notNull(),
  /** The mover: a number of MOVED_BY. */
  by: integer("by").notNull().default(MOVED_BY.site),
  /** For a site's report: whether it was accepted. */
  result: text("result", { enum: REPORT_RESULTS }),
  leasedAt: integer("leased_at"),
  ackedAt: integer("acked_at"),
}, (t) => [
  uniqueIndex("attempts_once").on(t.token, t.phone, t.outcome).where(sql`by = 1`),
  index("attempts_delivery").on(t.campaign, t.phone, t.id),
]);

/**
 * Earlier attempts whose outcome was unknown when the delivery was sent again. A person sent it again, or sites
 * reported them to a restored database.
 */
export const resends = sqliteTable("resends", {
  campaign: integer("campaign").notNull(),
  phone: integer("phone").notNull(),
  attempt: integer("attempt").notNull(),
  token: text("token").notNull(),
  site: integer("site").notNull(),
  /** 0 = its outcome is still unknown, 1 = it was certainly not tapped, 2 = it was certainly sent. */
  known: integer("known").notNull().default(0),
  user: integer("user").notNull(),
  at: integer("at").notNull(),
  /**
   * 1 = the site's journal was doubted: only a report of `sent` or a person ends the doubt. 2 = after a restore a site
   * reported a row that another site held; repeating the report changes nothing.
   */
  doubted: integer("doubted").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.campaign, t.phone, t.attempt] })]);

export const imports = sqliteTable("imports", {
  id: id(),
  /** Null = an import into the suppression list. */
  campaign: integer("campaign").references(() => campaigns.id),
  fileName: text("file_name").notNull(),
  /** How people were chosen from lists (lists/take_from_lists.ts), as JSON; null = not from lists. */
  choice: text("choice"),
  status: text("status", { enum: ["queued", "processing", "completed", "error"] }).notNull(),
  totalRows: integer("total_rows").notNull().default(0),
  processedRows: integer("processed_rows").notNull().default(0),
  added: integer("added").notNull().default(0),
  duplicates: integer("duplicates").notNull().default(0),
  invalid: integer("invalid").notNull().default(0),
  suppressed: integer("suppressed").notNull().default(0),
  error: text("error"),
  /** The user who uploaded it. */
  user: integer("user"),
  /** True = its bytes are in import_chunks and a tick imports them; false = its request imports them. */
  background: integer("background", { mode: "boolean" }).notNull().default(false),
  /** The worker that runs it; another takes over by writing its own name. */
  worker: text("worker"),
  /** Numbers left out of a marketing campaign because no consent was declared for them. */
  withoutConsent: integer("without_consent").notNull().default(0),
  /** Numbers already copied into the target: the import continues after them. */
  taken: integer("taken").notNull().default(0),
  startedAt: integer("started_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** True = it fills the copy of a campaign; the copy is deleted unless the import completes. */
  makesCampaign: integer("makes_campaign", { mode: "boolean" }).notNull().default(false),
  /** The column of the file that was read, from 1; null = numbers without columns, or imported by an older release. */
  columnNo: integer("column_no"),
  /** The heading of that column without digits that may be a number; null = none. */
  columnName: text("column_name"),
  /** When the owner began to take its contacts out of the unsent campaign; null = it is still in. */
  removedAt: integer("removed_at"),
  /** True while its contacts are being taken out; the campaign's `running_import` is then this import. */
  removing: integer("removing", { mode: "boolean" }).notNull().default(false),
  /** Names of the fields that it brings, as JSON (personal/import_fields.ts); null = none. */
  fields: text("fields"),
}, (t) => [
  index("imports_removing").on(t.updatedAt).where(sql`removing`),
  index("imports_campaign").on(t.campaign, t.id),
  index("imports_running").on(t.updatedAt).where(sql`status = 'processing'`),
  index("imports_waiting").on(t.id).where(sql`background AND status IN ('queued', 'processing')`),
  index("imports_status").on(t.status, t.id),
]);

export const importChunks = sqliteTable("import_chunks", {
  import: integer("import").notNull(),
  /** raw = the uploaded file; rejected = rows without a valid number, one JSON array. */
  kind: text("kind", { enum: ["raw", "rejected"] }).notNull(),
  no: integer("no").notNull(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
}, (t) => [primaryKey({ columns: [t.import, t.kind, t.no] })]);

/** Files that a person looks at before taking them in; they live an hour. */
export const stagedFiles = sqliteTable("staged_files", {
  id: id(),
  /** Nobody else sees it. */
  user: integer("user").notNull(),
  fileName: text("file_name").notNull(),
  kind: text("kind", { enum: ["csv", "xlsx"] }).notNull(),
  /** The sheets of a workbook as JSON (shared/staged_api.ts). */
  sheets: text("sheets").notNull(),
  /** The number of the sheet that was read; null = text. */
  sheet: integer("sheet"),
  /** What is worth saying about the file, as JSON (TABLE_NOTES). */
  notes: text("notes").notNull(),
  /** A hash of the headings; null = none. */
  headingsKey: text("headings_key"),
  /** Of the whole text; with fewer in its chunks the file is not kept whole, or its text was erased. */
  bytes: integer("bytes").notNull(),
  createdAt: integer("created_at").notNull(),
}, (t) => [index("staged_files_user").on(t.user, t.id)]);

/** The text of a staged file, CSV in UTF-8, in pieces. */
export const stagedChunks = sqliteTable("staged_chunks", {
  staged: integer("staged").notNull(),
  no: integer("no").notNull(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
}, (t) => [primaryKey({ columns: [t.staged, t.no] })]);

/** What a person chose for the columns of files with the same headings. */
export const columnChoices = sqliteTable("column_choices", {
  user: integer("user").notNull(),
  headingsKey: text("headings_key").notNull(),
  /** As JSON (shared/staged_api.ts). */
  choice: text("choice").notNull(),
  updatedAt: integer("updated_at").notNull(),
}, (t) => [primaryKey({ columns: [t.user, t.headingsKey] })]);

export const sites = sqliteTable("sites", {
  id: id(),
  name: text("name").notNull().unique(),
  /** Ed25519 public key (JWK x), null until enrolled. */
  publicKey: text("public_key").unique(),
  /** The number of its connections so far; frames of any but the newest are refused. */
  epoch: integer("epoch").notNull().default(0),
  /** The epoch of the last connection whose hello was handled. */
  helloEpoch: integer("hello_epoch").notNull().default(0),
  revoked: integer("revoked", { mode: "boolean" }).notNull().default(false),
  stopped: integer("stopped", { mode: "boolean" }).notNull().default(false),
  stopReason: text("stop_reason").$type<StopReason>(),
  /** The id of the site's journal. Another id means that the site lost its journal. */
  journalId: text("journal_id"),
  /** The highest counter of that journal seen so far. A lower one in a hello means that an old copy is in use. */
  journalCounter: integer("journal_counter").notNull().default(0),
  /** The database generation for which its outcomes are complete or were written off; see toldGeneration. */
  answeredGeneration: text("answered_generation"),
  /** The campaign chosen by the last pull; the claim reads it in the same batch. */
  turnCampaign: integer("turn_campaign"),
  draining: integer("draining", { mode: "boolean" }).notNull().default(false),
  /** Whether the site was heard from lately, as of the last tick; the tick reports changes of it. */
  reachable: integer("reachable", { mode: "boolean" }).notNull().default(false),
  reachableSince: integer("reachable_since"),
  agentVersion: text("agent_version"),
  lastSeenAt: integer("last_seen_at"),
  createdAt: integer("created_at").notNull(),
  /** How many live connections were ended by another with the same key, and when the first one was. */
  supersededCount: integer("superseded_count").notNull().default(0),
  supersededSince: integer("superseded_since").notNull().default(0),
  /** The subprotocol of its last connection. */
  protocol: text("protocol"),
  /**
   * The database generation for which the site itself has reported all its outcomes. Enrolment sets it, because a new
   * site has nothing to report. While it differs from the database's generation, `outcomes` are accepted from the site
   * and its reports wait.
   */
  toldGeneration: text("told_generation"),
  /** The highest id of `events` in the marks sent to the site (queue/database_mark.ts). */
  markGiven: integer("mark_given").notNull().default(0),
  /** The simulated site of the demonstration: its accounts are trusted. */
  simulated: integer("simulated", { mode: "boolean" }).notNull().default(false),
  /** A JSON object that counts the changes of an inventory; set only while an inventory with several is written. */
  inventoryChanges: text("inventory_changes"),
  /** Why the site's unconfirmed accounts rest, as JSON {at, signal, count, sample}; null = they do not rest. */
  unconfirmedRest: text("unconfirmed_rest"),
  /** A person has seen the reports of its unconfirmed accounts up to this time; they are not weighed again. */
  unconfirmedSeenAt: integer("unconfirmed_seen_at").notNull().default(0),
  /** Whether its phones get marketing only after a rehearsal or a proven send. */
  asksRehearsal: integer("asks_rehearsal", { mode: "boolean" }).notNull().default(false),
  /** Whether its agent takes a lease with a text for each recipient, as its last hello says. */
  itemTexts: integer("item_texts", { mode: "boolean" }).notNull().default(false),
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
  state: text("state", { enum: DEVICE_STATES }).notNull(),
  batteryPercent: integer("battery_percent"),
  /** When a command last came back from the phone. */
  proofAt: integer("proof_at"),
  stopped: integer("stopped", { mode: "boolean" }).notNull().default(false),
  firstSeenAt: integer("first_seen_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Every address at which adb sees the device, as a JSON array; the one in use is first. */
  addresses: text("addresses").notNull().default("[]"),
  /** adb's text about its state, in English, for the technician. */
  stateDetail: text("state_detail"),
  stateSince: integer("state_since"),
  /**
   * Whether the site holds the device stopped, by its last report; null = an older agent. `stopped` is what people
   * want.
   */
  siteStopped: integer("site_stopped", { mode: "boolean" }),
  /** The earliest possible time of its next tap, by its leases and the pace (edge/queue/impossible_taps.ts). */
  pacedUntil: integer("paced_until").notNull().default(0),
  /** What its site reports as tried with it; null = an older agent. */
  trial: text("trial", { enum: TRIALS }),
  trialSince: integer("trial_since"),
}, (t) => [uniqueIndex("devices_site_key").on(t.site, t.key)]);

export const accounts = sqliteTable("accounts", {
  id: id(),
  device: integer("device").notNull().references(() => devices.id),
  site: integer("site").notNull().references(() => sites.id),
  /** `<device>/<package>/<Android user>`, its name on the wire. */
  key: text("key").notNull(),
  state: text("state", { enum: ACCOUNT_STATES }).notNull(),
  appVersion: text("app_version"),
  firstInstalledAt: integer("first_installed_at"),
  firstSeenAt: integer("first_seen_at").notNull(),
  lastSentAt: integer("last_sent_at"),
  lastLeasedAt: integer("last_leased_at").notNull().default(0),
  updatedAt: integer("updated_at").notNull(),
  stateSince: integer("state_since"),
  /** When it was last banned or restricted. */
  bannedAt: integer("banned_at"),
  /** Ids of the deliveries with its latest outcomes, newest first, separated by spaces; the last id may be cut. */
  recent: text("recent").notNull().default(""),
  /** Null = not reported. */
  userKind: text("user_kind", { enum: USER_KINDS }),
  /** Whether an image opened with its caption; null = not observed yet. */
  captions: integer("captions", { mode: "boolean" }),
  /** The active account's own number, "+…"; a change ends the administrator's confirmation of the account. */
  ownNumber: text("own_number"),
  /** The administrators' name for it. */
  label: text("label").notNull().default(""),
  /** When an administrator confirmed it; null = not yet, or the app holds another account since. */
  confirmedAt: integer("confirmed_at"),
  /** The number of days that were not green; its warm-up did not grow on them. */
  heldDays: integer("held_days").notNull().default(0),
  /** The local day of the last weighing; null = never weighed. */
  weighedDay: integer("weighed_day"),
  /** The open row of breaker_trips that stops it from sending. */
  trip: integer("trip"),
  /**
   * True = it sent before unconfirmed accounts shared a day, or its site is simulated. Not a confirmation by a person.
   */
  trusted: integer("trusted", { mode: "boolean" }).notNull().default(false),
  /** The screen of its app that its site does not know, as JSON (unknownScreenSchema); null = none. */
  unknownScreen: text("unknown_screen"),
  /** Since when it is this one. */
  unknownSince: integer("unknown_since"),
  /** Whether a phone of its site has shown the screens of the app's version; null = not known. */
  screensSeen: integer("screens_seen", { mode: "boolean" }),
}, (t) => [
  index("accounts_unknown_screen").on(t.unknownSince).where(sql`unknown_screen IS NOT NULL`),
  index("accounts_unconfirmed").on(t.site).where(sql`confirmed_at IS NULL AND trusted = 0`),
  uniqueIndex("accounts_site_key").on(t.site, t.key),
  index("accounts_device").on(t.device),
  index("accounts_banned").on(t.bannedAt).where(sql`banned_at IS NOT NULL`),
]);

/** Earlier values of the pace setting: a tap may keep the pace of its lease. */
export const pastPaces = sqliteTable("past_paces", {
  id: id(),
  /** Seconds between two messages of one device. */
  seconds: real("seconds").notNull(),
  /** When the next value replaced it. */
  until: integer("until").notNull(),
});

export const accountDays = sqliteTable("account_days", {
  account: integer("account").notNull(),
  day: integer("day").notNull(),
  /** Cap room used on this day: leased, sent, failed or unknown. */
  used: integer("used").notNull().default(0),
  /** The clock hour of its last lease, as in account_hours, and the room used in that hour. */
  hour: integer("hour").notNull().default(0),
  hourUsed: integer("hour_used").notNull().default(0),
  /**
   * Deliveries leased to it that its site did not have just before. Work that a person called back is taken off again,
   * work that the site gave back is not.
   */
  given: integer("given").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.account, t.day] })]);

/** The highest risk of an account on each local day (yyyymmdd). */
export const accountScores = sqliteTable("account_scores", {
  account: integer("account").notNull(),
  day: integer("day").notNull(),
  score: integer("score").notNull(),
  /** The main reason at that time, a Hebrew sentence. */
  reason: text("reason").notNull(),
  /** True = no fault of the account itself: its warm-up grows. */
  green: integer("green", { mode: "boolean" }).notNull().default(true),
}, (t) => [primaryKey({ columns: [t.account, t.day] })]);

/** Each stop of a campaign or rest of an account by a breaker, with the evidence and the person who released it. */
export const breakerTrips = sqliteTable("breaker_trips", {
  id: id(),
  at: integer("at").notNull(),
  campaign: integer("campaign"),
  account: integer("account"),
  signal: text("signal", { enum: SIGNALS }).notNull(),
  count: integer("count").notNull(),
  sample: integer("sample").notNull(),
  releasedAt: integer("released_at"),
  releasedBy: integer("released_by"),
}, (t) => [
  index("breaker_trips_campaign").on(t.campaign, t.id),
  index("breaker_trips_account").on(t.account, t.id),
]);

/** A campaign's counters at past moments; they give the window of its latest outcomes. */
export const campaignMarks = sqliteTable("campaign_marks", {
  campaign: integer("campaign").notNull(),
  outcomes: integer("outcomes").notNull(),
  failed: integer("failed").notNull(),
  unknown: integer("unknown").notNull(),
  optedOut: integer("opted_out").notNull(),
  /** When the counters were read; 0 = before this column existed. */
  at: integer("at").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.campaign, t.outcomes] })]);

/** Rows leased to unconfirmed accounts: their outcomes are weighed by site. */
export const unconfirmedDeliveries = sqliteTable("unconfirmed_deliveries", {
  campaign: integer("campaign").notNull(),
  delivery: integer("delivery").notNull(),
  site: integer("site").notNull(),
  /** Null = the site reported it after a restore and named no account. */
  account: integer("account"),
  /** When the site reported that the recipient asked to be removed. */
  optedOutAt: integer("opted_out_at"),
}, (t) => [primaryKey({ columns: [t.campaign, t.delivery, t.site] })]);

/** Accounts banned while they held work of a campaign, since the campaign began or last resumed. */
export const campaignBans = sqliteTable("campaign_bans", {
  campaign: integer("campaign").notNull(),
  account: integer("account").notNull(),
  at: integer("at").notNull(),
}, (t) => [primaryKey({ columns: [t.campaign, t.account] })]);

/** The last marketing message of a client to each number: its time and campaign. */
export const recipients = sqliteTable("recipients", {
  client: integer("client").notNull(),
  phone: integer("phone").notNull(),
  lastMarketingAt: integer("last_marketing_at").notNull(),
  campaign: integer("campaign").notNull(),
}, (t) => [primaryKey({ columns: [t.client, t.phone] })]);

/** The account that last wrote to each number for a client, and in which campaign. */
export const senders = sqliteTable("senders", {
  client: integer("client").notNull(),
  phone: integer("phone").notNull(),
  account: integer("account").notNull(),
  campaign: integer("campaign").notNull(),
  at: integer("at").notNull(),
}, (t) => [primaryKey({ columns: [t.client, t.phone] })]);

/** The outcomes that sites reported, by account and hour; an hour is its start in ms divided by 3,600,000. */
export const accountHours = sqliteTable("account_hours", {
  hour: integer("hour").notNull(),
  account: integer("account").notNull(),
  sent: integer("sent").notNull().default(0),
  failed: integer("failed").notNull().default(0),
  /** Failed outcomes whose number has no account in the app. */
  absent: integer("absent").notNull().default(0),
  unknown: integer("unknown").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.hour, t.account] })]);

/** The whole fleet by hour, as of the last tick that counted it. */
export const fleetHours = sqliteTable("fleet_hours", {
  hour: integer("hour").primaryKey(),
  sent: integer("sent").notNull().default(0),
  devices: integer("devices"),
  /** Logged-in accounts on phones that answer. */
  sessions: integer("sessions"),
  accounts: integer("accounts"),
  /** Accounts banned or restricted within 30 days. */
  banned: integer("banned"),
  measuredAt: integer("measured_at"),
});

/** The outcomes that sites reported, by client and hour, as account_hours counts them by account. */
export const clientHours = sqliteTable("client_hours", {
  hour: integer("hour").notNull(),
  client: integer("client").notNull(),
  sent: integer("sent").notNull().default(0),
  failed: integer("failed").notNull().default(0),
  unknown: integer("unknown").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.hour, t.client] })]);

/** The sums of account_hours by ended local day (yyyymmdd), kept longer; a tick adds each day after its end. */
export const accountTrends = sqliteTable("account_trends", {
  day: integer("day").notNull(),
  account: integer("account").notNull(),
  sent: integer("sent").notNull(),
  failed: integer("failed").notNull(),
  unknown: integer("unknown").notNull(),
}, (t) => [primaryKey({ columns: [t.day, t.account] })]);

/** The sums of client_hours by ended local day, like account_trends. */
export const clientTrends = sqliteTable("client_trends", {
  day: integer("day").notNull(),
  client: integer("client").notNull(),
  sent: integer("sent").notNull(),
  failed: integer("failed").notNull(),
  unknown: integer("unknown").notNull(),
}, (t) => [primaryKey({ columns: [t.day, t.client] })]);

export const commands = sqliteTable("commands", {
  id: id(),
  device: integer("device").notNull().references(() => devices.id),
  site: integer("site").notNull(),
  kind: text("kind", { enum: COMMAND_KINDS }).notNull(),
  status: text("status", { enum: ["waiting", "done", "failed", "timed_out"] }).notNull().default("waiting"),
  /** The site's text about a failure. */
  detail: text("detail"),
  user: integer("user").notNull(),
  createdAt: integer("created_at").notNull(),
  finishedAt: integer("finished_at"),
}, (t) => [
  index("commands_device").on(t.device, t.id),
  index("commands_waiting").on(t.createdAt).where(sql`status = 'waiting'`),
]);

export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
  updatedAt: integer("updated_at").notNull(),
  user: integer("user"),
});

export const suppressions = sqliteTable("suppressions", {
  id: id(),
  /** 0 = every client. */
  client: integer("client").notNull().default(0),
  phone: integer("phone").notNull(),
  source: text("source").notNull(),
  at: integer("at").notNull(),
  /** For a removal that the recipient asked for: how the client had listed the number too; null = not listed. */
  listedAs: text("listed_as"),
}, (t) => [
  uniqueIndex("suppressions_phone").on(t.phone, t.client),
  index("suppressions_client").on(t.client, t.id),
  index("suppressions_client_phone").on(t.client, t.phone),
]);

/** The advertiser's name, shown in every marketing message of the client; "" = not given. */
export const advertisers = sqliteTable("advertisers", {
  client: integer("client").primaryKey(),
  name: text("name").notNull(),
  address: text("address").notNull(),
  contactPhone: text("contact_phone").notNull(),
  contactEmail: text("contact_email").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** True when its messages carry a personal link for removal. */
  removalLink: integer("removal_link", { mode: "boolean" }).notNull().default(false),
});

/** A client's consent declaration for one upload: append-only by trigger. */
export const consentDeclarations = sqliteTable("consent_declarations", {
  id: id(),
  client: integer("client").notNull(),
  at: integer("at").notNull(),
  /** The declaring user: the client, or an administrator in the client's name. */
  user: integer("user").notNull(),
  basis: text("basis", { enum: CONSENT_BASES }).notNull(),
  source: text("source").notNull(),
  /** The day on which the recipients agreed, yyyy-mm-dd. */
  obtainedOn: text("obtained_on"),
  campaign: integer("campaign"),
  /** The list whose contacts it is about; null = a campaign's. */
  list: integer("list"),
  import: integer("import"),
}, (t) => [uniqueIndex("consent_declarations_import").on(t.import).where(sql`import IS NOT NULL`)]);

/** Numbers covered by a declaration: append-only by trigger, except that a number may be erased on request. */
export const consents = sqliteTable("consents", {
  id: id(),
  client: integer("client").notNull(),
  /** Minus `id` after the number was forgotten. */
  phone: integer("phone").notNull(),
  declaration: integer("declaration").notNull(),
  /** Set for a forgotten number (audit_log/number_mark.ts). */
  mark: text("mark"),
}, (t) => [
  uniqueIndex("consents_number").on(t.client, t.phone, t.declaration),
  index("consents_client").on(t.client, t.id),
]);

/** Further texts of a campaign, from 2 on; the first is its message. */
export const variants = sqliteTable("variants", {
  campaign: integer("campaign").notNull(),
  no: integer("no").notNull(),
  message: text("message").notNull(),
}, (t) => [primaryKey({ columns: [t.campaign, t.no] })]);

/** All texts of a sent campaign that has several, fixed at its send, with what came of each. */
export const sentVariants = sqliteTable("sent_variants", {
  campaign: integer("campaign").notNull(),
  no: integer("no").notNull(),
  /** As a reader sees it; placeholders stand as they are written. */
  text: text("text").notNull(),
  /** As `campaigns.sentParts` and `requiredFields`. */
  parts: text("parts").notNull(),
  requiredFields: text("required_fields"),
  sent: integer("sent").notNull().default(0),
  failed: integer("failed").notNull().default(0),
  unknown: integer("unknown").notNull().default(0),
  /** Recipients of it who asked to be removed. */
  removals: integer("removals").notNull().default(0),
}, (t) => [primaryKey({ columns: [t.campaign, t.no] })]);

/** Numbers of an upload that a marketing campaign leaves out, because no consent was declared for them. */
export const unconsented = sqliteTable("unconsented", {
  campaign: integer("campaign").notNull(),
  phone: integer("phone").notNull(),
  import: integer("import").notNull(),
  /** The first delivery to the person for the same message. */
  origin: integer("origin"),
}, (t) => [primaryKey({ columns: [t.campaign, t.phone] })]);

/** Recipients' replies that ask to be removed, or may ask it; other replies are not stored. */
export const replies = sqliteTable("replies", {
  id: id(),
  /** The answered campaign: the last one that wrote to the number. */
  campaign: integer("campaign").notNull(),
  client: integer("client").notNull(),
  phone: integer("phone").notNull(),
  site: integer("site").notNull(),
  /** The site's own id of the newest reply; the same in every repeated report. */
  reply: text("reply").notNull(),
  state: text("state", { enum: REPLY_STATES }).notNull(),
  /** The beginning of the reply, without numbers. */
  excerpt: text("excerpt").notNull(),
  at: integer("at").notNull(),
  receivedAt: integer("received_at").notNull(),
  /** Null = no person has decided yet, or the whole reply was a keyword. */
  decidedAt: integer("decided_at"),
  decidedBy: integer("decided_by"),
  /** Requests up to this time of the phone's clock were undone. */
  undoneUntil: integer("undone_until"),
}, (t) => [
  uniqueIndex("replies_once").on(t.campaign, t.phone),
  index("replies_phone").on(t.phone),
  index("replies_client").on(t.client, t.state, t.id),
  index("replies_state").on(t.state, t.id),
  index("replies_waiting").on(t.campaign).where(sql`state = 'waiting'`),
  index("replies_age").on(t.receivedAt),
]);

export const events = sqliteTable("events", {
  /** The order in which every listener receives them. */
  id: id(),
  at: integer("at").notNull(),
  type: text("type").notNull(),
  /** The client that receives it, or null. */
  client: integer("client"),
  /** Whether administrators receive it. */
  forAdmins: integer("for_admins", { mode: "boolean" }).notNull().default(false),
  /** The site whose agent receives it (recall, settings, workWaiting, revoke), or null. */
  site: integer("site"),
  campaign: integer("campaign"),
  data: text("data").notNull(),
}, (t) => [
  // One row each, always the newest: readers that lag skip overtaken figures.
  uniqueIndex("events_progress").on(t.campaign).where(sql`type = 'campaign_progress'`),
  uniqueIndex("events_quota").on(t.client).where(sql`type = 'quota_changed'`),
]);

export const activity = sqliteTable("activity", {
  id: id(),
  at: integer("at").notNull(),
  kind: text("kind", { enum: ["success", "error", "warning", "info"] }).notNull(),
  /** A code for what happened, with its figures; the screen makes the sentence. */
  code: text("code").notNull(),
  data: text("data").notNull(),
  site: integer("site"),
  device: integer("device"),
  campaign: integer("campaign"),
  user: integer("user"),
}, (t) => [index("activity_at").on(t.at), index("activity_kind").on(t.kind, t.id)]);

/** The sessions that see a campaign's numbers unmasked, and until when. */
export const numberViews = sqliteTable("number_views", {
  session: text("session").notNull(),
  campaign: integer("campaign").notNull(),
  until: integer("until").notNull(),
}, (t) => [primaryKey({ columns: [t.session, t.campaign] })]);

/** The removal of one person's number from all tables; the row is its certificate. */
export const erasures = sqliteTable("erasures", {
  id: id(),
  at: integer("at").notNull(),
  user: integer("user").notNull(),
  reason: text("reason").notNull(),
  /** Replaces the number, in the audit log too. */
  mark: text("mark").notNull(),
  /** A site's journal is searched by a hash of the number under a key derived from this nonce. */
  nonce: text("nonce").notNull(),
  hash: text("hash").notNull(),
  /** Whether the number must never be messaged again. */
  blocked: integer("blocked", { mode: "boolean" }).notNull(),
  /** The number, kept only while something here still holds it. */
  phone: integer("phone"),
  /** JSON: table → rows. */
  removed: text("removed").notNull().default("{}"),
  /** When the tables no longer held it, when the file was rewritten, and when every site had answered. */
  databaseAt: integer("database_at"),
  scrubbedAt: integer("scrubbed_at"),
  doneAt: integer("done_at"),
  /** True = a restore carried it over, and this database must still be searched for its number. */
  toRepeat: integer("to_repeat", { mode: "boolean" }).notNull().default(false),
}, (t) => [
  index("erasures_open").on(t.id).where(sql`done_at IS NULL`),
  index("erasures_to_repeat").on(t.id).where(sql`to_repeat = 1`),
]);

export const erasureSites = sqliteTable("erasure_sites", {
  erasure: integer("erasure").notNull(),
  site: integer("site").notNull(),
  answeredAt: integer("answered_at"),
  removed: integer("removed").notNull().default(0),
  /** The search term for this site's journal, under a key of its own; null = requested by an older release. */
  hash: text("hash"),
}, (t) => [
  primaryKey({ columns: [t.erasure, t.site] }),
  index("erasure_sites_open").on(t.site).where(sql`answered_at IS NULL`),
]);

/** Numbers that must not be messaged, stored only as marks (privacy/blocked.ts). */
export const blockedMarks = sqliteTable("blocked_marks", {
  mark: text("mark").primaryKey(),
  bucket: integer("bucket").notNull(),
  at: integer("at").notNull(),
});

/** Numbers reached during the time that a restored database lost, as sites reported them (sites/lost_reaches.ts). */
export const lostReaches = sqliteTable("lost_reaches", {
  /** 0 = the campaign's client is unknown. */
  client: integer("client").notNull(),
  phone: integer("phone").notNull(),
  /** The reporting site. */
  site: integer("site").notNull(),
  /** When the site reported it. */
  at: integer("at").notNull(),
}, (t) => [
  primaryKey({ columns: [t.client, t.phone] }),
  index("lost_reaches_site").on(t.site),
  index("lost_reaches_at").on(t.at),
]);

/** Campaigns that a restore lost, with their clients (backup/take_along.ts). */
export const lostCampaigns = sqliteTable("lost_campaigns", {
  id: integer("id").primaryKey(),
  client: integer("client").notNull(),
  /** When the backup was restored. */
  at: integer("at").notNull(),
});

/** The permanent record of acts: append-only by trigger, sealed in order by a tick (audit_log/). */
export const auditLog = sqliteTable("audit_log", {
  id: id(),
  at: integer("at").notNull(),
  /** One of AUDIT_KINDS in shared/audit.ts. */
  kind: text("kind").notNull(),
  /** The acting person, or null without a login; the name is the one of that time. */
  actor: integer("actor"),
  actorName: text("actor_name"),
  campaign: integer("campaign"),
  site: integer("site"),
  device: integer("device"),
  /** The user that the act was about. */
  user: integer("user"),
  /** JSON: figures and names, with marks in place of phone numbers. */
  data: text("data").notNull(),
  /** SHA-256 over the previous row's hash and this row; null until sealed. */
  hash: text("hash"),
  /** HMAC over `hash`; making it requires APP_KEY. */
  seal: text("seal"),
}, (t) => [
  index("audit_log_at").on(t.at),
  index("audit_log_kind").on(t.kind, t.id),
  index("audit_log_actor").on(t.actor, t.id),
  index("audit_log_open").on(t.id).where(sql`hash IS NULL`),
]);

export const ticks = sqliteTable("ticks", {
  name: text("name").primaryKey(),
  /** No other instance runs it before this time. */
  claimedUntil: integer("claimed_until").notNull(),
});

/** A cause of alerts that a person has seen: it is quiet until it gets worse. */
export const alertQuiets = sqliteTable("alert_quiets", {
  cause: text("cause").primaryKey(),
  kind: text("kind", { enum: ["acknowledged", "snoozed"] }).notNull(),
  user: integer("user").notNull(),
  at: integer("at").notNull(),
  /** End of a snooze; null = an acknowledgement, which ends when the cause is gone. */
  until: integer("until"),
  /** What the person saw; an acknowledgement follows a falling count down. */
  count: integer("count").notNull(),
  newest: integer("newest"),
});

/** The last message about a cause on each way out of the browser. */
export const alertMessages = sqliteTable("alert_messages", {
  /** A cause, or "test". */
  cause: text("cause").notNull(),
  channel: text("channel", { enum: ALERT_CHANNELS }).notNull(),
  /** Start of the hour in which no other message about the cause goes out. */
  claimedAt: integer("claimed_at").notNull(),
  triedAt: integer("tried_at").notNull(),
  attempts: integer("attempts").notNull(),
  /** Written as "sending" before anything goes out; unknown = it may have arrived. */
  state: text("state", { enum: ["sending", "sent", "failed", "unknown"] }).notNull(),
  reason: text("reason", { enum: ALERT_FAILURES }),
  status: integer("status"),
  nextAt: integer("next_at"),
  /** What the message said; falls with the cause, so that a later rise is worse. */
  count: integer("count").notNull(),
  newest: integer("newest"),
  /** Whether the cause has gone since. */
  gone: integer("gone", { mode: "boolean" }).notNull().default(false),
}, (t) => [primaryKey({ columns: [t.cause, t.channel] })]);

/** Which kinds of alert go out, where a person chose otherwise than the default. */
export const alertChoices = sqliteTable("alert_choices", {
  code: text("code").primaryKey(),
  email: integer("email", { mode: "boolean" }).notNull(),
  webhook: integer("webhook", { mode: "boolean" }).notNull(),
});

export const system = sqliteTable("system", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

export type CampaignRow = typeof campaigns.$inferSelect;

/** The people whom a client keeps in lists, each once. */
export const contacts = sqliteTable("contacts", {
  id: id(),
  client: integer("client").notNull(),
  phone: integer("phone").notNull(),
  /** Values by field name as JSON (shared/contact_fields.ts); null = none. */
  fields: text("fields"),
  source: text("source", { enum: ["file", "typed", "campaign"] }).notNull(),
  /** The run that indexes the values; null = contact_keys does. */
  run: integer("run"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** When the contact was last loaded, changed, or taken into a campaign. */
  usedAt: integer("used_at").notNull(),
}, (t) => [uniqueIndex("contacts_phone").on(t.client, t.phone)]);

export const lists = sqliteTable("lists", {
  id: id(),
  client: integer("client").notNull(),
  name: text("name").notNull(),
  /** Case-folded name: a client has each name once. */
  nameKey: text("name_key").notNull(),
  /** Names of the fields as JSON, in the order of the columns. */
  fields: text("fields").notNull().default("[]"),
  /** Always the number of its members. */
  size: integer("size").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Set while its members are being removed; the row goes with the last. */
  removedAt: integer("removed_at"),
}, (t) => [
  uniqueIndex("lists_name").on(t.client, t.nameKey).where(sql`removed_at IS NULL`),
  index("lists_removed").on(t.removedAt).where(sql`removed_at IS NOT NULL`),
]);

export const listMembers = sqliteTable("list_members", {
  list: integer("list").notNull(),
  phone: integer("phone").notNull(),
}, (t) => [primaryKey({ columns: [t.list, t.phone] })]);

/** Sorted beginnings of the values of contacts that one transaction added (people/value_runs.ts). */
export const contactRuns = sqliteTable("contact_runs", {
  id: id(),
  client: integer("client").notNull(),
}, (t) => [index("contact_runs_client").on(t.client, t.id)]);

export const contactBlocks = sqliteTable("contact_blocks", {
  run: integer("run").notNull(),
  no: integer("no").notNull(),
  /** The last key of the block, in hex. */
  last: text("last").notNull(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
}, (t) => [primaryKey({ columns: [t.run, t.no] }), index("contact_blocks_last").on(t.run, t.last, t.no)]);

/** The same beginnings, of contacts who were added or changed one by one. */
export const contactKeys = sqliteTable("contact_keys", {
  id: id(),
  client: integer("client").notNull(),
  key: text("key").notNull(),
  phone: integer("phone").notNull(),
}, (t) => [
  index("contact_keys_key").on(t.client, t.key, t.phone),
  index("contact_keys_phone").on(t.client, t.phone),
]);

/** Until when a session sees a list's numbers and values unmasked. */
export const listViews = sqliteTable("list_views", {
  session: text("session").notNull(),
  list: integer("list").notNull(),
  until: integer("until").notNull(),
}, (t) => [primaryKey({ columns: [t.session, t.list] })]);
