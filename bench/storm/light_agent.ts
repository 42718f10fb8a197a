/** A site with one phone that only keeps the protocol: no disk, no adb, every tap succeeds. */
import { SignJWT } from "jose";
import {
  AGENT_SUBPROTOCOL,
  AGENT_TOKEN_AUDIENCE,
  type AgentFrame,
  type EdgeFrame,
  edgeFrameSchema,
} from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { HEARTBEAT_MS, PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { backoffMs } from "../../agent/time/backoff.ts";
import type { LeaseFrame } from "../../agent/journal/journal.ts";
import type { StormSite } from "./world.ts";

export interface LightAgentOptions {
  edgeUrl: string;
  /** Interval between two messages of its phone. */
  sendEveryMs: number;
  /** Called when a report of this campaign's delivery is sent. */
  onReport(campaign: number): void;
  onHello(): void;
  /** Called on the first lease of a connection. */
  onFirstLease(): void;
}

interface Row {
  token: string;
  campaign: number;
  phone: string;
  attempt: number;
  account: string;
  at: "leased" | "go" | "done" | "void";
}

/** Same intervals as agent/site/lease_loop.ts, agent/site/inventory_loop.ts and agent/site/report_loop.ts. */
const ASK_AGAIN_MS = 5_000;
const BETWEEN_PULLS_MS = 50;
const INVENTORY_MS = 10_000;
const REPORT_AGAIN_MS = 5_000;
const GOOD_CONNECTION_MS = 10_000;

export class LightAgent {
  readonly #rows = new Map<string, Row>();
  readonly #device: string;
  #socket: WebSocket | null = null;
  #epoch = -1;
  #generation = "";
  #answeredGeneration = "";
  #isReady = false;
  #hasLeased = false;
  #counter = 0;
  #seq = 0;
  #askAgainAt = 0;
  #askedAt = 0;
  #reportAgainAt = 0;
  #beatAt = 0;
  #inventoryAt = 0;
  #sendAt: number;

  constructor(private readonly site: StormSite, private readonly options: LightAgentOptions) {
    this.#device = `S${site.id}`;
    // Random start: phones of a thousand sites are not synchronised.
    this.#sendAt = performance.now() + Math.random() * options.sendEveryMs;
  }

  /** Stays connected until the process ends. */
  async run(): Promise<never> {
    const key = await crypto.subtle.importKey("jwk", this.site.key, "Ed25519", false, ["sign"]);
    for (let tries = 0;; tries++) {
      const beganAt = performance.now();
      await this.#connectOnce(key);
      if (performance.now() - beganAt >= GOOD_CONNECTION_MS) tries = 0;
      await new Promise((done) => setTimeout(done, backoffMs(tries, Math.random)));
    }
  }

  /** Does the work that is due; call it a few times a second. */
  turn(): void {
    if (!this.#isReady) return;
    const now = performance.now();
    const inHand = [...this.#rows.values()].find(({ at }) => at === "go");
    if (inHand && now >= this.#sendAt) {
      inHand.at = "done";
      this.#counter++;
      this.#sendAt = Math.max(this.#sendAt + this.options.sendEveryMs, now);
      this.options.onReport(inHand.campaign);
      this.#report([inHand]);
    } else if (now >= this.#reportAgainAt) {
      this.#report([...this.#rows.values()].filter(({ at }) => at === "done" || at === "void"));
    }
    const room = PREFETCH_PER_DEVICE + 1 - this.#rows.size;
    if (room > 0 && now >= this.#askAgainAt && now >= this.#askedAt + BETWEEN_PULLS_MS) {
      this.#askedAt = now;
      this.#askAgainAt = now + ASK_AGAIN_MS * (1 + Math.random());
      this.#send({ type: "pull", devices: [{ id: this.#device, room }] });
    }
    if (now >= this.#beatAt) {
      this.#beatAt = now + HEARTBEAT_MS;
      this.#send({ type: "heartbeat", journalCounter: this.#counter, at: Date.now() });
    }
    if (now >= this.#inventoryAt) {
      this.#inventoryAt = now + INVENTORY_MS;
      this.#send(this.#inventory());
    }
  }

  async #connectOnce(key: CryptoKey): Promise<void> {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      sub: String(this.site.id),
      aud: AGENT_TOKEN_AUDIENCE,
      iat: seconds,
      exp: seconds + 60,
      jti: crypto.randomUUID(),
    };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "EdDSA" }).sign(key);
    // Deno's constructor accepts headers beside the subprotocols; the DOM types used here do not have them.
    const Socket = WebSocket as unknown as new (
      url: string,
      options: { protocols: readonly string[]; headers: Record<string, string> },
    ) => WebSocket;
    const socket = new Socket(`${this.options.edgeUrl.replace("http", "ws")}/agent/ws`, {
      protocols: [AGENT_SUBPROTOCOL],
      headers: { authorization: `Bearer ${token}` },
    });
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    await new Promise<void>((ended) => {
      socket.onmessage = ({ data }) => this.#take(decodeFrame(new Uint8Array(data), edgeFrameSchema));
      socket.onerror = () => ended();
      socket.onclose = () => ended();
    });
    this.#isReady = false;
    for (const row of this.#rows.values()) if (row.at === "leased") row.at = "void";
  }

  #take(frame: EdgeFrame): void {
    switch (frame.type) {
      case "welcome":
        this.#epoch = frame.epoch;
        this.#generation = frame.generation;
        return this.#hello();
      case "helloAck":
        this.#isReady = true;
        this.#hasLeased = false;
        this.#askAgainAt = this.#reportAgainAt = 0;
        this.#inventoryAt = performance.now() + INVENTORY_MS;
        this.#answerGeneration();
        this.#send(this.#inventory());
        this.options.onHello();
        return this.turn();
      case "lease":
        return this.#lease(frame);
      case "go": {
        const phones = new Set(frame.items.map(({ phone }) => phone));
        for (const [key, row] of this.#rows) {
          if (row.token !== frame.token || row.at !== "leased") continue;
          if (phones.has(row.phone)) row.at = "go";
          else this.#rows.delete(key);
        }
        return;
      }
      case "reportAck":
        for (const { token, phone } of frame.items) this.#rows.delete(`${token} ${phone}`);
        if (frame.lease) this.#lease(frame.lease);
        return;
      case "workWaiting":
        this.#askAgainAt = 0;
        return this.turn();
    }
  }

  #lease({ token, campaign, items }: LeaseFrame): void {
    for (const { phone, attempt, account } of items) {
      this.#rows.set(`${token} ${phone}`, { token, campaign, phone, attempt, account, at: "leased" });
    }
    this.#counter++;
    this.#askAgainAt = 0;
    this.#send({ type: "leaseAck", token, journalCounter: this.#counter });
    if (!this.#hasLeased) this.options.onFirstLease();
    this.#hasLeased = true;
  }

  #hello(): void {
    this.#send({
      type: "hello",
      epoch: this.#epoch,
      journalId: String(this.site.id).padStart(32, "0"),
      counterAtOpen: null,
      journalCounter: this.#counter,
      open: [...this.#rows.values()].map(({ token, campaign, phone, attempt, at }) => ({
        token,
        campaign,
        phone,
        attempt,
        at: at === "go" ? "held" : "done",
      })),
      agentVersion: "bench",
    });
  }

  /** A new site has no outcomes for a restored database; the edge leases nothing until the site confirms that. */
  #answerGeneration(): void {
    if (this.#answeredGeneration === this.#generation) return;
    this.#answeredGeneration = this.#generation;
    this.#send({ type: "outcomes", generation: this.#generation, items: [], last: true });
  }

  #report(rows: Row[]): void {
    if (rows.length === 0) return;
    const now = performance.now();
    this.#reportAgainAt = now + REPORT_AGAIN_MS;
    this.#askAgainAt = now + ASK_AGAIN_MS * (1 + Math.random());
    const room = PREFETCH_PER_DEVICE + 1 - (this.#rows.size - rows.length);
    this.#send({
      type: "report",
      asks: [{ id: this.#device, room }],
      seq: ++this.#seq,
      journalCounter: this.#counter,
      items: rows.map(({ token, campaign, phone, attempt, account, at }) => ({
        token,
        campaign,
        phone,
        attempt,
        outcome: at === "void" ? "void" : "sent",
        temporary: false,
        reason: at === "void" ? "recalled" : null,
        account,
        tappedAt: at === "void" ? null : Date.now(),
      })),
    });
  }

  #inventory(): AgentFrame {
    const account = `${this.#device}/com.whatsapp/0`;
    return {
      type: "inventory",
      devices: [{
        device: this.#device,
        address: this.#device,
        model: "Pixel",
        androidVersion: "14",
        state: "online",
        batteryPercent: 80,
        proofAt: Date.now(),
        addresses: [],
        stateDetail: null,
      }],
      accounts: [{
        account,
        state: "ok",
        appVersion: "2.25.1",
        firstInstalledAt: 0,
        userKind: null,
        captions: null,
        ownNumber: null,
      }],
    };
  }

  #send(frame: AgentFrame): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encodeFrame(frame));
  }
}
