/** A model of an agent as the edge sees it: it pulls, confirms, taps, reports, and disconnects. */
import type { Outcome, ReportItem } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { acknowledgeLease } from "../../edge/queue/lease_ack.ts";
import { leaseDeliveries, type LeaseFrame } from "../../edge/queue/lease.ts";
import { reportOutcomes } from "../../edge/queue/report.ts";
import type { TestSite } from "../../edge/testing/fleet.ts";
import type { Mishap } from "./plan.ts";
import type { World } from "./world.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const JOURNAL_COUNTER = 1_000_000;

/** A delivery in the site's journal. */
interface Row {
  token: string;
  campaign: number;
  phone: string;
  attempt: number;
  account: string;
  leasedAt: number;
  /** Time of the edge's confirmation; null = only offered. */
  goAt: number | null;
  /** Deadline by the site's own clock, after the confirmation. */
  until: number;
  /** The report item, after the attempt. */
  item: ReportItem | null;
}

export class Site {
  isUp = true;
  isConnected = true;
  /** Time since which the edge cannot reach the site; null while it can. */
  awaySince: number | null = null;
  readonly #rows = new Map<string, Row>();
  /** Number of the process: an ended process never taps. */
  #life = 0;
  #isBusy = false;

  constructor(readonly world: World, readonly at: TestSite) {}

  /** Pulls work and does it; pulls again when there is none. */
  async ask(): Promise<void> {
    if (!this.isUp || !this.isConnected || this.#isBusy) return;
    this.#isBusy = true;
    const { world } = this;
    const devices = this.at.devices.map((id) => ({ id, room: 3 }));
    const lease = await leaseDeliveries(world.fleet.ctx, { ...this.#connection(), devices });
    if (lease === null) {
      this.#isBusy = false;
      return world.clock.at(world.nextAsk(), () => this.ask());
    }
    this.#journal(lease);
    world.onLease(lease);
    // Sometimes the offer expires before the site has written it to disk.
    const afterMs = world.chance(0.01) ? 65 * SECOND_MS : SECOND_MS * world.random() * 3;
    this.#later(afterMs, () => this.#acknowledge(lease.token));
  }

  /** The edge advises to return these; rows not yet tapped are returned. */
  recall(token: string, phones: readonly string[]): void {
    if (!this.isUp || !this.isConnected) return;
    for (const phone of phones) this.#giveUp(this.#rows.get(`${token} ${phone}`), "recalled");
  }

  suffer({ kind, ms }: Mishap): void {
    const { world } = this;
    if (!this.isUp || !this.isConnected) return;
    this.awaySince = world.clock.now;
    if (kind === "line") {
      this.isConnected = false;
      world.onCut([...this.#rows.values()].filter(({ item, goAt }) => item === null && goAt !== null));
      return world.clock.at(world.clock.now + ms, () => this.#reconnect());
    }
    this.isUp = false;
    this.#life++;
    this.#isBusy = false;
    this.#forgetOffers();
    if (kind === "journal") this.#rows.clear();
    world.clock.at(world.clock.now + ms, () => this.#start());
  }

  /** Reports the present phones and accounts to the edge. */
  async sendInventory(): Promise<void> {
    if (this.isUp && this.isConnected) await this.world.sendInventory(this);
  }

  /** Starts a new process on the same disk: confirmed rows without a tap are given up. */
  async #start(): Promise<void> {
    this.isUp = true;
    for (const row of this.#rows.values()) this.#giveUp(row, "agent_restarted");
    await this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    this.isConnected = true;
    this.awaySince = null;
    this.#forgetOffers();
    const open = [...this.#rows.values()].map(({ token, campaign, phone, attempt, item }) => ({
      ...{ token, campaign, phone, attempt },
      at: item === null ? "held" as const : "done" as const,
    }));
    const { drop } = await this.world.fleet.reconnect(this.at, { open, journalCounter: JOURNAL_COUNTER });
    for (const { token, phones } of drop) this.recall(token, phones);
    await this.sendInventory();
    await this.#report();
    await this.ask();
  }

  #journal({ token, campaign, items }: LeaseFrame): void {
    const leasedAt = this.world.clock.now;
    for (const item of items) {
      this.#rows.set(`${token} ${item.phone}`, {
        ...{ token, campaign, leasedAt, goAt: null, until: 0, item: null },
        ...item,
      });
    }
  }

  async #acknowledge(token: string): Promise<void> {
    if (!this.isConnected) return this.#idle();
    const { world } = this;
    const travelMs = world.random() * 2 * SECOND_MS;
    const go = await acknowledgeLease(world.fleet.ctx, {
      ...this.#connection(),
      token,
      journalCounter: JOURNAL_COUNTER,
    });
    const sentAt = world.clock.now - travelMs;
    for (const { phone, validMs } of go.items) {
      const row = this.#rows.get(`${token} ${phone}`);
      if (row) Object.assign(row, { goAt: world.clock.now, until: sentAt + validMs });
    }
    this.#forgetOffers();
    this.#work();
  }

  /** Taps phone by phone; sometimes a phone needs longer than the confirmation is valid. */
  #work(): void {
    const { world } = this;
    const endsMs = new Map<string, number>();
    for (const row of this.#rows.values()) {
      if (row.item !== null) continue;
      const device = row.account.split("/")[0]!;
      const stallMs = world.chance(0.01) ? (2 + world.random() * 12) * MINUTE_MS : 0;
      const atMs = (endsMs.get(device) ?? 0) + stallMs + (3 + world.random() * 6) * SECOND_MS;
      endsMs.set(device, atMs);
      this.#later(atMs, () => this.#attempt(row));
    }
    this.#later(Math.max(0, ...endsMs.values()) + SECOND_MS, () => this.#finish());
  }

