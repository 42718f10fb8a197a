/** A site as the protocol wants it, in memory: a journal, phones that are tapped, and faults a test asks for. */
import type { Outcome, ReportItem } from "shared/agent_protocol.ts";
import { acknowledgeLease } from "../queue/lease_ack.ts";
import { leaseDeliveries } from "../queue/lease.ts";
import { reportOutcomes } from "../queue/report.ts";
import type { Fleet, TestSite } from "./fleet.ts";

interface JournalRow {
  item: Omit<ReportItem, "outcome" | "temporary" | "reason" | "tappedAt">;
  /** Until when it may be tapped; null before go. Lives in memory only. */
  validUntil: number | null;
  outcome: Outcome | null;
  temporary: boolean;
}

/** How one delivery goes on a phone; `lost_proof` was tapped, `no_proof` was not, and the site cannot tell. */
export type Fate = "sent" | "failed" | "void" | "temporary" | "lost_proof" | "no_proof";

export class ModelSite {
  #journal: JournalRow[] = [];
  #journals = 0;

  /** @param taps counts the taps of "campaign phone" over all sites */
  constructor(
    readonly fleet: Fleet,
    readonly site: TestSite,
    readonly taps: Map<string, number>,
  ) {}

  get openRows(): number {
    return this.#journal.length;
  }

  /** Asks for work; with `lost` the offer never arrives. Answers how many were offered. */
  async pull(room: number, lost: boolean): Promise<number> {
    const devices = this.site.devices.map((id) => ({ id, room }));
    const lease = await leaseDeliveries(this.fleet.ctx, { ...this.site, devices });
    if (lease === null || lost) return lease?.items.length ?? 0;
    for (const { phone, attempt, account } of lease.items) {
      const item = { token: lease.token, campaign: lease.campaign, phone, attempt, account };
      this.#journal.push({ item, validUntil: null, outcome: null, temporary: false });
    }
    return lease.items.length;
  }

  /** Acknowledges every offer; with `lost` the answers never arrive. */
  async acknowledge(lost: boolean): Promise<void> {
    const waiting = this.#held().filter((row) => row.validUntil === null);
    for (const token of new Set(waiting.map((row) => row.item.token))) {
      const sentAt = this.fleet.ctx.now();
      const go = await acknowledgeLease(this.fleet.ctx, { ...this.site, token, journalCounter: 1_000_000 });
      if (lost) continue;
      const validMs = new Map(go.items.map((item) => [item.phone, item.validMs]));
      this.#journal = this.#journal.filter((row) => row.item.token !== token || validMs.has(row.item.phone));
      for (const row of this.#held()) {
        if (row.item.token === token) row.validUntil ??= sentAt + (validMs.get(row.item.phone) ?? 0);
      }
    }
  }

  /** Takes the oldest delivery that may be tapped to its end. */
  work(fate: Fate): void {
    const row = this.#held().find((row) => row.validUntil !== null);
    if (row === undefined) return;
    const inTime = this.fleet.ctx.now() < (row.validUntil ?? 0);
    if (inTime && (fate === "sent" || fate === "lost_proof")) {
      const key = `${row.item.campaign} ${row.item.phone}`;
      this.taps.set(key, (this.taps.get(key) ?? 0) + 1);
    }
    const outcomes = { sent: "sent", failed: "failed", void: "void", temporary: "void" } as const;
    row.outcome = !inTime ? "void" : fate in outcomes ? outcomes[fate as keyof typeof outcomes] : "unknown";
    row.temporary = inTime && fate === "temporary";
  }

  /** Reports every outcome; with `lost` the answer never arrives and all is reported again. */
  async report(lost: boolean): Promise<void> {
    const done = this.#journal.filter((row) => row.outcome !== null);
    if (done.length === 0) return;
    const items = done.map(({ item, outcome, temporary }) => ({
      ...item,
      outcome: outcome ?? "void",
      temporary,
      reason: null,
      tappedAt: null,
    }));
    await reportOutcomes(this.fleet.ctx, { ...this.site, seq: 1, journalCounter: 1_000_000, items });
    if (!lost) this.#journal = this.#journal.filter((row) => row.outcome === null);
  }

  /** Connects anew; a restart forgets every go, a lost journal everything. */
  async reconnect(fault: "none" | "restart" | "journal_lost"): Promise<void> {
    if (fault === "journal_lost") {
      this.#journal = [];
      this.#journals += 1;
    }
    for (const row of this.#held()) {
      if (fault === "restart" || row.validUntil === null) row.outcome = "void";
    }
    const { drop } = await this.fleet.reconnect(this.site, {
      journalId: `${this.#journals}${this.site.site}`.padStart(32, "0"),
      open: this.#journal.map(({ item: { token, campaign, phone, attempt }, outcome }) => ({
        token,
        campaign,
        phone,
        attempt,
        at: outcome === null ? "held" as const : "done" as const,
      })),
    });
    for (const { token, phones } of drop) this.giveUp(token, phones);
  }

  /** Gives up what is not tapped yet, as a recall asks. */
  giveUp(token: string, phones: readonly string[]): void {
    for (const row of this.#held()) {
      if (row.item.token === token && phones.includes(row.item.phone)) row.outcome = "void";
    }
  }

  #held(): JournalRow[] {
    return this.#journal.filter((row) => row.outcome === null);
  }
}
