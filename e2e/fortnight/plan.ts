/** Decisions of a seed: the dates, the campaigns with their recipients, and everything that goes wrong. */
import { mulberry32, type Random } from "shared/random.ts";
import { localClock, mayAdvertise, turningPoints } from "./jerusalem.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FORTNIGHT_MS = 14 * DAY_MS;

/** Possible first mornings; eight consecutive seeds use all of them. */
const STARTS = [
  { at: "2026-11-15T07:00:00+02:00", name: "an ordinary fortnight" },
  { at: "2027-03-14T07:00:00+02:00", name: "Purim, and the night summer time begins" },
  { at: "2027-04-18T07:00:00+03:00", name: "Passover from eve to seventh day" },
  { at: "2027-09-28T07:00:00+03:00", name: "New Year after a Sabbath, Day of Atonement" },
  { at: "2027-10-19T07:00:00+03:00", name: "Shemini Atzeret, and the night summer time ends" },
  { at: "2026-03-24T07:00:00+02:00", name: "the night summer time begins, eve of Passover" },
  { at: "2026-09-09T07:00:00+03:00", name: "New Year on a Sabbath, Day of Atonement" },
  { at: "2026-10-18T07:00:00+03:00", name: "the night summer time ends" },
] as const;

export interface Size {
  sites: number;
  devicesPerSite: number;
  /** Number of devices with a second account. */
  secondAccounts: number;
  /** Number of accounts installed on the first days. */
  young: number;
  clients: number;
  campaigns: number;
  recipients: number;
  /** Daily cap of a device, low enough to be reached. */
  deviceCap: number;
}

/** The size required for account health: 50 accounts, 20,000 recipients. */
export const FULL: Size = {
  sites: 6,
  devicesPerSite: 7,
  secondAccounts: 8,
  young: 12,
  clients: 6,
  campaigns: 25,
  recipients: 20_000,
  deviceCap: 80,
};
/** The same fortnight with less in it, for every test run. */
export const SMALL: Size = {
  sites: 3,
  devicesPerSite: 4,
  secondAccounts: 3,
  young: 4,
  clients: 3,
  campaigns: 12,
  recipients: 3_600,
  deviceCap: 50,
};

/** A campaign's problem; `bans` loses two of its sending accounts. */
export type Trouble = "failed" | "unknown" | "opted_out" | "bans" | null;

export interface CampaignPlan {
  client: number;
  isMarketing: boolean;
  sendAt: number;
  phones: number[];
  pilot: { count: number; waitMs: number } | null;
  trouble: Trouble;
}

/** An event at a site, or on its line. */
export interface Mishap {
  at: number;
  site: number;
  kind: "power" | "line" | "journal";
  ms: number;
}

export interface Plan {
  seed: number;
  name: string;
  startsAt: number;
  endsAt: number;
  size: Size;
  campaigns: CampaignPlan[];
  mishaps: Mishap[];
  random: Random;
}

const FIRST_PHONE = 972_540_000_001;
/** Each with enough recipients to be noticed; the other campaigns have no problem. */
const TROUBLES: readonly Trouble[] = ["failed", "unknown", "opted_out", "bans"];

/** Returns the plan of a seed; the same seed gives the same fortnight. */
export function makePlan(seed: number, size: Size): Plan {
  const random = mulberry32(seed);
  const start = STARTS[seed % STARTS.length]!;
  const startsAt = Date.parse(start.at);
  const pool = Math.ceil(size.recipients / 3);
  const each = Math.floor(size.recipients / size.campaigns);
  const turns = turningPoints(startsAt + DAY_MS, startsAt + 11 * DAY_MS);
  const closings = turns.filter((at) => mayAdvertise(at - 1) && !mayAdvertise(at));
  const midnights = turns.filter((at) => localClock(at).hour === 0);
  const oneOf = (points: readonly number[]) => points[Math.floor(random() * points.length)]!;
  const campaigns = Array.from({ length: size.campaigns }, (_, no): CampaignPlan => ({
    client: no % size.clients,
    isMarketing: no % 3 !== 2,
    // Send campaigns with problems early, so that a person can resume them; send some just before a closing.
    sendAt: no < TROUBLES.length
      ? startsAt + no * DAY_MS + random() * 6 * HOUR_MS
      : no % 2 === 0
      ? oneOf(no % 3 === 2 ? midnights : closings) - (0.5 + random() * 3) * MINUTE_MS
      : startsAt + random() * 10 * DAY_MS,
    phones: choosePhones(random, pool, each),
    pilot: no % 5 === 4 ? { count: 30, waitMs: 30 * MINUTE_MS } : null,
    trouble: TROUBLES[no] ?? null,
  }));
  return {
    seed,
    name: start.name,
    startsAt,
    endsAt: startsAt + FORTNIGHT_MS,
    size,
    campaigns,
    mishaps: planMishaps(random, campaigns, size.sites),
    random,
  };
}

/** Returns a shuffled range of numbers from one town; campaigns share many of them. */
function choosePhones(random: Random, pool: number, count: number): number[] {
  const first = Math.floor(random() * pool);
  const chosen = Array.from({ length: count }, (_, index) => FIRST_PHONE + ((first + index) % pool));
  for (let index = chosen.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [chosen[index], chosen[other]] = [chosen[other]!, chosen[index]!];
  }
  return chosen;
}

/** Plans power and line cuts during campaigns; one lasts longer than a lease may stay silent. */
function planMishaps(random: Random, campaigns: readonly CampaignPlan[], sites: number): Mishap[] {
  const whileSending = () =>
    campaigns[Math.floor(random() * campaigns.length)]!.sendAt + random() * 15 * MINUTE_MS;
  const some: Mishap[] = Array.from({ length: sites * 24 }, (_, no) => ({
    at: whileSending(),
    site: no % sites,
    kind: no % 8 === 0 ? "power" : "line",
    ms: (1 + random() * 40) * MINUTE_MS,
  }));
  return [
    ...some,
    { at: campaigns[1]!.sendAt + 2 * MINUTE_MS, site: 0, kind: "power", ms: 27 * HOUR_MS },
    { at: campaigns[2]!.sendAt + 2 * MINUTE_MS, site: 1, kind: "journal", ms: 10 * MINUTE_MS },
  ];
}