  async #attempt(row: Row): Promise<void> {
    const { world } = this;
    await world.passRecalls();
    if (row.item !== null) return;
    const now = world.clock.now;
    if (now >= row.until) return this.#giveUp(row, "validity_over");
    const { outcome, reason, isTapped, isTemporary } = world.meet(
      row.campaign,
      row.phone,
      row.account,
      this,
    );
    if (isTapped) world.witness.note({ ...row, at: now, goAt: row.goAt!, awaySince: this.awaySince });
    this.#end(row, outcome, reason, isTemporary, isTapped ? now : null);
  }

  async #finish(): Promise<void> {
    if (this.isConnected) await this.#report();
    this.#idle();
    await this.ask();
  }

  #idle(): void {
    this.#isBusy = false;
  }

  async #report(): Promise<void> {
    const done = [...this.#rows.values()].flatMap(({ item }) => item === null ? [] : [item]);
    if (done.length === 0) return;
    const ack = await reportOutcomes(this.world.fleet.ctx, {
      ...this.#connection(),
      ...{ seq: 1, journalCounter: JOURNAL_COUNTER, items: done },
    });
    for (const { token, phone } of ack.items) this.#rows.delete(`${token} ${phone}`);
    const hasBadNews = done.some(({ outcome, attempt }) => outcome !== "sent" || attempt > 1);
    await this.world.afterReport([...new Set(done.map(({ campaign }) => campaign))], hasBadNews);
  }

  #giveUp(row: Row | undefined, reason: DeliveryReason): void {
    if (row && row.item === null && row.goAt !== null) this.#end(row, "void", reason, false, null);
  }

  #end(
    row: Row,
    outcome: Outcome,
    reason: DeliveryReason | null,
    temporary: boolean,
    tappedAt: number | null,
  ) {
    const { token, campaign, phone, attempt, account } = row;
    row.item = { token, campaign, phone, attempt, account, outcome, reason, temporary, tappedAt };
  }

  /** Drops rows without a confirmation; they belong to no site now. */
  #forgetOffers(): void {
    for (const [key, row] of this.#rows) if (row.goAt === null) this.#rows.delete(key);
  }

  #later(ms: number, act: () => void | Promise<void>): void {
    const life = this.#life;
    this.world.clock.at(this.world.clock.now + ms, () => this.#life === life ? act() : undefined);
  }

  #connection() {
    return { site: this.at.site, epoch: this.at.epoch };
  }
}
