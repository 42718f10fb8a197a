/** An edge for tests. It speaks the real frames on a real socket, and keeps the lease rules in memory. */
import { importJWK, jwtVerify } from "jose";
import {
  AGENT_SUBPROTOCOL,
  AGENT_TOKEN_AUDIENCE,
  type AgentFrame,
  type AgentFrameOf,
  agentFrameSchema,
  type DatabaseMark,
  type EdgeFrame,
  type EdgeFrameOf,
  enrollRequestSchema,
  type ReportItem,
} from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { EDGE_FEATURES } from "shared/features.ts";
import { DEFAULT_SETTINGS, type Settings } from "shared/settings.ts";
import type { LeaseFrame } from "../journal/journal.ts";
import { freePort, whenFree } from "./free_port.ts";

export interface FakeDelivery {
  campaign: number;
  phone: string;
  text: string;
  /** True = the text is sent with the delivery itself. */
  isPersonal: boolean;
  image: string | null;
  state: "queued" | "leased" | ReportItem["outcome"];
  token: string | null;
  isAcked: boolean;
  attempt: number;
  reports: ReportItem[];
}

type Welcome = EdgeFrameOf<"welcome">;

export interface FakeEdgeOptions {
  settings?: Partial<Settings>;
  /** @default {Date.now} */
  now?: () => number;
  /** Milliseconds by which the edge's clock is ahead of that. */
  clockAheadMs?: number;
  images?: Map<string, Uint8Array<ArrayBuffer>>;
  /** False = an untapped delivery is not queued again, and ends as void. */
  queuesAgain?: boolean;
  /** False = the frame is lost on the way to the agent. */
  lets?: (frame: EdgeFrame) => boolean;
  /** False = the frame of the agent is lost on the way to the edge. */
  receives?: (frame: AgentFrame) => boolean;
  /** The features in its `welcome`. @default {features: EDGE_FEATURES} */
  can?: Partial<Pick<Welcome, "features" | "takesReplies" | "leasesWithReports">>;
  /** The subprotocol it takes instead of this build's. */
  subprotocol?: string;
}

export const JOIN_TOKEN = "join-token-of-the-test";

export class FakeEdge {
  readonly deliveries = new Map<string, FakeDelivery>();
  readonly received: AgentFrame[] = [];
  readonly refusals: string[] = [];
  generation = "first";
  /** Sent with every answer to a heartbeat. */
  mark: DatabaseMark | undefined;
  /** Phones that it wants stopped. Null = as an edge of the previous release, which sends no such list. */
  stopped: string[] | null = null;
  #options: FakeEdgeOptions;
  readonly #closing = new AbortController();
  #server: Deno.HttpServer<Deno.NetAddr>;
  #publicKey: string | null = null;
  #epoch = 0;
  #port = 0;
  #socket: WebSocket | null = null;
  #waiting: { test: () => boolean; done: () => void }[] = [];

