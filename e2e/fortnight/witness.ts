/** Records every tap like the phones' log, and checks the rules for all of them. */
import { isDayOfRest, localClock, mayAdvertise } from "./jerusalem.ts";

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const FREQUENCY_DAYS = 7;
/** Default share of the daily cap for one hour, and the minimum that every hour allows. */
const HOUR_SHARE = 0.25;
const HOUR_FLOOR = 5;
/** Longest validity of a confirmed delivery: an unreachable site may tap for this long. */
const LONGEST_VALID_MS = 10 * 60_000;

export interface Tap {
  at: number;
  /** `<device>/<package>/<user>`. */
  account: string;
  campaign: number;
  phone: string;
  leasedAt: number;
  goAt: number;
  /** Time since which its site was unreachable; null = reachable. */
  awaySince: number | null;
}

export interface CampaignFacts {
  client: number;
  isMarketing: boolean;
}

/** Final facts about the accounts, used to compute their caps again. */
export interface AccountFacts {
  account: string;
  bannedDay: string | null;
  firstBornDay: string;
  /** Days that were not green. */
  badDays: ReadonlySet<string>;
}

export interface Findings {
  [rule: string]: string[];
}

export class Witness {
  readonly taps: Tap[] = [];
  /** "client number" → time since which it is suppressed; client 0 = for all clients. */
  readonly #suppressedAt = new Map<string, number>();
  /** Campaign → periods in which it was paused. */
  readonly #pauses = new Map<number, { from: number; to: number }[]>();
  readonly #campaigns = new Map<number, CampaignFacts>();

  introduce(campaign: number, facts: CampaignFacts): void {
    this.#campaigns.set(campaign, facts);
  }

  note(tap: Tap): void {
    this.taps.push({ ...tap });
  }

