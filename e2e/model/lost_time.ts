/**
 * Whom a lost time reached, by the phones' taps: before a list is sent again its sender is warned of them, and of nobody
 * else. It knows what docs/operations.md promises, and nothing of the table in which the edge keeps them.
 */
import { MOVED_BY } from "shared/delivery.ts";

/** One of which a site has begun to tap. */
interface Attempt {
  campaign: number;
  client: number;
  phone: number;
  token: string;
  site: number;
}

interface KnownAttempt extends Attempt {
  /** Server time of its tap; null = none was seen. */
  tappedAt: number | null;
  /** Its site may date it to before the backup, and nobody would know better of a campaign that is lost. */
  isDatedRight: boolean;
}

interface KnownRow {
  phone: number;
  token: string | null;
  state: string;
  by: number;
}

interface Lost {
  /** Attempts that tapped for certain, by their keys. */
  surely: ReadonlyMap<string, KnownAttempt>;
  /** "client phone" of these, and of all that may be told of as tapped. */
  maybe: ReadonlySet<string>;
}

const NOTHING: Lost = { surely: new Map(), maybe: new Set() };
/** Stands for a client that nobody knows: everybody may be warned. */
const ANYBODY = 0;
const SETTLED = ["sent", "unknown", "failed"];

export class LostTime {
  /** False = the database was put back without a word, so that nobody asks the sites yet. */
  isNoticed = true;
  readonly #attempts = new Map<string, KnownAttempt>();
  readonly #erased = new Set<number>();
  #lost = NOTHING;
  #saved = NOTHING;
  #savedAt = 0;
  #isByHand = false;

  /** A site begins to tap; `mayBeTold` = it still answers for a lost time, this attempt among the rest. */
  begun(attempt: Attempt, mayBeTold: boolean): void {
    const key = keyOf(attempt);
    if (!this.#attempts.has(key)) {
      this.#attempts.set(key, { ...attempt, tappedAt: null, isDatedRight: true });
    }
    if (mayBeTold) this.#add(this.#attempts.get(key)!, { isSure: false });
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

  /** A backup of the present database is made. */
  saved(now: number): void {
    this.#saved = this.#lost;
    this.#savedAt = now;
  }

  /** The backup's database is here now, with these rows and campaigns. */
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
      // A clock gave it up, and its site tells only now that it may have tapped.
      if (by === MOVED_BY.clockOrRevoked) this.#add(attempt, { isSure: false });
      if (by !== undefined) continue;
      const isCampaignHere = campaigns.has(attempt.campaign);
      const isSure = attempt.tappedAt !== null && attempt.tappedAt > this.#savedAt;
      this.#add(attempt, { isSure: isSure && (isCampaignHere || this.#isDated(attempt)) });
      if (!isCampaignHere) this.#add({ ...attempt, client: ANYBODY }, { isSure: false });
    }
  }

  /** The person asked to be forgotten, by the sites as well. */
  erased(phone: number): void {
    this.#erased.add(phone);
  }

  /** What became of the attempt is known without the lost time: a person has said so, or its site by a report. */
  known(of: { token: string; phone: number }): void {
    if (!this.#lost.surely.has(keyOf(of))) return;
    const surely = new Map(this.#lost.surely);
    surely.delete(keyOf(of));
    this.#lost = { ...this.#lost, surely };
  }

  /** Its site was silent for a day: only the time tells whether the attempt was lost. */
  overdue(of: { token: string; phone: number }): void {
    const attempt = this.#lost.surely.get(keyOf(of));
    if (attempt !== undefined && !this.#isDated(attempt)) this.known(of);
  }

  /** Nobody waits any more for what the site did. */
  writtenOff(site: number): void {
    const surely = new Map([...this.#lost.surely].filter(([, attempt]) => attempt.site !== site));
    this.#lost = { ...this.#lost, surely };
  }

  /** People of the list whom the lost time reached, so far as every site has told. */
  surelyOf(client: number, phones: Iterable<number>): Set<number> {
    if (!this.isNoticed) return new Set();
    const reached = new Set(
      [...this.#lost.surely.values()].filter((one) => one.client === client).map(({ phone }) => phone),
    );
    return new Set([...phones].filter((phone) => reached.has(phone) && !this.#erased.has(phone)));
  }

  /** People of the list whom it may have reached. */
  maybeOf(client: number, phones: Iterable<number>): Set<number> {
    const { maybe } = this.#lost;
    const isReached = (phone: number) => [client, ANYBODY].some((one) => maybe.has(`${one} ${phone}`));
    return new Set([...phones].filter(isReached));
  }

  /** Whether its time shows that it is of the lost time: where nobody noticed that one ended, edges have written since. */
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
