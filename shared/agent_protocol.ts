/**
 * Every frame between an agent and the edge, declared once; types are inferred.
 * One CBOR map a WebSocket message; times are integer milliseconds, phones "+…" strings.
 */
import { z } from "zod";
import { deliveryReasonSchema } from "./delivery.ts";
import { AGENT_FEATURES, EDGE_FEATURES, featuresOf } from "./features.ts";
import { MAX_LEASE_ITEMS, MAX_REPORT_ITEMS } from "./lease.ts";
import { listOf } from "./list_schema.ts";
import { MAX_EXCERPT_CHARS } from "./opt_out.ts";
import { settingsSchema } from "./settings.ts";

/** WebSocket subprotocol of edge and agent, named after the version of their frames. */
export const AGENT_SUBPROTOCOL = "shigur.agent.v2";
/** `aud` of the token an agent signs for each connection. */
export const AGENT_TOKEN_AUDIENCE = "shigur-edge";
/** Longest life of such a token. */
export const AGENT_TOKEN_MAX_AGE_MS = 5 * 60_000;
export const MAX_FRAME_BYTES = 1024 * 1024;
/** Most rows a journal may list, and most entries of `drop` and `recall`. */
export const MAX_OPEN_ROWS = 5000;

const phone = z.string().regex(/^\+[1-9]\d{6,14}$/);
const token = z.string().regex(/^[0-9a-f]{32}$/);
const epoch = z.int().min(0);
const at = z.int().min(0);
const counter = z.int().min(0);
const shortText = z.string().max(200);
/** Hardware serial of a phone, unique at its site. */
const deviceKey = z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/);
/** `<device>/<package>/<Android user>`, for example "R58M/com.whatsapp/0". */
const accountKey = z.string().regex(/^[A-Za-z0-9._:-]{1,64}\/[A-Za-z0-9._]{1,100}\/\d{1,6}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A database's mark, sealed by the edge: its generation, and the highest id of `events` it had given when a transaction
 * was committed. A site returns the newest one it heard, so that a database put back to an earlier state is noticed.
 */
export const databaseMarkSchema = z.object({
  generation: z.string().max(64),
  event: z.int().min(0),
  hmac: sha256,
});
export type DatabaseMark = z.infer<typeof databaseMarkSchema>;

export const outcomeSchema = z.enum(["sent", "failed", "unknown", "void"]);
/** What a site says of one attempt; `void` = not tapped, and given up for ever. */
export type Outcome = z.infer<typeof outcomeSchema>;

export const openRowSchema = z.object({
  token,
  campaign: z.int(),
  phone,
  attempt: z.int().min(1),
  at: z.enum(["held", "tapping", "done"]),
});
export const leaseItemSchema = z.object({ phone, attempt: z.int().min(1), account: accountKey });
export const goItemSchema = z.object({ phone, validMs: z.int().min(0) });
export const reportItemSchema = z.object({
  token,
  campaign: z.int(),
  phone,
  attempt: z.int().min(1),
  outcome: outcomeSchema,
  /** With `void` only: the try failed for a passing cause and counts towards the retries. */
  temporary: z.boolean().default(false),
  reason: deliveryReasonSchema.nullable(),
  account: accountKey.nullable(),
  tappedAt: at.nullable(),
  /** The same by the edge's clock, as the site knew it when it tapped; absent from an older agent. */
  edgeAt: at.optional(),
});
export type ReportItem = z.infer<typeof reportItemSchema>;
export const tokenPhonesSchema = z.object({ token, phones: listOf(phone, { max: MAX_LEASE_ITEMS }) });

export const DEVICE_STATES = [
  "online",
  "offline",
  "unauthorized",
  "booting",
  "locked",
  "low_battery",
  "hot",
  "low_storage",
  "not_answering",
] as const;
export const deviceStateSchema = z.enum(DEVICE_STATES);
export type DeviceState = z.infer<typeof deviceStateSchema>;

export const ACCOUNT_STATES = [
  "ok",
  "banned",
  "restricted",
  "logged_out",
  "app_missing",
  "unreachable",
] as const;
export const accountStateSchema = z.enum(ACCOUNT_STATES);
export type AccountState = z.infer<typeof accountStateSchema>;

export const inventoryDeviceSchema = z.object({
  device: deviceKey,
  /** Where adb finds it now: a USB serial or host:port. */
  address: z.string().max(100),
  model: shortText,
  androidVersion: z.string().max(20),
  state: deviceStateSchema,
  batteryPercent: z.int().min(0).max(100).nullable(),
  /** When a command last came back from the phone. */
  proofAt: at.nullable(),
  /** Everywhere adb sees it now, by USB and by network, the one in use first. */
  addresses: listOf(z.string().max(100), { max: 10 }),
  /** What adb or the phone said of its state, in English, for whoever mends it; null = the state says all. */
  stateDetail: shortText.nullable(),
  /** Whether its site holds it stopped; absent from an older agent. */
  stopped: z.boolean().optional(),
});

export const USER_KINDS = ["owner", "work", "secondary"] as const;
export type UserKind = (typeof USER_KINDS)[number];

export const inventoryAccountSchema = z.object({
  account: accountKey,
  state: accountStateSchema,
  appVersion: z.string().max(40).nullable(),
  firstInstalledAt: at.nullable(),
  /** Whose Android user it is: the phone's owner, a work profile, or a further user; null = not known. */
  userKind: z.enum(USER_KINDS).nullable(),
  /** Whether an image was seen to open with its caption in this app; null = not seen yet. */
  captions: z.boolean().nullable(),
  /** The active account's own number, where the app shows it; null = not read. */
  ownNumber: phone.nullable(),
});
export type InventoryAccount = z.infer<typeof inventoryAccountSchema>;

/** Most phones a site may tell of, or ask work for, and most accounts on them. */
export const MAX_SITE_DEVICES = 500;
export const MAX_SITE_ACCOUNTS = 2000;

/** Most replies one frame may carry. */
export const MAX_REPLY_ITEMS = 50;
const replyId = z.string().regex(/^[0-9a-f]{32}$/);

/** A reply that asks to be removed, or may: what people write besides is said to nobody. */
export const replyItemSchema = z.object({
  /** The same for the same reply, however often it is seen or told. */
  id: replyId,
  phone,
  /** The account it came to. */
  account: accountKey,
  /** remove = the whole reply asks for it; unclear = a person decides. */
  decision: z.enum(["remove", "unclear"]),
  excerpt: z.string().max(2 * MAX_EXCERPT_CHARS),
  /** When it came, by the phone's clock. */
  at,
});
export type ReplyItem = z.infer<typeof replyItemSchema>;

export const COMMAND_KINDS = ["restart", "stop", "start", "identify"] as const;
const commandKind = z.enum(COMMAND_KINDS);

const askedDevices = listOf(z.object({ id: deviceKey, room: z.int().min(1).max(10) }), {
  max: MAX_SITE_DEVICES,
});
const leaseFrame = z.object({
  type: z.literal("lease"),
  token,
  ttlMs: z.int().min(1),
  campaign: z.int(),
  text: z.string(),
  image: sha256.nullable(),
  items: listOf(leaseItemSchema, { min: 1, max: MAX_LEASE_ITEMS }),
});

/** What the edge did with an outcome: took it, knew as much already, or heard it from a site it is not due from. */
export const REPORT_RESULTS = ["applied", "known", "stale"] as const;

/** What an agent may say. */
export const agentFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    epoch,
    journalId: z.string().regex(/^[0-9a-f]{32}$/),
    /** Read before any recovery write; null once a hello of the process was answered. */
    counterAtOpen: counter.nullable(),
    journalCounter: counter,
    open: listOf(openRowSchema, { max: MAX_OPEN_ROWS }),
    agentVersion: z.string().max(40),
    /** Absent from an agent of the release before. */
    features: featuresOf(AGENT_FEATURES).optional(),
    /** Phones that the journal holds stopped; said with `follows_stops`. */
    stopped: listOf(deviceKey, { max: MAX_SITE_DEVICES }).optional(),
    /** The newest mark it keeps; said to an edge that `compares_marks`. */
    mark: databaseMarkSchema.optional(),
  }),
  z.object({ type: z.literal("pull"), devices: askedDevices }),
  z.object({ type: z.literal("leaseAck"), token, journalCounter: counter }),
  z.object({
    type: z.literal("report"),
    seq: z.int().min(1),
    journalCounter: counter,
    items: listOf(reportItemSchema, { min: 1, max: MAX_REPORT_ITEMS }),
    /** What a `pull` behind it would ask; said to an edge that `leases_with_reports`. */
    asks: askedDevices.optional(),
  }),
  z.object({ type: z.literal("heartbeat"), journalCounter: counter, at }),
  z.object({
    type: z.literal("inventory"),
    devices: listOf(inventoryDeviceSchema, { max: MAX_SITE_DEVICES }),
    accounts: listOf(inventoryAccountSchema, { max: MAX_SITE_ACCOUNTS }),
  }),
  z.object({
    type: z.literal("outcomes"),
    generation: z.string().max(64),
    items: listOf(
      z.object({
        campaign: z.int(),
        phone,
        token,
        attempt: z.int().min(1),
        outcome: z.enum(["sent", "failed", "unknown", "void", "tapping"]),
        account: accountKey.nullable(),
        /** By the site's clock. */
        at,
        /** The same by the edge's, where the site knows it: days and hours are the edge's. */
        edgeAt: at.optional(),
      }),
      { max: MAX_REPORT_ITEMS },
    ),
    last: z.boolean(),
  }),
  z.object({
    type: z.literal("commandResult"),
    id: z.int(),
    ok: z.boolean(),
    detail: shortText,
  }),
  /** Answers `erase`: what it names is in the journal no more. */
  z.object({
    type: z.literal("erased"),
    items: listOf(z.object({ id: z.int(), removed: counter }), { max: 100 }),
  }),
  /** Said to an edge that `takes_replies`, again and again until `inboundAck` names it. */
  z.object({ type: z.literal("inbound"), items: listOf(replyItemSchema, { min: 1, max: MAX_REPLY_ITEMS }) }),
  z.object({ type: z.literal("drain") }),
]);
export type AgentFrame = z.infer<typeof agentFrameSchema>;

