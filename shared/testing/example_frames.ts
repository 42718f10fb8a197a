/** Example frames of each type with every optional field, from edges and agents. */
import type { AgentFrame, EdgeFrame, EdgeFrameOf } from "../agent_protocol.ts";
import { AGENT_FEATURES, EDGE_FEATURES } from "../features.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";

type OneOfEach<F extends { type: string }> = { [T in F["type"]]: Extract<F, { type: T }> };

const token = "0123456789abcdef0123456789abcdef";
const phone = "+972543710968";
const account = "R58M/com.whatsapp/0";
const campaign = 7;
const at = 1_795_000_000_123;
const hash = "ab".repeat(32);
const generation = "g1";
const mark = { generation, event: 9, hmac: hash };
const lease: EdgeFrameOf<"lease"> = {
  type: "lease",
  token,
  ttlMs: 60_000,
  campaign,
  text: "שלום 🙂\nשורה שנייה",
  image: hash,
  items: [{ phone, attempt: 1, account }],
};

const agentFrames: OneOfEach<AgentFrame> = {
  hello: {
    type: "hello",
    epoch: 2,
    journalId: "a".repeat(32),
    counterAtOpen: null,
    journalCounter: 7,
    open: [{ token, campaign, phone, attempt: 1, at: "tapping" }],
    agentVersion: "1.0.0",
    features: [...AGENT_FEATURES],
    stopped: ["R58M"],
    mark,
  },
  pull: { type: "pull", devices: [{ id: "R58M", room: 2 }] },
  leaseAck: { type: "leaseAck", token, journalCounter: 3 },
  report: {
    type: "report",
    seq: 1,
    journalCounter: 4,
    items: [{
      token,
      campaign,
      phone,
      attempt: 1,
      outcome: "void",
      temporary: true,
      reason: "device_offline",
      account,
      tappedAt: at,
      edgeAt: at,
    }],
    asks: [{ id: "R58M", room: 2 }],
  },
  heartbeat: { type: "heartbeat", journalCounter: 4, at },
  inventory: {
    type: "inventory",
    devices: [{
      device: "R58M",
      address: "usb:1",
      model: "SM-A145F",
      androidVersion: "14",
      state: "low_storage",
      batteryPercent: 82,
      proofAt: at,
      addresses: ["usb:1", "192.0.2.7:5555"],
      stateDetail: "insufficient storage",
      stopped: false,
    }],
    accounts: [{
      account,
      state: "ok",
      appVersion: "2.26.1",
      firstInstalledAt: 0,
      userKind: "work",
      captions: true,
      ownNumber: "+972541234567",
    }],
  },
  outcomes: {
    type: "outcomes",
    generation,
    items: [{ campaign, phone, token, attempt: 1, outcome: "tapping", account, at, edgeAt: at }],
    last: true,
  },
  commandResult: { type: "commandResult", id: 5, ok: false, detail: 'Cannot reach device "R58M"' },
  erased: { type: "erased", items: [{ id: 5, removed: 2 }] },
  inbound: {
    type: "inbound",
    items: [{ id: token, phone, account, decision: "remove", excerpt: "הסר", at }],
  },
  stillPart: { type: "stillPart", id: 3, at: 0, size: 5, data: "iVBORw0=" },
  noStill: { type: "noStill", id: 3, why: "busy" },
  drain: { type: "drain" },
};

const edgeFrames: OneOfEach<EdgeFrame> = {
  welcome: {
    type: "welcome",
    epoch: 2,
    generation,
    serverTime: at,
    settings: DEFAULT_SETTINGS,
    features: [...EDGE_FEATURES],
    takesReplies: true,
    leasesWithReports: true,
  },
  helloAck: { type: "helloAck", epoch: 2, drop: [{ token, phones: [phone] }], stopped: ["R58M"], mark },
  lease,
  go: { type: "go", token, items: [{ phone, validMs: 600_000 }], serverTime: at, mark },
  reportAck: { type: "reportAck", seq: 1, items: [{ token, phone, result: "applied" }], lease, mark },
  recall: { type: "recall", items: [{ token, phones: [phone] }] },
  outcomesAck: { type: "outcomesAck", generation, last: true },
  inboundAck: { type: "inboundAck", ids: [token] },
  superseded: { type: "superseded", epoch: 3 },
  settings: { type: "settings", settings: DEFAULT_SETTINGS },
  command: { type: "command", id: 5, kind: "identify", device: "R58M" },
  workWaiting: { type: "workWaiting" },
  still: { type: "still", id: 3, device: "R58M", at: 49_152 },
  stillOver: { type: "stillOver", id: 3 },
  erase: { type: "erase", items: [{ id: 5, key: hash, hash }], mark },
  heartbeatAck: { type: "heartbeatAck", serverTime: at, mark },
};

export const AGENT_FRAMES: readonly AgentFrame[] = Object.values(agentFrames);
export const EDGE_FRAMES: readonly EdgeFrame[] = Object.values(edgeFrames);
