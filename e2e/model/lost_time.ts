/**
 * Computes the people reached in a lost time from the phones' taps. Before a list is sent again its sender must be
 * warned about them, and about no others. It knows the promises in docs/operations.md, and does not use the edge's
 * own table.
 */
import { MOVED_BY } from "shared/delivery.ts";

/** An attempt whose tap a site has begun. */
interface Attempt {
  campaign: number;
  client: number;
  phone: number;
  token: string;
  site: number;
}

interface KnownAttempt extends Attempt {
  /** Server time of its tap; null = no tap was seen. */
  tappedAt: number | null;
  /**
   * False when the site may date the tap to before the backup; for a campaign that is lost nothing else shows its
   * time.
   */
  isDatedRight: boolean;
}

interface KnownRow {
  phone: number;
  token: string | null;
  state: string;
  by: number;
}

interface Lost {
  /** Attempts that certainly tapped, by their keys. */
  surely: ReadonlyMap<string, KnownAttempt>;
  /** "client phone" of these, and of all that may be reported as tapped. */
  maybe: ReadonlySet<string>;
}

const NOTHING: Lost = { surely: new Map(), maybe: new Set() };
/** The id of an unknown client: all people may be warned about. */
const ANYBODY = 0;
const SETTLED = ["sent", "unknown", "failed"];

export class LostTime {
  /** False = the database was put back without notice, so the sites are not asked yet. */
  isNoticed = true;
  readonly #attempts = new Map<string, KnownAttempt>();
  readonly #erased = new Set<number>();
  #lost = NOTHING;
  #saved = NOTHING;
  #savedAt = 0;
  #isByHand = false;

  /** A site begins to tap; `mayBeTold` = it still reports on a lost time, including this attempt. */
  begun(attempt: Attempt, mayBeReported: boolean): void {
    const key = keyOf(attempt);
    if (!this.#attempts.has(key)) {
      this.#attempts.set(key, { ...attempt, tappedAt: null, isDatedRight: true });
    }
    if (mayBeReported) this.#add(this.#attempts.get(key)!, { isSure: false });
  }

  /** `isLost` = the present database does not know the attempt. */
  tapped(
    of: { token: string; phone: number },
    tap: { at: number; isLost: boolean; isDatedRight: boolean },
  ): void {
    const attempt = this.#attempts.get(keyOf(of))!;
    attempt.tappedAt = tap.at;
    attempt.isDatedRight = tap.isDatedRight;
    if (tap.isLost) this.#add(attempt, { isSure: tap.isDatedRight });
  }

  /** A backup of the present database was made. */
  saved(now: number): void {
    this.#saved = this.#lost;
    this.#savedAt = now;
  }

  /** The backup's database is open now, with these rows and campaigns. */
  replaced(
    rows: Iterable<KnownRow>,
    campaigns: ReadonlyMap<number, unknown>,
    { isNoticed }: { isNoticed: boolean },
  ): void {
    this.#lost = this.#saved;
    this.isNoticed = isNoticed;
    this.#isByHand = !isNoticed;
    const settled = new Map(
      [...rows].flatMap(({ token, phone, state, by }) =>
        token !== null && SETTLED.includes(state) ? [[keyOf({ token, phone }), by]] : []
      ),
    );
    for (const [key, attempt] of this.#attempts) {
      const by = settled.get(key);
      // A clock gave it up; only now its site reports that it may have tapped.
      if (by === MOVED_BY.clockOrRevoked) this.#add(attempt, { isSure: false });
      if (by !== undefined) continue;
      const isCampaignHere = campaigns.has(attempt.campaign);
      const isSure = attempt.tappedAt !== null && attempt.tappedAt > this.#savedAt;
      this.#add(attempt, { isSure: isSure && (isCampaignHere || this.#isDated(attempt)) });
      if (!isCampaignHere) this.#add({ ...attempt, client: ANYBODY }, { isSure: false });
    }
  }

  /** The person was erased, at the sites too. */
  erased(phone: number): void {
    this.#erased.add(phone);
  }

  /** The attempt's result is known independently of the lost time: from a person, or from its site's report. */
  known(of: { token: string; phone: number }): void {
    if (!this.#lost.surely.has(keyOf(of))) return;
    const surely = new Map(this.#lost.surely);
    surely.delete(keyOf(of));
    this.#lost = { ...this.#lost, surely };
  }

  /** Its site was silent for a day: only the time shows whether the attempt was lost. */
  overdue(of: { token: string; phone: number }): void {
    const attempt = this.#lost.surely.get(keyOf(of));
    if (attempt !== undefined && !this.#isDated(attempt)) this.known(of);
  }

  /** The site was written off: its outcomes are no longer awaited. */
  writtenOff(site: number): void {
    const surely = new Map([...this.#lost.surely].filter(([, attempt]) => attempt.site !== site));
    this.#lost = { ...this.#lost, surely };
  }

  /** Returns people of the list who were certainly reached in the lost time, as far as every site has reported. */
  surelyOf(client: number, phones: Iterable<number>): Set<number> {
    if (!this.isNoticed) return new Set();
    const reached = new Set(
      [...this.#lost.surely.values()].filter((one) => one.client === client).map(({ phone }) => phone),
    );
    return new Set([...phones].filter((phone) => reached.has(phone) && !this.#erased.has(phone)));
  }

  /** Returns people of the list who may have been reached. */
  maybeOf(client: number, phones: Iterable<number>): Set<number> {
    const { maybe } = this.#lost;
    const isReached = (phone: number) => [client, ANYBODY].some((one) => maybe.has(`${one} ${phone}`));
    return new Set([...phones].filter(isReached));
  }

  /**
   * Returns whether the time shows that the attempt belongs to the lost time. If nobody noticed its end, edges
   * have written since then.
   */
  #isDated({ isDatedRight }: KnownAttempt): boolean {
    return isDatedRight && !this.#isByHand;
  }

  #add(attempt: KnownAttempt, { isSure }: { isSure: boolean }): void {
    const { surely, maybe } = this.#lost;
    this.#lost = {
      surely: isSure ? new Map(surely).set(keyOf(attempt), attempt) : surely,
      maybe: new Set(maybe).add(`${attempt.client} ${attempt.phone}`),
    };
  }
}

function keyOf({ token, phone }: { token: string; phone: number }): string {
  return `${token} ${phone}`;
}