/** What the edge may say. */
export const edgeFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    epoch,
    generation: z.string().max(64),
    serverTime: at,
    settings: settingsSchema,
    /** Absent from an edge of the release before. */
    features: featuresOf(EDGE_FEATURES).optional(),
    /** The feature `takes_replies`, for and from the release before. */
    takesReplies: z.boolean().default(false),
    /** The feature `leases_with_reports`, for and from the release before. */
    leasesWithReports: z.boolean().default(false),
  }),
  z.object({
    type: z.literal("helloAck"),
    epoch,
    drop: listOf(tokenPhonesSchema, { max: MAX_OPEN_ROWS }),
    /** Phones that are to be stopped; every other is to work. Said to an agent that `follows_stops`. */
    stopped: listOf(deviceKey, { max: MAX_SITE_DEVICES }).optional(),
    mark: databaseMarkSchema.optional(),
  }),
  leaseFrame,
  z.object({
    type: z.literal("go"),
    token,
    items: listOf(goItemSchema, { max: MAX_LEASE_ITEMS }),
    /** The edge's clock, by which the taps it allows are told; absent from an older edge. */
    serverTime: at.optional(),
    mark: databaseMarkSchema.optional(),
  }),
  z.object({
    type: z.literal("reportAck"),
    seq: z.int().min(1),
    items: listOf(z.object({ token, phone, result: z.enum(REPORT_RESULTS) }), { max: MAX_REPORT_ITEMS }),
    /** What the report asked for. */
    lease: leaseFrame.optional(),
    mark: databaseMarkSchema.optional(),
  }),
  z.object({ type: z.literal("recall"), items: listOf(tokenPhonesSchema, { max: MAX_OPEN_ROWS }) }),
  /** Answers each `outcomes`, and asks for the next: a site's month is more than a socket may have waiting. */
  z.object({ type: z.literal("outcomesAck"), generation: z.string().max(64), last: z.boolean() }),
  z.object({ type: z.literal("inboundAck"), ids: listOf(replyId, { max: MAX_REPLY_ITEMS }) }),
  z.object({ type: z.literal("superseded"), epoch }),
  z.object({ type: z.literal("settings"), settings: settingsSchema }),
  z.object({ type: z.literal("command"), id: z.int(), kind: commandKind, device: deviceKey }),
  z.object({ type: z.literal("workWaiting") }),
  /** Numbers to take out of the journal, each by its HMAC-SHA-256 under a key; said again until `erased` answers. */
  z.object({
    type: z.literal("erase"),
    items: listOf(z.object({ id: z.int(), key: sha256, hash: sha256 }), { min: 1, max: 100 }),
    mark: databaseMarkSchema.optional(),
  }),
  /** Answers every heartbeat: to a site whose edge has nothing to say, silence would look like a dead socket. */
  z.object({ type: z.literal("heartbeatAck"), serverTime: at, mark: databaseMarkSchema.optional() }),
]);
export type EdgeFrame = z.infer<typeof edgeFrameSchema>;

/** WebSocket close codes of the edge (4000–4999 are free for applications, RFC 6455 section 7.4.2). */
export const CLOSE = {
  badFrame: 4400,
  superseded: 4409,
  revoked: 4410,
} as const;

/** Body of POST /api/agent/enroll: the one-time join token and the site's public Ed25519 key (JWK `x`). */
export const enrollRequestSchema = z.object({
  joinToken: z.string().min(20).max(200),
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export const enrollResponseSchema = z.object({ siteId: z.int(), siteName: z.string(), serverTime: z.int() });
/** Body of a 401 on the agent's doors: the edge's clock, so that a site with a wrong clock can still sign. */
export const agentUnauthorizedSchema = z.object({ error: z.string(), code: z.string(), serverTime: z.int() });
