/**
 * One delivery, two sites and a client, for the table of messages × rows. `ROWS` brings the delivery to a state with
 * the real functions. `MESSAGES` sends one message about it; frames go through the agents' own door.
 */
import type { EdgeFrame, Outcome } from "shared/agent_protocol.ts";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { LEASE_TTL_MS, SILENCE_LIMIT_MS } from "shared/lease.ts";
import { connectSite } from "../sites/connect.ts";
import { type HandledFrame, handleFrame } from "../sites/handle_frame.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { HttpError } from "../http/http_error.ts";
import { cancelCampaign } from "../queue/cancel.ts";
import { clearQueues } from "../queue/clear_queues.ts";
import { SupersededError } from "../queue/fence.ts";
import type { HelloFrame } from "../sites/hello.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { suppressPhone } from "./suppress_phone.ts";
import { runDueTicks } from "../queue/ticks.ts";
import { type Fleet, openFleet, outcomesOf, type TestSite } from "./fleet.ts";
import { balanceOf, openRows, sendNew, type SentCampaign } from "./queue_acts.ts";

type Attempt = "own" | "earlier";

export class World implements AsyncDisposable {
  /** The lease of each attempt, and its site. */
  readonly attempts: { site: TestSite; lease: LeaseFrame }[] = [];

  private constructor(
    readonly fleet: Fleet,
    readonly campaign: SentCampaign,
    readonly sites: TestSite[],
  ) {}

  /** @param keptRunning true = another contact, whose time has not come, keeps the campaign from ending */
  static async open(keptRunning: boolean): Promise<World> {
    const fleet = await openFleet();
    const campaign = await sendNew(fleet, keptRunning ? 2 : 1);
    await fleet.ctx.db.execute("UPDATE deliveries SET not_before = 9000000000000 WHERE id > 1");
    return new World(fleet, campaign, [await fleet.addSite(), await fleet.addSite()]);
  }

  get owner() {
    return { client: this.campaign.client.id, person: this.campaign.client.id, role: "client" as const };
  }

  get phone(): string {
    return this.campaign.phones[0]!;
  }

  /** Returns the row, the client's balance, the day's room and the outbox as they are now. */
  async look() {
    const row = await this.fleet.one(
      "SELECT state, by, acked_at, not_before, reason FROM deliveries WHERE id = 1",
    );
    const sums = await this.fleet.one(`SELECT (SELECT coalesce(sum(used), 0) FROM account_days) AS used,
      (SELECT count(*) FROM events WHERE type = 'recall') AS recalls,
      (SELECT count(*) FROM events WHERE type = 'alert') AS alerts`);
    const isOffered = row.state === "leased" && row.acked_at === null;
    return {
      row: `${isOffered ? "offered" : row.state} by ${row.by}`,
      notBefore: Number(row.not_before),
      balance: await balanceOf(this.fleet, this.campaign.client),
      used: Number(sums.used),
      recalls: Number(sums.recalls),
      alerts: Number(sums.alerts),
    };
  }

  send(site: TestSite, frame: HandledFrame): Promise<EdgeFrame | null> {
    return handleFrame(this.fleet.ctx, { site: site.site, epoch: site.epoch }, frame);
  }

  /** Offers the next attempt to the next site; returns null when nothing is due. */
  async pull(): Promise<LeaseFrame | null> {
    const site = this.sites[this.attempts.length % 2]!;
    const frame = await this.send(site, { type: "pull", devices: [{ id: site.devices[0]!, room: 1 }] });
    if (frame?.type !== "lease") return null;
    this.attempts.push({ site, lease: frame });
    return frame;
  }

  /** Returns the phones that `go` names. */
  async acknowledge(): Promise<string[]> {
    const { site, lease } = this.attempt("own");
    const frame = await this.send(site, { type: "leaseAck", token: lease.token, journalCounter: 1_000_000 });
    if (frame?.type !== "go") throw new Error(`Cannot acknowledge: heard ${frame?.type}`);
    return frame.items.map((item) => item.phone);
  }

  async take(): Promise<void> {
    if (await this.pull() === null) throw new Error("Cannot take the delivery: it is not due");
    await this.acknowledge();
  }

  async report(outcome: Outcome, of: Attempt = "own", temporary = false): Promise<string> {
    const { site, lease } = this.attempt(of);
    return await this.reportAs(site, lease, outcome, temporary);
  }

  async reportAs(site: TestSite, lease: LeaseFrame, outcome: Outcome, temporary = false): Promise<string> {
    const items = outcomesOf(lease, outcome, { temporary });
    const frame = await this.send(site, { type: "report", seq: 1, journalCounter: 1_000_000, items });
    if (frame?.type !== "reportAck") throw new Error(`Cannot report: heard ${frame?.type}`);
    return frame.items[0]!.result;
  }

  /** Connects the site of the own attempt again; returns the rows that it must give up. */
  async hello(hello: Partial<HelloFrame>): Promise<string> {
    const { drop } = await this.fleet.reconnect(this.attempt("own").site, hello);
    return drop.length > 0 ? "drop" : "keep";
  }

