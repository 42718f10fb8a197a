/**
 * Declares every frame between an agent and the edge once; types are inferred. Each WebSocket message is one CBOR
 * map. Times are integer milliseconds; phone numbers are "+…" strings.
 */
import { z } from "zod";
import { deliveryReasonSchema } from "./delivery.ts";
import { AGENT_FEATURES, EDGE_FEATURES, featuresOf } from "./features.ts";
import { MAX_LEASE_ITEMS, MAX_REPORT_ITEMS } from "./lease.ts";
import { listOf } from "./list_schema.ts";
import { MAX_EXCERPT_CHARS } from "./opt_out.ts";
import { settingsSchema } from "./settings.ts";
import { MAX_STILL_BYTES, NO_STILL_REASONS, STILL_PART_CHARS } from "./still.ts";

/** WebSocket subprotocol of edge and agent; its name holds the version of the frames. */
export const AGENT_SUBPROTOCOL = "shigur.agent.v2";
/** `aud` of the token an agent signs for each connection. */
export const AGENT_TOKEN_AUDIENCE = "shigur-edge";
/** Longest lifetime of such a token. */
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
/** Number of a picture on its connection, given by the edge. */
const stillId = z.int().min(1).max(2 ** 31);

/**
 * The state of a database, sealed by the edge: its generation, and the highest `events` id at the commit of a
 * transaction. A site returns the newest mark it received, so the edge notices a database restored to an earlier
 * state.
 */
const databaseMarkSchema = z.object({
  generation: z.string().max(64),
  event: z.int().min(0),
  hmac: sha256,
});
export type DatabaseMark = z.infer<typeof databaseMarkSchema>;

export const outcomeSchema = z.enum(["sent", "failed", "unknown", "void"]);
/** A site's report about one attempt; `void` = not tapped, and never will be. */
export type Outcome = z.infer<typeof outcomeSchema>;

