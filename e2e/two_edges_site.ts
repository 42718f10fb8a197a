/** A site whose every frame the test chooses: real sockets, a journal in memory, and phones tapped by the test. */
import assert from "node:assert/strict";
import type { AgentFrame, EdgeFrame, EdgeFrameOf, Outcome, ReportItem } from "shared/agent_protocol.ts";
import { createSite } from "../edge/sites/create_site.ts";
import { FakeAgent, FakeSite } from "../edge/testing/fake_agent.ts";
import { PATIENCE_MS } from "./wait.ts";
import type { Edge, World } from "./two_edges_world.ts";

type Lease = EdgeFrameOf<"lease">;

/** A delivery in a site's journal. */
export type Held = Pick<ReportItem, "token" | "campaign" | "phone" | "attempt" | "account"> & {
  text: string;
};

export class ScriptedSite {
  /** Taps made here, like a phone's own log. */
  readonly taps: { phone: string; text: string }[] = [];
  /** Tokens of offers that arrived on the connection that was present then. */
  readonly tokens = new Set<string>();
  #agent: FakeAgent | null = null;
  #journalCounter = 0;
  #seq = 0;

  private constructor(readonly name: string, readonly site: FakeSite) {}

  static async enroll(world: World, name: string, edge: Edge): Promise<ScriptedSite> {
    const { joinToken } = await createSite(world.ctx, name);
    return new ScriptedSite(name, await FakeSite.enroll(edge.url, joinToken, Date.now));
  }

  get id(): number {
    return this.site.siteId;
  }

  /** The present connection. */
  get agent(): FakeAgent {
    assert.ok(this.#agent, `${this.name} is connected`);
    return this.#agent;
  }

  /** Opens a new connection, sends hello with the journal's content, and reports one phone that can take three. */
  async connect(edge: Edge, open: { held?: Held[]; done?: Held[] } = {}): Promise<EdgeFrameOf<"helloAck">> {
    const agent = await this.site.at(edge.url).connect();
    this.#agent = agent;
    const rows = (held: Held[] = [], at: "held" | "done") =>
      held.map(({ token, campaign, phone, attempt }) => ({ token, campaign, phone, attempt, at }));
    agent.send({
      type: "hello",
      epoch: agent.epoch,
      journalId: `${this.id}`.padStart(32, "a"),
      counterAtOpen: null,
      journalCounter: ++this.#journalCounter,
      open: [...rows(open.held, "held"), ...rows(open.done, "done")],
      agentVersion: "scripted",
    });
    const ack = await receive(agent, "helloAck");
    agent.send(this.inventory("phone"));
    return ack;
  }

  /** Returns an inventory of one phone. */
  inventory(device: string): AgentFrame {
    return {
      type: "inventory",
      devices: [{
        device,
        address: `usb:${device}`,
        model: "Pixel",
        androidVersion: "14",
        state: "online",
        batteryPercent: 50,
        proofAt: Date.now(),
        addresses: [],
        stateDetail: null,
      }],
      accounts: [{
        account: `${device}/com.whatsapp/0`,
        state: "ok",
        appVersion: "2",
        firstInstalledAt: 0,
        userKind: null,
        captions: null,
        ownNumber: null,
      }],
    };
  }

  pull(): AgentFrame {
    return { type: "pull", devices: [{ id: "phone", room: 3 }] };
  }

  /** Pulls until it gets an offer, and records it. */
  async offer(): Promise<Held[]> {
    const { agent } = this;
    while (true) {
      agent.send(this.pull());
      // The heartbeat is answered after the pull: no offer before its acknowledgement means none.
      agent.send({ type: "heartbeat", journalCounter: this.#journalCounter, at: Date.now() });
      const answer = await receive(agent, "lease", "heartbeatAck");
      if (answer.type === "heartbeatAck") continue;
      await receive(agent, "heartbeatAck");
      this.tokens.add(answer.token);
      this.#journalCounter++;
      return heldOf(answer);
    }
  }

  leaseAck(token: string): AgentFrame {
    return { type: "leaseAck", token, journalCounter: this.#journalCounter };
  }

  /** Confirms an offer and returns the deliveries that may be tapped. */
  async confirm(held: Held[]): Promise<Held[]> {
    const { agent } = this;
    agent.send(this.leaseAck(held[0].token));
    const go = await receive(agent, "go");
    const phones = new Set(go.items.map((item) => item.phone));
    return held.filter((one) => phones.has(one.phone));
  }

  tap(held: Held[]): void {
    for (const { phone, text } of held) this.taps.push({ phone, text });
  }

  report(held: Held[], outcome: Outcome, more: Partial<ReportItem> = {}): AgentFrame {
    return {
      type: "report",
      seq: ++this.#seq,
      journalCounter: ++this.#journalCounter,
      items: held.map(({ text: _, ...item }) => ({
        ...item,
        outcome,
        temporary: false,
        reason: outcome === "sent" ? null : outcome === "void" ? "device_offline" : "not_on_app",
        tappedAt: outcome === "sent" ? Date.now() : null,
        ...more,
      })),
    };
  }

  /** Reports and returns the results, in order. */
  async reportHeld(held: Held[], outcome: Outcome): Promise<string[]> {
    const { agent } = this;
    agent.send(this.report(held, outcome));
    return (await receive(agent, "reportAck")).items.map((item) => item.result);
  }

  async close(): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
  }
}

/** Returns the next frame of these types; skips others (work is waiting, settings). */
export async function receive<Type extends EdgeFrame["type"]>(
  agent: FakeAgent,
  ...types: Type[]
): Promise<EdgeFrameOf<Type>> {
  const timer = setTimeout(() => agent.socket.close(), PATIENCE_MS);
  try {
    while (true) {
      const frame = await agent.read();
      assert.ok(frame, `a ${types.join(" or ")} comes before the end`);
      if ((types as string[]).includes(frame.type)) return frame as EdgeFrameOf<Type>;
    }
  } finally {
    clearTimeout(timer);
  }
}

function heldOf({ token, campaign, text, items }: Lease): Held[] {
  return items.map(({ phone, attempt, account, text: own }) => ({
    token,
    campaign,
    phone,
    attempt,
    account,
    text: own ?? text!,
  }));
}
