/** The agent's end of the agents' door: a real socket that sends frames chosen by a test. */
import { SignJWT } from "jose";
import {
  AGENT_SUBPROTOCOL,
  AGENT_TOKEN_AUDIENCE,
  type AgentFrame,
  type AgentFrameOf,
  type DatabaseMark,
  type EdgeFrame,
  edgeFrameSchema,
  type enrollResponseSchema,
} from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { AGENT_FEATURES } from "shared/features.ts";
import type { z } from "zod";
import { makeKey } from "./fleet.ts";

export interface Claims {
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  jti: string;
}

/** Returns a site's report about working phones, with one account each. */
export function inventoryOf(...devices: string[]): AgentFrameOf<"inventory"> {
  return {
    type: "inventory",
    devices: devices.map((device) => ({
      device,
      address: "usb:1",
      model: "Pixel",
      androidVersion: "14",
      state: "online",
      batteryPercent: 50,
      proofAt: 1,
      addresses: [],
      stateDetail: null,
    })),
    accounts: devices.map((device) => ({
      account: `${device}/com.whatsapp/0`,
      state: "ok",
      appVersion: "2.26",
      firstInstalledAt: 0,
      userKind: null,
      captions: null,
      ownNumber: null,
    })),
  };
}

/** A key, and the site enrolled with it. */
export class FakeSite {
  /** @param now the clock for signing tokens, in milliseconds */
  private constructor(
    readonly origin: string,
    readonly siteId: number,
    readonly key: CryptoKey,
    readonly now: () => number,
  ) {}

  /** Spends a join token at POST /api/agent/enroll. */
  static async enroll(origin: string, joinToken: string, now: () => number): Promise<FakeSite> {
    const { publicKey, privateKey } = await makeKey();
    const response = await fetch(`${origin}/api/agent/enroll`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ joinToken, publicKey }),
    });
    if (!response.ok) throw new Error(`Cannot enrol: ${response.status} ${await response.text()}`);
    const body: z.infer<typeof enrollResponseSchema> = await response.json();
    return new FakeSite(origin, body.siteId, privateKey, now);
  }

  /** Returns the same site, connecting to another edge. */
  at(origin: string): FakeSite {
    return new FakeSite(origin, this.siteId, this.key, this.now);
  }

  /** Returns a token for one request; `claims` replaces its claims, `alg` its algorithm field. */
  sign(claims: Partial<Claims> = {}, alg = "EdDSA"): Promise<string> {
    const seconds = Math.floor(this.now() / 1000);
    const all: Claims = {
      sub: String(this.siteId),
      aud: AGENT_TOKEN_AUDIENCE,
      iat: seconds,
      exp: seconds + 60,
      jti: crypto.randomUUID(),
      ...claims,
    };
    return new SignJWT({ ...all }).setProtectedHeader({ alg }).sign(this.key);
  }

  /** Opens the socket and reads `welcome`. */
  async connect(): Promise<FakeAgent> {
    const agent = new FakeAgent(this, await this.sign());
    const welcome = await agent.read();
    if (welcome?.type !== "welcome") throw new Error(`Cannot connect: heard ${JSON.stringify(welcome)}`);
    agent.epoch = welcome.epoch;
    agent.generation = welcome.generation;
    return agent;
  }

  /** Connects and sends hello. */
  async ready(): Promise<FakeAgent> {
    const agent = await this.connect();
    agent.hello();
    const ack = await agent.read();
    if (ack?.type !== "helloAck") throw new Error(`Cannot say hello: heard ${JSON.stringify(ack)}`);
    return agent;
  }
}

/** One connection of a site. */
export class FakeAgent implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly closed: Promise<CloseEvent>;
  epoch = -1;
  generation = "";
  readonly #frames: EdgeFrame[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(site: FakeSite, token: string, protocols: readonly string[] = [AGENT_SUBPROTOCOL]) {
    const url = `${site.origin.replace("http", "ws")}/agent/ws`;
    // Deno's constructor takes headers beside the subprotocols; the DOM's type, used here, does not know them.
    const Socket = WebSocket as unknown as new (
      url: string,
      options: { protocols: readonly string[]; headers: Record<string, string> },
    ) => WebSocket;
    this.socket = new Socket(url, { protocols, headers: { authorization: `Bearer ${token}` } });
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => {
      this.#frames.push(decodeFrame(new Uint8Array(data), edgeFrameSchema));
      this.#arrived.resolve();
    };
    const closed = Promise.withResolvers<CloseEvent>();
    this.closed = closed.promise;
    this.socket.onclose = (event) => {
      closed.resolve(event);
      this.#arrived.resolve();
    };
  }

  /** Returns the next frame, or null when the socket closed before one arrived. */
  async read(): Promise<EdgeFrame | null> {
    while (this.#frames.length === 0) {
      if (this.socket.readyState === WebSocket.CLOSED) return null;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    return this.#frames.shift() ?? null;
  }

  send(frame: AgentFrame): void {
    this.socket.send(encodeFrame(frame));
  }

  /** Sends the frame and returns the next one received. */
  ask(frame: AgentFrame): Promise<EdgeFrame | null> {
    this.send(frame);
    return this.read();
  }

  /** Sends hello; without `stopped`, as an agent of the previous release does. */
  hello(
    open: AgentFrameOf<"hello">["open"] = [],
    stopped?: string[],
    mark?: DatabaseMark,
  ): void {
    this.send({
      type: "hello",
      epoch: this.epoch,
      journalId: "a".repeat(32),
      counterAtOpen: 0,
      journalCounter: 0,
      open,
      agentVersion: "test",
      ...(stopped && { features: [...AGENT_FEATURES], stopped }),
      mark,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