const openRowSchema = z.object({
  token,
  campaign: z.int(),
  phone,
  attempt: z.int().min(1),
  at: z.enum(["held", "tapping", "done"]),
});
const leaseItemSchema = z.object({
  phone,
  attempt: z.int().min(1),
  account: accountKey,
  /** This recipient's own text, in a lease without a text of its own. */
  text: z.string().optional(),
});
const goItemSchema = z.object({ phone, validMs: z.int().min(0) });
const reportItemSchema = z.object({
  token,
  campaign: z.int(),
  phone,
  attempt: z.int().min(1),
  outcome: outcomeSchema,
  /** Only with `void`: the attempt failed for a temporary reason and counts towards the retries. */
  temporary: z.boolean().default(false),
  reason: deliveryReasonSchema.nullable(),
  account: accountKey.nullable(),
  tappedAt: at.nullable(),
  /** `at` converted to the edge's clock at the time of the tap; absent from an older agent. */
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

/** What was tried with a phone at its site: nothing, a rehearsal that passed, or a send that its chat proved. */
export const TRIALS = ["none", "rehearsed", "proven"] as const;
export const trialSchema = z.enum(TRIALS);
export type Trial = z.infer<typeof trialSchema>;

const inventoryDeviceSchema = z.object({
  device: deviceKey,
  /** Present adb address: a USB serial or host:port. */
  address: z.string().max(100),
  model: shortText,
  androidVersion: z.string().max(20),
  state: deviceStateSchema,
  batteryPercent: z.int().min(0).max(100).nullable(),
  /** Time of the phone's last reply to a command. */
  proofAt: at.nullable(),
  /** All addresses at which adb sees the phone, by USB and by network; the one in use is first. */
  addresses: listOf(z.string().max(100), { max: 10 }),
  /**
   * English description of the state from adb or the phone, for the person who repairs it; null when the state
   * says everything.
   */
  stateDetail: shortText.nullable(),
  /** Whether the site holds the phone stopped; absent from an older agent. */
  stopped: z.boolean().optional(),
  /** Sent with the feature `reports_trials`; an agent without it is never asked for rehearsals. */
  trial: trialSchema.optional(),
});

export const USER_KINDS = ["owner", "work", "secondary"] as const;
export type UserKind = (typeof USER_KINDS)[number];

/** The shape of a screen of the app that a site does not know, without any of its words. */
export const unknownScreenSchema = z.object({
  /** Equal for the same screen on other phones. */
  fingerprint: z.string().regex(/^[0-9a-f]{24}$/),
  kind: z.enum(["dialog", "screen", "row"]),
  /** The activity in front, without its app. */
  window: z.string().regex(/^[A-Za-z0-9_.$:/]{0,120}$/),
  /** Ids of its parts that no screen file names. */
  ids: listOf(z.string().regex(/^[A-Za-z0-9_.$:/]{0,80}$/), { max: 12 }),
});
export type UnknownScreenNotice = z.infer<typeof unknownScreenSchema>;

const inventoryAccountSchema = z.object({
  account: accountKey,
  state: accountStateSchema,
  appVersion: z.string().max(40).nullable(),
  firstInstalledAt: at.nullable(),
  /** Kind of the Android user: the phone's owner, a work profile, or a further user; null means not known. */
  userKind: z.enum(USER_KINDS).nullable(),
  /** Whether an image opens with its caption in this app; null means not seen yet. */
  captions: z.boolean().nullable(),
  /** The active account's own number, when the app shows it; null means not read. */
  ownNumber: phone.nullable(),
  /**
   * Why it does not send, when its app shows a screen that the site does not know; its state is then `unreachable`. Sent
   * to an edge with the feature `knows_unknown_screens`.
   */
  unknownScreen: unknownScreenSchema.nullable().optional(),
  /**
   * Whether a phone of the site has shown the screens of this version of the app, in a rehearsal or a proven send; null
   * means not known. Sent with `unknownScreen`.
   */
  screensSeen: z.boolean().nullable().optional(),
});
export type InventoryAccount = z.infer<typeof inventoryAccountSchema>;

/** Most phones that a site may report or request work for, and most accounts on them. */
export const MAX_SITE_DEVICES = 500;
export const MAX_SITE_ACCOUNTS = 2000;

/** Most replies in one frame. */
export const MAX_REPLY_ITEMS = 50;
const replyId = z.string().regex(/^[0-9a-f]{32}$/);

/** A reply that asks for removal, or may ask for it. Other replies never leave the site. */
const replyItemSchema = z.object({
  /** Identifies the reply: the same id however often the reply is seen or reported. */
  id: replyId,
  phone,
  /** The account that received the reply. */
  account: accountKey,
  /** remove = the whole reply asks for removal; unclear = a person decides. */
  decision: z.enum(["remove", "unclear"]),
  excerpt: z.string().max(2 * MAX_EXCERPT_CHARS),
  /** Time of arrival, by the phone's clock. */
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
  /**
   * The text of all items; absent when each item has its own. Sent without it only to an agent with the feature
   * `item_text`: another one refuses the frame, and so can never send words meant for a composer.
   */
  text: z.string().optional(),
  image: sha256.nullable(),
  items: listOf(leaseItemSchema, { min: 1, max: MAX_LEASE_ITEMS }),
}).refine(({ text, items }) => items.every((item) => (item.text === undefined) !== (text === undefined)), {
  message: "Has a text for all items, or one for each",
});

/** Result of a report: applied, known before, or stale because it came from a site without a claim to the delivery. */
export const REPORT_RESULTS = ["applied", "known", "stale"] as const;

/** All frames that an agent may send. */
export const agentFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    epoch,
    journalId: z.string().regex(/^[0-9a-f]{32}$/),
    /** Read before any recovery write; null once the edge has replied to a hello of this process. */
    counterAtOpen: counter.nullable(),
    journalCounter: counter,
    open: listOf(openRowSchema, { max: MAX_OPEN_ROWS }),
    agentVersion: z.string().max(40),
    /** Absent from an agent of the previous release. */
    features: featuresOf(AGENT_FEATURES).optional(),
    /** Phones that the journal holds stopped; sent with the feature `follows_stops`. */
    stopped: listOf(deviceKey, { max: MAX_SITE_DEVICES }).optional(),
    /** The newest mark that the site keeps; sent to an edge with the feature `compares_marks`. */
    mark: databaseMarkSchema.optional(),
  }),
  z.object({ type: z.literal("pull"), devices: askedDevices }),
  z.object({ type: z.literal("leaseAck"), token, journalCounter: counter }),
  z.object({
    type: z.literal("report"),
    seq: z.int().min(1),
    journalCounter: counter,
    items: listOf(reportItemSchema, { min: 1, max: MAX_REPORT_ITEMS }),
    /**
     * The request for work that a following `pull` would send; sent to an edge with the feature
     * `leases_with_reports`.
     */
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
        /**
         * The same moment by the edge's clock, when the site knows it: the edge decides days and hours by its own
         * clock.
         */
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
  /** Confirms `erase`: the journal no longer contains the named numbers. */
  z.object({
    type: z.literal("erased"),
    items: listOf(z.object({ id: z.int(), removed: counter }), { max: 100 }),
  }),
  /** Sent to an edge with the feature `takes_replies`; repeated until `inboundAck` names the reply. */
  z.object({ type: z.literal("inbound"), items: listOf(replyItemSchema, { min: 1, max: MAX_REPLY_ITEMS }) }),
  /** One part of a picture, in answer to `still`: bytes `at` and after of `size`, as base64. */
  z.object({
    type: z.literal("stillPart"),
    id: stillId,
    at: z.int().min(0).max(MAX_STILL_BYTES),
    size: z.int().min(1).max(MAX_STILL_BYTES),
    data: z.string().min(4).max(STILL_PART_CHARS),
  }),
  /** There is no picture, or no further part of it. */
  z.object({ type: z.literal("noStill"), id: stillId, why: z.enum(NO_STILL_REASONS) }),
  z.object({ type: z.literal("drain") }),
]);
export type AgentFrame = z.infer<typeof agentFrameSchema>;
/** The agent\'s frame of one type. */
export type AgentFrameOf<Type extends AgentFrame["type"]> = Extract<AgentFrame, { type: Type }>;