  constructor(options: FakeEdgeOptions = {}, port = freePort()) {
    this.#options = options;
    const at = { port, hostname: "127.0.0.1", signal: this.#closing.signal, onListen() {} };
    this.#server = whenFree(() => Deno.serve(at, (request) => this.#handle(request)));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /**
   * Queues one campaign's deliveries, with one text or a text for each, and returns them. The account of each lease is
   * the first of the pulled device.
   */
  queue(
    campaign: number,
    message: { text: string | ((phone: string) => string); image?: string },
    phones: string[],
  ): FakeDelivery[] {
    const { text } = message;
    const queued = phones.map((phone): FakeDelivery => ({
      campaign,
      phone,
      text: typeof text === "string" ? text : text(phone),
      isPersonal: typeof text !== "string",
      image: message.image ?? null,
      state: "queued",
      token: null,
      isAcked: false,
      attempt: 0,
      reports: [],
    }));
    for (const delivery of queued) this.deliveries.set(delivery.phone, delivery);
    this.send({ type: "workWaiting" });
    return queued;
  }

  /** Sends a frame on the present connection. */
  send(frame: EdgeFrame): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (this.#options.lets?.(frame) === false) return;
    this.#socket.send(encodeFrame(frame));
  }

  /** Sends bytes, valid or not. */
  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket?.send(bytes);
  }

  recall(phones: string[]): void {
    for (const phone of phones) {
      const token = this.deliveries.get(phone)?.token;
      if (token) this.send({ type: "recall", items: [{ token, phones: [phone] }] });
    }
  }

  /** Ends the present connection as a broken network does. */
  cut(): void {
    this.#socket?.close();
  }

  states(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state } of this.deliveries.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** Resolves when the test first holds. Runs the test after every frame received. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((done) => this.#waiting.push({ test, done }));
  }

  untilReceived<T extends AgentFrame["type"]>(type: T): Promise<void> {
    return this.until(() => this.received.some((frame) => frame.type === type));
  }

  /** Goes away: nothing listens on its port. */
  async leave(): Promise<void> {
    this.#port = this.#server.addr.port;
    await this.close();
  }

  /** Starts the same edge with its rows on the same port, after `leave()`. */
  comeBack(): FakeEdge {
    const edge = new FakeEdge(this.#options, this.#port);
    edge.#publicKey = this.#publicKey;
    edge.#epoch = this.#epoch;
    for (const [phone, delivery] of this.deliveries) edge.deliveries.set(phone, delivery);
    return edge;
  }

  async close(): Promise<void> {
    this.#socket?.close();
    // A site that ended in the middle of its upgrade would keep a server that waits for it from ending.
    this.#closing.abort();
    await this.#server.finished;
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/readyz") return new Response("ok");
    if (pathname === "/api/agent/enroll") return this.#enroll(await request.json());
    const refusal = await this.#refusal(request.headers.get("authorization"));
    if (refusal) {
      this.refusals.push(refusal);
      const body = { error: refusal, code: "agent_not_authorized", serverTime: this.#now() };
      return Response.json(body, { status: 401 });
    }
    const image = pathname.startsWith("/agent/images/") && this.#options.images?.get(pathname.slice(14));
    if (image) return new Response(image);
    if (pathname !== "/agent/ws") return new Response(null, { status: 404 });
    const { subprotocol = AGENT_SUBPROTOCOL } = this.#options;
    const offered = (request.headers.get("sec-websocket-protocol") ?? "").split(",").map((one) => one.trim());
    if (!offered.includes(subprotocol)) {
      return Response.json({}, { status: 426, headers: { "sec-websocket-protocol": subprotocol } });
    }
    const { socket, response } = Deno.upgradeWebSocket(request, { protocol: subprotocol });
    this.#serve(socket);
    return response;
  }

  #enroll(body: unknown): Response {
    const { joinToken, publicKey } = enrollRequestSchema.parse(body);
    if (joinToken !== JOIN_TOKEN || (this.#publicKey ?? publicKey) !== publicKey) {
      return Response.json({ error: "קוד ההצטרפות אינו תקף.", code: "join_token_invalid" }, { status: 409 });
    }
    this.#publicKey = publicKey;
    return Response.json({ siteId: 7, siteName: "test", serverTime: this.#now() });
  }

  async #refusal(authorization: string | null): Promise<string | null> {
    const token = authorization?.replace(/^Bearer /, "");
    if (!token || !this.#publicKey) return "no token";
    try {
      const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: this.#publicKey }, "EdDSA");
      await jwtVerify(token, key, {
        algorithms: ["EdDSA"],
        audience: AGENT_TOKEN_AUDIENCE,
        subject: "7",
        requiredClaims: ["jti", "iat", "exp"],
        maxTokenAge: 300,
        currentDate: new Date(this.#now()),
      });
      return null;
    } catch (error) {
      return String(error);
    }
  }

  #serve(socket: WebSocket): void {
    const epoch = ++this.#epoch;
    let isGreeted = false;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#socket?.close();
      this.#socket = socket;
      const settings = { ...DEFAULT_SETTINGS, ...this.#options.settings };
      const { can = { features: [...EDGE_FEATURES] } } = this.#options;
      const { generation } = this;
      const serverTime = this.#now();
      const flags = { takesReplies: false, leasesWithReports: false };
      this.send({ type: "welcome", epoch, generation, serverTime, settings, ...flags, ...can });
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      const frame = decodeFrame(new Uint8Array(event.data), agentFrameSchema);
      if (this.#options.receives?.(frame) === false) return;
      this.received.push(frame);
      if (frame.type === "hello") isGreeted = frame.epoch === epoch;
      if (isGreeted) this.#answer(frame, epoch);
      this.#waiting = this.#waiting.filter(({ test, done }) => !test() || done());
    };
  }

  #answer(frame: AgentFrame, epoch: number): void {
    switch (frame.type) {
      case "hello":
        return this.#greet(frame, epoch);
      case "pull":
        return this.#leases(frame.devices).forEach((lease) => this.send(lease));
      case "leaseAck": {
        const rows = this.#rowsOf(frame.token).filter((row) => row.state === "leased");
        for (const row of rows) row.isAcked = true;
        const items = rows.map(({ phone }) => ({ phone, validMs: 600_000 }));
        return this.send({ type: "go", token: frame.token, items });
      }
      case "report": {
        for (const item of frame.items) this.#take(item);
        const [lease, ...others] = this.#leases(frame.asks ?? []);
        this.send({
          type: "reportAck",
          seq: frame.seq,
          items: frame.items.map(({ token, phone }) => ({ token, phone, result: "applied" })),
          lease,
        });
        return others.forEach((other) => this.send(other));
      }
      case "outcomes":
        return this.send({ type: "outcomesAck", generation: frame.generation, last: frame.last });
      case "inbound":
        return this.send({ type: "inboundAck", ids: frame.items.map(({ id }) => id) });
      case "heartbeat":
        return this.send({ type: "heartbeatAck", serverTime: this.#now(), mark: this.mark });
    }
  }

  #greet({ open }: AgentFrameOf<"hello">, epoch: number): void {
    const listed = new Set(open.map(({ token, phone }) => `${token}/${phone}`));
    for (const row of this.deliveries.values()) {
      if (row.state !== "leased") continue;
      if (!row.isAcked) row.state = "queued";
      else if (!listed.has(`${row.token}/${row.phone}`)) row.state = "unknown";
    }
    this.send({ type: "helloAck", epoch, drop: [], ...(this.stopped && { stopped: this.stopped }) });
  }

  /** Returns one lease for each device, while deliveries are queued. */
  #leases(devices: { id: string; room: number }[]): LeaseFrame[] {
    return devices.flatMap(({ id, room }) => {
      const queued = [...this.deliveries.values()].filter(({ state }) => state === "queued");
      const first = queued[0];
      if (!first) return [];
      const rows = queued.filter(({ campaign }) => campaign === first.campaign).slice(0, room);
      const token = crypto.randomUUID().replaceAll("-", "");
      const account = `${id}/com.whatsapp/0`;
      for (const row of rows) {
        Object.assign(row, { state: "leased", token, isAcked: false, attempt: row.attempt + 1 });
      }
      const { campaign, isPersonal, image } = first;
      const items = rows.map(({ phone, attempt, text }) => ({
        phone,
        attempt,
        account,
        ...(isPersonal && { text }),
      }));
      const text = isPersonal ? {} : { text: first.text };
      return [{ type: "lease", token, ttlMs: 60_000, campaign, ...text, image, items }];
    });
  }

  /** A temporary failure goes back to the queue at once: tests cannot wait for half an hour. */
  #take(item: ReportItem): void {
    const row = this.deliveries.get(item.phone);
    if (!row || row.token !== item.token) return;
    row.reports.push(item);
    if (row.state !== "leased") return;
    const goesOn = item.outcome === "void" && this.#options.queuesAgain !== false;
    row.state = goesOn ? "queued" : item.outcome;
  }

  #rowsOf(token: string): FakeDelivery[] {
    return [...this.deliveries.values()].filter((row) => row.token === token);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)() + (this.#options.clockAheadMs ?? 0);
  }
}
