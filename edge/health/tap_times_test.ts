/**
 * I6 checked by the taps themselves: sites restart, wait and report late, over midnights, a Sabbath and both clock
 * changes.
 */
import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { SEED } from "shared/testing/seed.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { auditQueue } from "../queue/audit.ts";
import { type Fleet, openFleet, outcomesOf, type TestSite } from "../testing/fleet.ts";
import { acknowledge, openRows, pull, reportItems, sendNew } from "../testing/queue_acts.ts";
import { passTo, sendMarketing, setRules } from "../testing/rules.ts";

import { isHoliday } from "../time/hebrew_calendar.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEVICE_CAP = 12;
/** Counts days with other code than the tested one. */
const clock = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Asia/Jerusalem",
  dateStyle: "short",
});
const hourAndDay = new Intl.DateTimeFormat("en-US", {
  timeZone: "Asia/Jerusalem",
  weekday: "short",
  hour: "2-digit",
  hourCycle: "h23",
});
const MOMENTS = [
  "2026-11-22T23:40:00+02:00", // a midnight
  "2026-11-27T12:30:00+02:00", // Friday before the closing
  "2026-11-28T23:30:00+02:00", // the night after a Sabbath
  "2026-03-26T23:30:00+02:00", // the night in which summer time begins
  "2026-10-24T23:30:00+03:00", // the night in which it ends
  "2026-04-01T12:45:00+03:00", // the eve of Passover
  "2026-11-22T19:45:00+02:00", // a weekday's closing
];

/** One round of a site's work: the minutes before each part, and a possible interruption. */
interface Step {
  site: number;
  room: number;
  waits: number[];
  /** The part after which the process, or only the connection, ends; 4 = no interruption. */
  cut: number;
  isRestart: boolean;
}

interface Tap {
  at: number;
  account: string;
  isMarketing: boolean;
}

/** A lease in a site's journal; after its confirmation valid until `until` on the site's clock. */
interface Held {
  lease: LeaseFrame;
  until: Map<string, number> | null;
  tapped: Set<string>;
}

/** A site's agent, reduced to the timing of its leases and taps. */
class Site {
  held: Held[] = [];
  constructor(
    readonly fleet: Fleet,
    readonly at: TestSite,
    readonly marketing: number,
    readonly taps: Tap[],
  ) {}

  async pull(room: number): Promise<void> {
    const lease = await pull(this.fleet, this.at, room);
    if (lease) this.held.push({ lease, until: null, tapped: new Set() });
  }

  async acknowledge(): Promise<void> {
    for (const held of this.held.filter(({ until }) => until === null)) {
      const sentAt = this.fleet.ctx.now();
      // The answer may be slow; the validity counts from the moment of sending.
      const go = await acknowledge(this.fleet, this.at, held.lease.token);
      held.until = new Map(go.items.map(({ phone, validMs }) => [phone, sentAt + validMs]));
    }
  }

  tap(): void {
    const now = this.fleet.ctx.now();
    for (const { lease, until, tapped } of this.held) {
      for (const { phone, account } of lease.items) {
        if (tapped.has(phone) || (until?.get(phone) ?? 0) <= now) continue;
        tapped.add(phone);
        this.taps.push({ at: now, account, isMarketing: lease.campaign === this.marketing });
      }
    }
  }

  /** Reports the tapped deliveries, and gives up the other confirmed ones. */
  async report(): Promise<void> {
    const ended = this.held.filter(({ until }) => until !== null);
    this.held = this.held.filter(({ until }) => until === null);
    for (const { lease, until, tapped } of ended) {
      const known = { ...lease, items: lease.items.filter(({ phone }) => until!.has(phone)) };
      const items = outcomesOf(known, "void").map((item) =>
        tapped.has(item.phone) ? { ...item, outcome: "sent" as const, reason: null } : item
      );
      if (items.length > 0) await reportItems(this.fleet, this.at, items);
    }
  }

  /** A new connection: confirmed leases stay and may be tapped on it. */
  async reconnect(): Promise<void> {
    this.held = this.held.filter(({ until }) => until !== null);
    await this.fleet.reconnect(this.at, { open: this.held.flatMap(({ lease }) => openRows(lease)) });
  }

  /** A new process: it drops unconfirmed leases, lists confirmed ones, and gives those up that were not tapped. */
  async restart(): Promise<void> {
    await this.reconnect();
    await this.report();
  }
}

function dayOf(at: number): string {
  return clock.format(at);
}

function checkTaps(taps: readonly Tap[], warmCap: (account: string, at: number) => number): void {
  const perDevice = new Map<string, number>();
  const perAccount = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)!;
  };
  for (const { at, account, isMarketing } of taps) {
    const day = dayOf(at);
    const onDevice = add(perDevice, `${account.split("/")[0]} ${day}`);
    assert.ok(onDevice <= DEVICE_CAP, `${onDevice} taps of a device on ${day}`);
    const onAccount = add(perAccount, `${account} ${day}`);
    assert.ok(onAccount <= warmCap(account, at), `${onAccount} taps of ${account} on ${day}`);
    if (!isMarketing) continue;
    const shown = new Map(hourAndDay.formatToParts(at).map(({ type, value }) => [type, value]));
    const [weekday, hour] = [shown.get("weekday")!, Number(shown.get("hour"))];
    const date = Date.parse(`${day}T00:00:00Z`) / DAY_MS;
    const closing = weekday === "Fri" || isHoliday(date + 1) ? 13 : 20;
    const isOpen = weekday !== "Sat" && !isHoliday(date) && hour >= 9 && hour < closing;
    assert.ok(isOpen, `marketing tapped on ${weekday} ${day} at ${hour}`);
  }
}