/** All frames that the edge may send. */
export const edgeFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    epoch,
    generation: z.string().max(64),
    serverTime: at,
    settings: settingsSchema,
    /** Absent from an edge of the previous release. */
    features: featuresOf(EDGE_FEATURES).optional(),
    /** Same meaning as the feature `takes_replies`; kept for compatibility with the previous release. */
    takesReplies: z.boolean().default(false),
    /** Same meaning as the feature `leases_with_reports`; kept for compatibility with the previous release. */
    leasesWithReports: z.boolean().default(false),
  }),
  z.object({
    type: z.literal("helloAck"),
    epoch,
    drop: listOf(tokenPhonesSchema, { max: MAX_OPEN_ROWS }),
    /** Phones that the site must stop; all others must work. Sent to an agent with the feature `follows_stops`. */
    stopped: listOf(deviceKey, { max: MAX_SITE_DEVICES }).optional(),
    mark: databaseMarkSchema.optional(),
  }),
  leaseFrame,
  z.object({
    type: z.literal("go"),
    token,
    items: listOf(goItemSchema, { max: MAX_LEASE_ITEMS }),
    /** The edge's clock, the reference for allowed tap times; absent from an older edge. */
    serverTime: at.optional(),
    mark: databaseMarkSchema.optional(),
  }),
  z.object({
    type: z.literal("reportAck"),
    seq: z.int().min(1),
    items: listOf(z.object({ token, phone, result: z.enum(REPORT_RESULTS) }), { max: MAX_REPORT_ITEMS }),
    /** The work that the report asked for. */
    lease: leaseFrame.optional(),
    mark: databaseMarkSchema.optional(),
  }),
  z.object({ type: z.literal("recall"), items: listOf(tokenPhonesSchema, { max: MAX_OPEN_ROWS }) }),
  /** Confirms each `outcomes` frame and asks for the next: a month of outcomes is more than a socket may buffer. */
  z.object({ type: z.literal("outcomesAck"), generation: z.string().max(64), last: z.boolean() }),
  z.object({ type: z.literal("inboundAck"), ids: listOf(replyId, { max: MAX_REPLY_ITEMS }) }),
  z.object({ type: z.literal("superseded"), epoch }),
  z.object({ type: z.literal("settings"), settings: settingsSchema }),
  z.object({ type: z.literal("command"), id: z.int(), kind: commandKind, device: deviceKey }),
  z.object({ type: z.literal("workWaiting") }),
  /**
   * Asks for one part of a picture of a phone's screen: 0 takes the picture, the rest continues it. The next part is
   * asked for when one has arrived, so that no report waits for more than one. Sent to an agent with the feature
   * `shows_stills`.
   */
  z.object({
    type: z.literal("still"),
    id: stillId,
    device: deviceKey,
    at: z.int().min(0).max(MAX_STILL_BYTES),
  }),
  /** Nobody waits for this picture any more. */
  z.object({ type: z.literal("stillOver"), id: stillId }),
  /** Numbers to remove from the journal, each as a keyed HMAC-SHA-256; repeated until `erased` confirms them. */
  z.object({
    type: z.literal("erase"),
    items: listOf(z.object({ id: z.int(), key: sha256, hash: sha256 }), { min: 1, max: 100 }),
    mark: databaseMarkSchema.optional(),
  }),
  /** Sent after every heartbeat: without it a site with no other traffic would take the silence for a dead socket. */
  z.object({ type: z.literal("heartbeatAck"), serverTime: at, mark: databaseMarkSchema.optional() }),
]);
export type EdgeFrame = z.infer<typeof edgeFrameSchema>;
/** The edge\'s frame of one type. */
export type EdgeFrameOf<Type extends EdgeFrame["type"]> = Extract<EdgeFrame, { type: Type }>;

/** WebSocket close codes that the edge uses (4000–4999 are reserved for applications, RFC 6455 section 7.4.2). */
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
/** Body of a 401 at the agent's endpoints: the edge's clock lets a site with a wrong clock sign a valid token. */
export const agentUnauthorizedSchema = z.object({ error: z.string(), code: z.string(), serverTime: z.int() });