  listed() {
    return openRows(this.attempt("own").lease);
  }

  async resolve(as: "sent" | "failed" | "resend"): Promise<string | undefined> {
    return await refusal(resolveDeliveries(this.fleet.ctx, this.owner, this.campaign.id, { ids: [1], as }));
  }

  /** Lets `ms` pass and runs the background tasks. */
  async wait(ms: number): Promise<void> {
    this.fleet.pass(ms);
    await runDueTicks(this.fleet.ctx);
  }

  suppress(): Promise<unknown> {
    return suppressPhone(this.fleet.ctx, { phone: this.phone, client: this.owner.client, source: "test" });
  }

  /** Suppresses the number without notifying anybody yet. */
  suppressUnseen(): Promise<unknown> {
    return this.fleet.ctx.db.execute(
      `INSERT INTO suppressions (client, phone, source, at) SELECT 0, phone, 'test', 0 FROM deliveries WHERE id = 1`,
    );
  }

  cancel(): Promise<unknown> {
    return cancelCampaign(this.fleet.ctx, this.owner, this.campaign.id);
  }

  attempt(of: Attempt): { site: TestSite; lease: LeaseFrame } {
    const found = this.attempts.at(of === "own" ? -1 : 0);
    if (found === undefined) throw new Error("Cannot name an attempt: the delivery was never leased");
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
  }
}

/** State of a delivery before the message. `resent` rows abandoned an attempt whose site was silent for a day. */
export const ROWS = {
  "queued": async () => {},
  "queued, suppressed": (w) => w.suppressUnseen(),
  "offered": (w) => w.pull(),
  "offered, suppressed since": async (w) => {
    await w.pull();
    await w.suppressUnseen();
  },
  "offer run out": async (w) => {
    await w.pull();
    await w.wait(LEASE_TTL_MS + 1);
  },
  "acked": (w) => w.take(),
  "acked, three tries over": async (w) => {
    for (const delayMs of RETRY_DELAYS_MS) {
      await w.take();
      await w.report("void", "own", true);
      w.fleet.pass(delayMs);
    }
    await w.take();
  },
  "void": async (w) => {
    await w.take();
    await w.report("void");
  },
  "void, to be retried": async (w) => {
    await w.take();
    await w.report("void", "own", true);
  },
  "void, then suppressed": async (w) => {
    await ROWS["void"](w);
    await w.suppress();
  },
  "void, then cancelled": async (w) => {
    await ROWS["void"](w);
    await w.cancel();
    await w.wait(5_000);
  },
  "sent by 1": async (w) => {
    await w.take();
    await w.report("sent");
  },
  "failed by 1": async (w) => {
    await w.take();
    await w.report("failed");
  },
  "unknown by 1": async (w) => {
    await w.take();
    await w.report("unknown");
  },
  "unknown by 3": async (w) => {
    await w.take();
    await w.wait(SILENCE_LIMIT_MS + 1);
  },
  "unknown by 4": async (w) => {
    await w.take();
    await w.hello({ open: [] });
  },
  "unknown by 6": async (w) => {
    await w.take();
    await w.hello({ open: w.listed(), counterAtOpen: 1 });
  },
  "unknown by 3, void in an ended campaign": async (w) => {
    await ROWS["unknown by 3"](w);
    await w.report("void");
  },
  "sent by 2": async (w) => {
    await ROWS["unknown by 3"](w);
    await w.resolve("sent");
  },
  "failed by 2": async (w) => {
    await ROWS["unknown by 3"](w);
    await w.resolve("failed");
  },
  "resent": async (w) => {
    await ROWS["unknown by 3"](w);
    await w.resolve("resend");
  },
  "resent, suppressed": async (w) => {
    await ROWS["resent"](w);
    await w.suppressUnseen();
  },
  "resent, offered": async (w) => {
    await ROWS["resent"](w);
    await w.pull();
  },
  "resent, earlier one known sent": async (w) => {
    await ROWS["resent"](w);
    await w.report("sent", "earlier");
  },
  "resent, earlier one known untapped": async (w) => {
    await ROWS["resent"](w);
    await w.report("void", "earlier");
  },
  "resent, offered, earlier one known sent": async (w) => {
    await ROWS["resent, offered"](w);
    await w.report("sent", "earlier");
  },
  "resent, acked": async (w) => {
    await ROWS["resent"](w);
    await w.take();
  },
  "resent, acked, earlier one known untapped": async (w) => {
    await ROWS["resent, acked"](w);
    await w.report("void", "earlier");
  },
  "resent, acked, earlier one known sent": async (w) => {
    await ROWS["resent, acked"](w);
    await w.report("sent", "earlier");
  },
  "resent, sent": async (w) => {
    await ROWS["resent, acked"](w);
    await w.report("sent");
  },
  "unknown by 5": async (w) => {
    await ROWS["resent, acked"](w);
    await w.report("failed");
  },
  "unknown by 5, then failed by 2": async (w) => {
    await ROWS["unknown by 5"](w);
    await w.resolve("failed");
  },
  "unknown by 6, resent": async (w) => {
    await ROWS["unknown by 6"](w);
    await w.resolve("resend");
  },
  "unknown by 6, resent, failed": async (w) => {
    await ROWS["unknown by 6, resent"](w);
    await w.take();
    await w.report("failed");
  },
  "unknown by 3, resent, then its journal doubted": async (w) => {
    await ROWS["resent"](w);
    await w.hello({ open: w.listed(), counterAtOpen: 1 });
  },
} satisfies Record<string, (world: World) => Promise<unknown>>;
export type RowName = keyof typeof ROWS;

