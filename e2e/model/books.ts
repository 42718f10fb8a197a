/** Checks a database's accounts: counters equal the sums of its rows, and every unit of a campaign was paid for. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { DeliveryState } from "shared/delivery.ts";

export interface Campaign extends Record<`${DeliveryState}_count`, number> {
  id: number;
  client: number;
  status: string;
  message: string;
  /** Its texts; the first is its message. */
  texts: readonly string[];
  reserved: number;
  /** Until then the campaign may be taken back; null = it started at its send. */
  starts_at: number | null;
  first_leased_at: number | null;
}

interface BookedRow {
  campaign: number;
  state: DeliveryState;
  resent: number;
}

interface Entry {
  id: number;
  client: number;
  kind: string;
  delta: number;
  balance_after: number;
  campaign: number | null;
}

export const LIVE = ["processing", "active"];
export const RUNNING = ["processing", "active", "paused"];
export const STATES = ["queued", "leased", "sent", "failed", "unknown", "skipped", "cancelled"] as const;
const HOLDING = ["queued", "leased", "sent", "unknown"];

export class Books {
  #lastEntry = 0;
  readonly #balance = new Map<number, number>();
  readonly #paid = new Map<number, number>();
  readonly #entries: StatementSync;
  readonly #users: StatementSync;
  readonly #count: (what: string) => void;

  /** `count` is called with the kind of each entry. */
  constructor(db: DatabaseSync, count: (what: string) => void) {
    this.#entries = db.prepare(
      "SELECT id, client, kind, delta, balance_after, campaign FROM quota_ledger WHERE id > ? ORDER BY id",
    );
    this.#users = db.prepare("SELECT id, message_quota FROM users");
    this.#count = count;
  }

  /** Restarts at the ledger's first entry, because another database is open now. */
  begin(): void {
    this.#lastEntry = 0;
    this.#balance.clear();
    this.#paid.clear();
  }

  /** @throws AssertionError that names the invariant */
  check(campaigns: ReadonlyMap<number, Campaign>, rows: Iterable<BookedRow>): void {
    this.#checkMoney(this.#checkCounters(campaigns, rows));
  }

  /** I7 and I1: counters equal the sums, and a campaign runs while it has work. Returns the units of each campaign. */
  #checkCounters(campaigns: ReadonlyMap<number, Campaign>, rows: Iterable<BookedRow>): Map<number, number> {
    const counted = new Map([...campaigns.keys()].map((id) => [id, new Map<string, number>()]));
    for (const { campaign, state, resent } of rows) {
      const { status } = campaigns.get(campaign)!;
      const readsAs = state === "queued" && status === "cancelled" && resent === 0 ? "cancelled" : state;
      const own = counted.get(campaign)!;
      own.set(readsAs, (own.get(readsAs) ?? 0) + 1);
    }
    const held = new Map<number, number>();
    for (const campaign of campaigns.values()) {
      const own = counted.get(campaign.id)!;
      for (const state of STATES) {
        assert.equal(
          campaign[`${state}_count`],
          own.get(state) ?? 0,
          `I7: ${state} of campaign ${campaign.id}`,
        );
      }
      const open = (own.get("queued") ?? 0) + (own.get("leased") ?? 0);
      if (RUNNING.includes(campaign.status)) {
        assert.ok(open > 0, `I1: campaign ${campaign.id} runs without work`);
      }
      if (/^completed|^failed/.test(campaign.status)) {
        assert.equal(open, 0, `I1: campaign ${campaign.id} ended early`);
      }
      const isSent = !["draft", "ready"].includes(campaign.status);
      if (!isSent) assert.equal(campaign.reserved, 0, `I3: campaign ${campaign.id} reserves without a send`);
      // A campaign that was never sent, or was taken back, holds nothing.
      held.set(campaign.id, isSent ? HOLDING.reduce((sum, state) => sum + (own.get(state) ?? 0), 0) : 0);
    }
    return held;
  }

  /** I3: a campaign paid for its units, and a balance is the sum of its entries. */
  #checkMoney(held: ReadonlyMap<number, number>): void {
    for (const entry of this.#entries.all(this.#lastEntry) as unknown as Entry[]) {
      this.#lastEntry = entry.id;
      const after = (this.#balance.get(entry.client) ?? 0) + entry.delta;
      this.#balance.set(entry.client, after);
      assert.equal(entry.balance_after, after, `I3: balance after entry ${entry.id}`);
      assert.ok(after >= 0, `I3: client ${entry.client} owes`);
      this.#count(`entry ${entry.kind}`);
      if (entry.campaign === null || entry.kind === "cover") continue;
      this.#paid.set(entry.campaign, (this.#paid.get(entry.campaign) ?? 0) - entry.delta);
    }
    for (const [campaign, units] of held) {
      assert.equal(
        this.#paid.get(campaign) ?? 0,
        units,
        `I3: what campaign ${campaign} paid and what it holds`,
      );
    }
    for (const { id, message_quota } of this.#users.all()) {
      assert.equal(message_quota, this.#balance.get(Number(id)) ?? 0, `I3: the quota of client ${id}`);
    }
  }
}
