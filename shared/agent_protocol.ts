/**
 * Every frame between an agent and the edge, declared once; types are inferred.
 * One CBOR map a WebSocket message; times are integer milliseconds, phones "+…" strings.
 */
import { z } from "zod";
import { deliveryReasonSchema } from "./delivery.ts";
import { MAX_LEASE_ITEMS, MAX_REPORT_ITEMS } from "./lease.ts";
import { settingsSchema } from "./settings.ts";

/** WebSocket subprotocols this build speaks, best first. */
export const AGENT_SUBPROTOCOLS = ["shigur.agent.v1"] as const;
/** `aud` of the token an agent signs for each connection. */
export const AGENT_TOKEN_AUDIENCE = "shigur-edge";
/** Longest life of such a token. */
export const AGENT_TOKEN_MAX_AGE_MS = 5 * 60_000;
export const MAX_FRAME_BYTES = 1024 * 1024;

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
});
export type ReportItem = z.infer<typeof reportItemSchema>;
export const tokenPhonesSchema = z.object({ token, phones: z.array(phone).max(MAX_LEASE_ITEMS) });

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
});
export const inventoryAccountSchema = z.object({
  account: accountKey,
  state: accountStateSchema,
  appVersion: z.string().max(40).nullable(),
  firstInstalledAt: at.nullable(),
});

export const COMMAND_KINDS = ["restart", "stop", "start", "identify"] as const;
const commandKind = z.enum(COMMAND_KINDS);

/** What an agent may say. */
export const agentFrameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    epoch,
    journalId: z.string().regex(/^[0-9a-f]{32}$/),
    /** Read before any recovery write; null from the second hello of a process on. */
    counterAtOpen: counter.nullable(),
    journalCounter: counter,
    open: z.array(openRowSchema).max(5000),
    agentVersion: z.string().max(40),
  }),
  z.object({
    type: z.literal("pull"),
    devices: z.array(z.object({ id: deviceKey, room: z.int().min(1).max(10) })).max(500),
  }),
  z.object({ type: z.literal("leaseAck"), token, journalCounter: counter }),
  z.object({
    type: z.literal("report"),
    seq: z.int().min(1),
    journalCounter: counter,
    items: z.array(reportItemSchema).min(1).max(MAX_REPORT_ITEMS),
  }),
  z.object({ type: z.literal("heartbeat"), journalCounter: counter, at }),
  z.object({
    type: z.literal("inventory"),
    devices: z.array(inventoryDeviceSchema).max(500),
    accounts: z.array(inventoryAccountSchema).max(2000),
  }),
  z.object({
    type: z.literal("outcomes"),
    generation: z.string().max(64),
    items: z.array(
      z.object({
        campaign: z.int(),
        phone,
        token,
        attempt: z.int().min(1),
        outcome: z.enum(["sent", "failed", "unknown", "void", "tapping"]),
        account: accountKey.nullable(),
        at,
      }),
    ).max(MAX_REPORT_ITEMS),
    last: z.boolean(),
  }),
  z.object({
    type: z.literal("commandResult"),
    id: z.int(),
    ok: z.boolean(),
    detail: shortText,
  }),
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
  }),
  z.object({ type: z.literal("helloAck"), epoch, drop: z.array(tokenPhonesSchema) }),
  z.object({
    type: z.literal("lease"),
    token,
    ttlMs: z.int().min(1),
    campaign: z.int(),
    text: z.string(),
    image: sha256.nullable(),
    items: z.array(leaseItemSchema).min(1).max(MAX_LEASE_ITEMS),
  }),
  z.object({ type: z.literal("go"), token, items: z.array(goItemSchema).max(MAX_LEASE_ITEMS) }),
  z.object({
    type: z.literal("reportAck"),
    seq: z.int().min(1),
    items: z.array(z.object({ token, phone, result: z.enum(["applied", "known", "stale"]) })).max(
      MAX_REPORT_ITEMS,
    ),
  }),
  z.object({ type: z.literal("recall"), items: z.array(tokenPhonesSchema) }),
  /** Answers each `outcomes`, and asks for the next: a site's month is more than a socket may have waiting. */
  z.object({ type: z.literal("outcomesAck"), generation: z.string().max(64), last: z.boolean() }),
  z.object({ type: z.literal("superseded"), epoch }),
  z.object({ type: z.literal("settings"), settings: settingsSchema }),
  z.object({ type: z.literal("command"), id: z.int(), kind: commandKind, device: deviceKey }),
  z.object({ type: z.literal("workWaiting") }),
  /** Answers every heartbeat: to a site whose edge has nothing to say, silence would look like a dead socket. */
  z.object({ type: z.literal("heartbeatAck"), serverTime: at }),
]);
export type EdgeFrame = z.infer<typeof edgeFrameSchema>;

/** WebSocket close codes both sides understand (4000–4999 are free for applications, RFC 6455 section 7.4.2). */
export const CLOSE = {
  badFrame: 4400,
  notAuthorized: 4401,
  superseded: 4409,
  revoked: 4410,
  versionMismatch: 4426,
} as const;

/** Body of POST /api/agent/enroll: the one-time join token and the site's public Ed25519 key (JWK `x`). */
export const enrollRequestSchema = z.object({
  joinToken: z.string().min(20).max(200),
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export const enrollResponseSchema = z.object({ siteId: z.int(), siteName: z.string(), serverTime: z.int() });
/** Body of a 401 on the agent's doors: the edge's clock, so that a site with a wrong clock can still sign. */
export const agentUnauthorizedSchema = z.object({ error: z.string(), code: z.string(), serverTime: z.int() });