/** Messages about the row; each returns its answer, if there is one. */
export const MESSAGES = {
  "pull": async (w) => await w.pull() === null ? "nothing" : "lease",
  "leaseAck": async (w) => (await w.acknowledge()).includes(w.phone) ? "go" : "go without it",
  "leaseAck by another site": async (w) => {
    const { lease } = w.attempt("own");
    const [other] = w.sites.filter((site) => site !== w.attempt("own").site);
    const go = await w.send(other!, { type: "leaseAck", token: lease.token, journalCounter: 1_000_000 });
    return go?.type === "go" && go.items.length > 0 ? "go" : "go without it";
  },
  "hello that lists it": (w) => w.hello({ open: w.listed() }),
  "hello that does not list it": (w) => w.hello({ open: [] }),
  "hello of an older connection": async (w) => {
    const { site } = w.attempt("own");
    const { epoch = 0 } = await connectSite(w.fleet.ctx, site.site) ?? {};
    await connectSite(w.fleet.ctx, site.site);
    const hello = w.send({ ...site, epoch }, {
      type: "hello",
      epoch,
      journalId: "a".repeat(32),
      counterAtOpen: 0,
      journalCounter: 0,
      open: [],
      agentVersion: "test",
    });
    return await refusal(hello);
  },
  "hello without features that lists it": (w) => w.hello({ open: w.listed(), features: undefined }),
  "hello without features that does not list it": (w) => w.hello({ open: [], features: undefined }),
  "hello with a counter that fell": (w) => w.hello({ open: w.listed(), counterAtOpen: 1 }),
  "hello of a foreign journal": (w) => w.hello({ open: w.listed(), journalId: "f".repeat(32) }),
  "report sent": (w) => w.report("sent"),
  "report failed": (w) => w.report("failed"),
  "report unknown": (w) => w.report("unknown"),
  "report void": (w) => w.report("void"),
  "report void, temporary": (w) => w.report("void", "own", true),
  "late report sent": (w) => w.report("sent", "earlier"),
  "late report failed": (w) => w.report("failed", "earlier"),
  "late report void": (w) => w.report("void", "earlier"),
  "late report unknown": (w) => w.report("unknown", "earlier"),
  "report sent by another site": async (w) => {
    const { site, lease } = w.attempt("own");
    return await w.reportAs(w.sites.find((one) => one !== site)!, lease, "sent");
  },
  "late report sent by another site": async (w) => {
    const { site, lease } = w.attempt("earlier");
    return await w.reportAs(w.sites.find((one) => one !== site)!, lease, "sent");
  },
  "report sent of a token of nobody": (w) => {
    const { site, lease } = w.attempt("own");
    return w.reportAs(site, { ...lease, token: "f".repeat(32) }, "sent");
  },
  "report void of a token of nobody": (w) => {
    const { site, lease } = w.attempt("own");
    return w.reportAs(site, { ...lease, token: "f".repeat(32) }, "void");
  },
  "report of a number that is no contact": (w) => {
    const { site, lease } = w.attempt("own");
    const items = [{ ...lease.items[0]!, phone: "+972549999999" }];
    return w.reportAs(site, { ...lease, items }, "sent");
  },
  "tick after the offer's time": (w) => w.wait(LEASE_TTL_MS + 1),
  "tick after 24 h": (w) => w.wait(SILENCE_LIMIT_MS + 1),
  "tick just before 24 h": (w) => w.wait(SILENCE_LIMIT_MS),
  "cancel": (w) => w.cancel(),
  "clear": (w) => clearQueues(w.fleet.ctx, { client: 0, person: 0, role: "admin" }),
  "pause": (w) => pauseCampaign(w.fleet.ctx, w.owner, w.campaign.id),
  "suppress": (w) => w.suppress(),
  "revoke": (w) => revokeSite(w.fleet.ctx, w.attempt("own").site.site),
  "resolve sent": (w) => w.resolve("sent"),
  "resolve failed": (w) => w.resolve("failed"),
  "resolve resend": (w) => w.resolve("resend"),
} satisfies Record<string, (world: World) => Promise<unknown>>;
export type MessageName = keyof typeof MESSAGES;

/** Returns the refusal of an action, or undefined when it was done. */
async function refusal(act: Promise<unknown>): Promise<string | undefined> {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (error instanceof SupersededError) return "superseded";
    if (error instanceof HttpError) return String(error.status);
    throw error;
  }
}
