/**
 * Checks that a list is sent to people reached in a lost time only after its sender was warned about them. It compares
 * the send requests with LostTime, which knows the phones' taps.
 */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import type { DeliveryState } from "shared/delivery.ts";
import type { LostTime } from "./lost_time.ts";

/** The sender's decision about contacts reached in a lost time; "ask" = none yet. */
export type Wanted = "ask" | "leave_out" | "send";

/** The list at the time of the send request. */
export interface AskedToSend {
  campaign: number;
  client: number;
  wanted: Wanted;
  /** Contacts that waited to be sent. */
  queued: ReadonlySet<number>;
  /** Those of them reached in the lost time. */
  reached: ReadonlySet<number>;
  isOwed: boolean;
  generation: unknown;
}

/** The parts of the oracle that the warning is compared with. */
interface Facts {
  lostTime: LostTime;
  rows(): ReadonlyMap<number, { campaign: number; phone: number; state: DeliveryState }>;
  count(what: string): void;
}

export class SenderWarning {
  /** "campaign +phone" of reached contacts, and the sender's decision about them. */
  readonly #decisions = new Map<string, "leave_out" | "send">();
  readonly #facts: Facts;
  readonly #readGeneration: () => unknown;
  readonly #readOwing: () => unknown[];

  constructor(db: DatabaseSync, facts: Facts) {
    this.#facts = facts;
    const generation = db.prepare("SELECT value FROM system WHERE key = 'generation'");
    const owing = db.prepare(`SELECT 1 FROM sites WHERE revoked = 0
      AND answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation')`);
    this.#readGeneration = () => generation.get()!.value;
    this.#readOwing = () => owing.all();
  }

  get generation(): unknown {
    return this.#readGeneration();
  }

  /** Whether some site has not yet reported its work of the lost time. */
  get isOwed(): boolean {
    return this.#readOwing().length > 0;
  }

  /** Returns the sender's decision about a contact, "campaign +phone", if it was reached when its list was sent. */
  decisionOn(contact: string): "leave_out" | "send" | undefined {
    return this.#decisions.get(contact);
  }

  /** Call when the database was replaced: the new one has no decisions. */
  forget(): void {
    this.#decisions.clear();
  }

  asksToSend(campaign: number, client: number, wanted: Wanted): AskedToSend {
    const queued = this.#queuedOf(campaign);
    const reached = this.#facts.lostTime.surelyOf(client, queued);
    const generation = this.#readGeneration();
    return { campaign, client, wanted, queued, reached, isOwed: this.isOwed, generation };
  }

  refusedAsOwed({ campaign, isOwed, generation }: AskedToSend): void {
    this.#facts.count("send refused while sites owe");
    assert.ok(
      isOwed || generation !== this.#readGeneration(),
      `campaign ${campaign} waits for sites that have reported`,
    );
  }

  /** Since the send request other people may have changed the list, and sites may have reported more. */
  refusedAsReached({ campaign, client, queued, reached, generation }: AskedToSend, count: number): void {
    this.#facts.count("send refused by the warning");
    if (generation !== this.#readGeneration()) return;
    const name = `the warning of campaign ${campaign}`;
    assert.ok(!this.isOwed, `${name} comes before every site has reported`);
    const most = this.#facts.lostTime.maybeOf(client, queued).size;
    const least = [...this.#queuedOf(campaign)].filter((phone) => reached.has(phone)).length;
    assert.ok(
      count >= least && count <= most,
      `${name} counts ${count}, of ${least} to ${most} that were reached`,
    );
  }

  sentAsAsked({ campaign, client, wanted, queued, reached, generation }: AskedToSend): void {
    // A person ran `restored` while a frozen edge was still computing the response.
    if (generation !== this.#readGeneration()) return;
    const { lostTime, rows, count } = this.#facts;
    const left = this.#queuedOf(campaign);
    const name = (phone: number) => `${campaign} +${phone}`;
    if (wanted === "send") {
      for (const phone of reached) this.#decisions.set(name(phone), "send");
      if (reached.size > 0) count("sent with those who were reached");
      return;
    }
    assert.ok(
      !this.isOwed || !lostTime.isNoticed,
      `campaign ${campaign} was sent before every site has reported`,
    );
    for (const phone of reached) {
      assert.ok(!left.has(phone), `${name(phone)} was reached in a lost time, and nobody asked for it again`);
      this.#decisions.set(name(phone), "leave_out");
    }
    if (wanted === "ask" || reached.size === 0) return;
    count("sent without those who were reached");
    const kept = new Set(
      [...rows().values()].filter((row) => row.campaign === campaign).map(({ phone }) => phone),
    );
    const maybe = lostTime.maybeOf(client, queued);
    const gone = [...queued].filter((phone) => !kept.has(phone) && !maybe.has(phone));
    assert.deepEqual(gone, [], `campaign ${campaign} lost contacts whom nothing had reached`);
  }

  #queuedOf(campaign: number): Set<number> {
    const rows = [...this.#facts.rows().values()];
    const queued = rows.filter((row) => row.campaign === campaign && row.state === "queued");
    return new Set(queued.map(({ phone }) => phone));
  }
}