  suppressed(client: number, phone: string, at: number): void {
    const key = `${client} ${phone}`;
    if (!this.#suppressedAt.has(key)) this.#suppressedAt.set(key, at);
  }

  paused(campaign: number, at: number): void {
    const spans = this.#pauses.get(campaign) ?? [];
    this.#pauses.set(campaign, [...spans, { from: at, to: Infinity }]);
  }

  resumed(campaign: number, at: number): void {
    const last = this.#pauses.get(campaign)?.at(-1);
    if (last) last.to = at;
  }

  /** Returns rule → violations. */
  judge(accounts: readonly AccountFacts[], deviceCap: number): Findings {
    return {
      "caps breached": this.#caps(new Map(accounts.map((facts) => [facts.account, facts])), deviceCap),
      "suppressed tapped": this.#suppressed(),
      "marketing taps outside hours": this.taps.filter((tap) =>
        this.#isMarketing(tap) && !mayAdvertise(tap.at)
      )
        .map(lineOf),
      "frequency cap breached": this.#tooSoon(),
      "tapped twice": this.#twice(),
      "tapped while paused": this.#whilePaused(),
    };
  }

  /** Returns taps between an opt-out and the moment its site could receive it: allowed, and short. */
  unheard(): Tap[] {
    return this.taps.filter((tap) =>
      this.#suppressionOf(tap) <= tap.at && !this.#couldKnow(tap, this.#suppressionOf(tap))
    );
  }

  marketingDays(): Set<string> {
    return new Set(this.taps.filter((tap) => this.#isMarketing(tap)).map(({ at }) => localClock(at).day));
  }

  /** Returns the number of taps in the last minute before a local midnight or a closing. */
  inTheLastMinute(): number {
    const isLast = ({ at }: Tap) =>
      [0, 13, 20].some((hour) => {
        const [now, soon] = [localClock(at), localClock(at + 60_000)];
        return now.hour !== soon.hour && soon.hour === hour;
      });
    return this.taps.filter(isLast).length;
  }

  #caps(facts: ReadonlyMap<string, AccountFacts>, deviceCap: number): string[] {
    const found: string[] = [];
    const count = (keyOf: (tap: Tap) => string) => {
      const counts = new Map<string, number>();
      for (const tap of this.taps) counts.set(keyOf(tap), (counts.get(keyOf(tap)) ?? 0) + 1);
      return counts;
    };
    const check = (counts: Map<string, number>, capOf: (key: string) => number) => {
      for (const [key, taps] of counts) {
        if (taps > capOf(key)) found.push(`${key}: ${taps} taps, at most ${capOf(key)}`);
      }
    };
    const dayCap = (account: string, day: string) => accountCap(facts.get(account)!, day, deviceCap);
    check(count(({ at, account }) => `${account.split("/")[0]} on ${localClock(at).day}`), () => deviceCap);
    check(count(({ at, account }) => `${account} on ${localClock(at).day}`), (key) => {
      const [account, day] = key.split(" on ");
      return dayCap(account!, day!);
    });
    check(count(({ leasedAt, account }) => `${account} in hour ${Math.floor(leasedAt / HOUR_MS)}`), (key) => {
      const [account, hour] = key.split(" in hour ");
      const cap = dayCap(account!, localClock(Number(hour) * HOUR_MS).day);
      return Math.min(cap, Math.max(HOUR_FLOOR, Math.ceil(cap * HOUR_SHARE)));
    });
    return found;
  }

  #suppressed(): string[] {
    return this.taps.filter((tap) => {
      const at = this.#suppressionOf(tap);
      if (at > tap.at) return false;
      // After the opt-out no confirmation is allowed; for an earlier confirmation the site got a recall.
      return at <= tap.goAt || this.#couldKnow(tap, at) || tap.at - at > LONGEST_VALID_MS;
    }).map(lineOf);
  }

  #tooSoon(): string[] {
    const lastOf = new Map<string, Tap>();
    return this.taps.filter((tap) => this.#isMarketing(tap)).filter((tap) => {
      const key = `${this.#campaigns.get(tap.campaign)!.client} ${tap.phone}`;
      const last = lastOf.get(key);
      lastOf.set(key, tap);
      return last && last.campaign !== tap.campaign && tap.at - last.at < FREQUENCY_DAYS * DAY_MS;
    }).map(lineOf);
  }

  #twice(): string[] {
    const seen = new Set<string>();
    return this.taps.filter(({ campaign, phone }) => {
      const key = `${campaign} ${phone}`;
      return seen.has(key) || !seen.add(key);
    }).map(lineOf);
  }

  #whilePaused(): string[] {
    return this.taps.filter((tap) =>
      this.#pauses.get(tap.campaign)?.some(({ from, to }) =>
        tap.at > from && tap.at < to && (tap.goAt > from || this.#couldKnow(tap, from))
      )
    ).map(lineOf);
  }

  #isMarketing({ campaign }: Tap): boolean {
    return this.#campaigns.get(campaign)!.isMarketing;
  }

  #suppressionOf({ campaign, phone }: Tap): number {
    const { client } = this.#campaigns.get(campaign)!;
    return Math.min(...[0, client].map((of) => this.#suppressedAt.get(`${of} ${phone}`) ?? Infinity));
  }

  /** Returns whether its site could know, before the tap, of an event at `at`. */
  #couldKnow({ awaySince }: Tap, at: number): boolean {
    return awaySince === null || awaySince > at;
  }
}

/** Returns an account's daily cap: 20, plus a fifth for each green day of its life, up to its device's cap. */
function accountCap(facts: AccountFacts, day: string, deviceCap: number): number {
  const { bannedDay, firstBornDay, badDays } = facts;
  const born = bannedDay !== null && day > bannedDay ? bannedDay : firstBornDay;
  const age = Math.round((Date.parse(day) - Date.parse(born)) / DAY_MS);
  const held = [...badDays].filter((bad) => bad >= born && bad < day).length;
  return Math.min(deviceCap, Math.floor(20 * 1.2 ** Math.max(0, age - held)));
}

function lineOf({ at, account, campaign, phone }: Tap): string {
  const { day, hour, weekday } = localClock(at);
  const rest = isDayOfRest(day) ? ", a day of rest" : "";
  return `${account} tapped ${phone} of campaign ${campaign} at ${
    new Date(at).toISOString()
  } (${weekday} ${hour}h${rest})`;
}