// Mostly quick; sometimes as long as an offer, a validity or a night.
const wait = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1 }) },
  { weight: 3, arbitrary: fc.integer({ min: 2, max: 14 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60, max: 600 }) },
);
const step: fc.Arbitrary<Step> = fc.record({
  site: fc.integer({ min: 0, max: 1 }),
  room: fc.integer({ min: 1, max: 3 }),
  waits: fc.array(wait, { minLength: 4, maxLength: 4 }),
  cut: fc.integer({ min: 0, max: 12 }),
  isRestart: fc.boolean(),
});

Deno.test("no tap exceeds a cap or the sending hours, whatever sites and clocks do (I6)", async () => {
  let all = 0;
  let marketing = 0;
  const history = fc.array(step, { minLength: 10, maxLength: 40 });
  const property = fc.asyncProperty(fc.constantFrom(...MOMENTS), history, async (moment, steps) => {
    await using fleet = await openFleet();
    passTo(fleet, moment);
    await setRules(fleet, { maxMessagesPerDay: DEVICE_CAP, hourlyPercent: 100 });
    const advert = await sendMarketing(fleet, 60);
    await sendNew(fleet, 60);
    const taps: Tap[] = [];
    const sites: Site[] = [];
    for (const accounts of [1, 2]) {
      sites.push(new Site(fleet, await fleet.addSite(1, accounts), advert.id, taps));
    }
    for (const { site: index, room, waits, cut, isRestart } of steps) {
      const site = sites[index]!;
      const parts = [
        () => site.pull(room),
        () => site.acknowledge(),
        () => site.tap(),
        () => site.report(),
      ];
      for (const [no, part] of parts.entries()) {
        fleet.pass(waits[no]! * MINUTE_MS);
        await part();
        if (no !== cut) continue;
        if (isRestart) await site.restart();
        else await site.reconnect();
        break;
      }
    }
    checkTaps(taps, () => DEVICE_CAP);
    all += taps.length;
    marketing += taps.filter(({ isMarketing }) => isMarketing).length;
    assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  });
  const isEnough = () => all > 100 && marketing > 20;
  // By chance the first twenty histories may contain too few: one run in a thousand.
  for (let round = 0; round < 3 && !isEnough(); round++) {
    await fc.assert(property, { numRuns: 20, seed: SEED + round });
  }
  assert.ok(
    isEnough(),
    `${all} taps, ${marketing} of them marketing: too few to show anything`,
  );
});

Deno.test("a young account's taps stay within its warm-up, day after day and over a clock change (I6)", async () => {
  const lives = [
    ["2026-03-24T06:00:00+02:00", "2026-03-24T06:00:00+02:00"],
    ["2026-10-22T06:00:00+03:00", "2026-10-22T06:00:00+03:00"],
    // Born in the first hour of a day: after a day of 25 hours, that day would count as two.
    ["2026-10-22T06:00:00+03:00", "2026-10-22T00:30:00+03:00"],
  ] as const;
  for (const [moment, born] of lives) {
    await using fleet = await openFleet();
    passTo(fleet, moment);
    await setRules(fleet, { hourlyPercent: 50 });
    await sendNew(fleet, 400);
    const site = new Site(fleet, await fleet.addSite(1), -1, []);
    await fleet.ctx.db.execute({
      sql: "UPDATE accounts SET first_installed_at = ?",
      args: [Date.parse(born)],
    });
    const perDay = new Map<string, number>();
    for (let round = 0; round < 6 * 24; round++) {
      for (let lease = 0; lease < 6; lease++) {
        await site.pull(3);
        await site.acknowledge();
        site.tap();
        await site.report();
      }
      fleet.pass(60 * MINUTE_MS);
    }
    for (const { at } of site.taps) perDay.set(dayOf(at), (perDay.get(dayOf(at)) ?? 0) + 1);
    assert.deepEqual([...perDay.values()], [20, 24, 28, 34, 41, 49, 59], born);
  }
});

Deno.test("a delivery confirmed in the last minute of a day uses none of the next day (I6)", async () => {
  for (const moment of MOMENTS.filter((text) => text.includes("T23:"))) {
    await using fleet = await openFleet();
    passTo(fleet, `${moment.slice(0, 11)}23:59:00${moment.slice(19)}`);
    await setRules(fleet, { maxMessagesPerDay: DEVICE_CAP, hourlyPercent: 100 });
    await sendNew(fleet, 40);
    const site = new Site(fleet, await fleet.addSite(1), -1, []);
    await site.pull(3);
    await site.acknowledge();
    fleet.pass(2 * MINUTE_MS);
    site.tap();
    await site.report();
    for (let round = 0; round < 6; round++) {
      await site.pull(3);
      await site.acknowledge();
      site.tap();
      await site.report();
    }
    checkTaps(site.taps, () => DEVICE_CAP);
    assert.equal(site.taps.length, DEVICE_CAP, moment);
  }
});
