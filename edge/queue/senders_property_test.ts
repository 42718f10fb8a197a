/**
 * Random fleets and random days: a witness with its own record of who wrote to whom judges every lease. A person hears
 * from their sender while it is usable, and nobody waits for ever.
 */
import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { openFleet, outcomesOf, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, reportItems, sendNew, type SentCampaign } from "../testing/queue_acts.ts";
import { setRules } from "../testing/rules.ts";
import type { Fleet } from "../testing/fleet.ts";
import { auditQueue } from "./audit.ts";
import { QUEUE_DUTIES, runDueTicks } from "./ticks.ts";

const MINUTE = 60_000;
const WAIT_MS = 10 * MINUTE;
const SITES = 3;

type Step =
  | { act: "pull"; site: number; room: number; outcome: "sent" | "sent" | "failed" | "void" | "recalled" }
  | { act: "send"; client: number; contacts: number }
  | { act: "pass"; ms: number }
  | { act: "show"; site: number }
  | { act: "spoil"; account: number; how: string }
  | { act: "tick" };

/** SQL that spoils an account, its phone or its site, and what mends it. */
const SPOILERS: Record<string, string> = {
  ban: "UPDATE accounts SET state = 'banned' WHERE id = :id",
  rest: "UPDATE accounts SET trip = 7 WHERE id = :id",
  stop: "UPDATE devices SET stopped = 1 WHERE id = (SELECT device FROM accounts WHERE id = :id)",
  unplug: "UPDATE devices SET state = 'offline' WHERE id = (SELECT device FROM accounts WHERE id = :id)",
  drain: "UPDATE sites SET draining = 1 WHERE id = (SELECT site FROM accounts WHERE id = :id)",
  mend: "UPDATE accounts SET state = 'ok', trip = NULL",
  plug: "UPDATE devices SET stopped = 0, state = 'online'",
  undrain: "UPDATE sites SET draining = 0",
};

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      act: fc.constant("pull" as const),
      site: fc.nat(SITES - 1),
      room: fc.integer({ min: 1, max: 3 }),
      outcome: fc.constantFrom(
        "sent" as const,
        "sent" as const,
        "sent" as const,
        "failed",
        "void",
        "recalled",
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("send" as const),
      client: fc.nat(1),
      contacts: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("pass" as const),
      ms: fc.constantFrom(1_000, MINUTE, 6 * MINUTE, 11 * MINUTE),
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("show" as const), site: fc.nat(SITES - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("spoil" as const),
      account: fc.nat(11),
      how: fc.constantFrom(...Object.keys(SPOILERS)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("tick" as const) }) },
) as fc.Arbitrary<Step>;

const world = fc.record({
  phones: fc.integer({ min: 1, max: 2 }),
  accounts: fc.integer({ min: 1, max: 2 }),
  perDay: fc.constantFrom(3, 6, 200),
  paceS: fc.constantFrom(0, 0, 60, 200),
  steps: fc.array(step, { minLength: 40, maxLength: 70, size: "max" }),
});

/** The facts about one account, read from the rows of the fleet before a pull. */
interface Facts {
  id: number;
  key: string;
  device: number;
  isWell: number;
  answeredAt: number;
  /** What its phone may still send today, and what it holds. */
  left: number;
  held: number;
  pacedUntil: number;
}
const FACTS = `SELECT a.id, a.key, a.device, d.paced_until AS "pacedUntil",
  (SELECT count(*) FROM deliveries l JOIN accounts o ON o.id = l.account WHERE l.state = 'leased' AND o.device = a.device)
    AS held,
  a.state = 'ok' AND a.trip IS NULL AND d.stopped = 0 AND d.state = 'online' AND s.stopped = 0 AND s.draining = 0
    AND s.revoked = 0 AS "isWell", min(s.last_seen_at, d.proof_at) AS "answeredAt",
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'maxMessagesPerDay')
    - coalesce((SELECT sum(t.used) FROM account_days t JOIN accounts o ON o.id = t.account WHERE o.device = a.device), 0) AS left
  FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site`;

interface WaitingRow {
  id: number;
  campaign: number;
  phone: number;
  awaits: number;
  /** 0 = it has its place in the list again. */
  until: number;
}

class Witness {
  /** The account that last wrote to a number for a client, by "client number". */
  readonly #senders = new Map<string, number>();
  readonly #gaveBack = new Set<string>();
  /** When a row was first seen to wait for its sender. */
  readonly #waitsSince = new Map<number, number>();
  /** Rows whose sender was not usable at some time while they waited. */
  readonly #inVain = new Set<number>();
  readonly #clientOf = new Map<number, number>();
  kept = 0;
  waited = 0;
  freed = 0;
  paced = 0;

  constructor(readonly fleet: Fleet, public paceS: number) {}

  sent({ id, client }: SentCampaign): void {
    this.#clientOf.set(id, client.id);
  }

  async facts(): Promise<Facts[]> {
    return (await this.fleet.ctx.db.execute(FACTS)).rows as unknown as Facts[];
  }

  /** The rows that wait, or waited in vain. */
  async #waiting(): Promise<WaitingRow[]> {
    const { rows } = await this.fleet.ctx.db.execute(
      `SELECT id, campaign, phone, awaits, not_before AS until FROM deliveries
        WHERE awaits IS NOT NULL AND state = 'queued' ORDER BY id`,
    );
    return rows as unknown as WaitingRow[];
  }

  /**
   * Checks that nobody waits longer than ten minutes, nor for a sender that is not usable; `isTicked` = the duty has
   * just looked for silent and full ones too. Returns what waits, by account.
   */
  async look(isTicked = false): Promise<Map<number, number>> {
    const now = this.fleet.ctx.now();
    const facts = new Map((await this.facts()).map((one) => [one.id, one]));
    const waiting = new Map<number, number>();
    for (const { id, awaits, until } of await this.#waiting()) {
      if (!this.#waitsSince.has(id)) this.#waitsSince.set(id, now);
      const { isWell, answeredAt, left } = facts.get(awaits)!;
      const isUsable = isWell === 1 && answeredAt > now - WAIT_MS && left > 0;
      if (!isUsable) this.#inVain.add(id);
      assert.ok(until - now <= WAIT_MS, `row ${id} waits longer than ten minutes`);
      if (until <= now) {
        const isOver = now - this.#waitsSince.get(id)! >= WAIT_MS;
        assert.ok(isOver || this.#inVain.has(id), `row ${id} waits no longer for its usable sender`);
        continue;
      }
      assert.ok(isWell === 1 && (isUsable || !isTicked), `row ${id} waits for account ${awaits} in vain`);
      waiting.set(awaits, (waiting.get(awaits) ?? 0) + 1);
    }
    return waiting;
  }

  /** How many more rows the phone of an account may send within ten minutes, before those that wait for it. */
  #pacedRoom({ pacedUntil, held }: Facts): number {
    if (this.paceS === 0) return Infinity;
    const idle = Math.min(Math.max(0, pacedUntil - this.fleet.ctx.now()), WAIT_MS);
    return Math.ceil((WAIT_MS - idle) / (1_000 * this.paceS)) - held;
  }

  /** Judges what a pull left for senders, by the facts before it. */
  judgeLeft(facts: Facts[], before: Map<number, number>, after: Map<number, number>): void {
    for (const phone of Map.groupBy(facts, ({ device }) => device).values()) {
      const sum = (waiting: Map<number, number>) =>
        phone.reduce((total, { id }) => total + (waiting.get(id) ?? 0), 0);
      if (sum(after) <= sum(before)) continue;
      const { left } = phone[0]!;
      const room = this.#pacedRoom(phone[0]!);
      if (room < left) this.paced += 1;
      const what = `${sum(after)} rows wait for a phone with room for ${Math.min(room, left)}`;
      assert.ok(sum(after) <= Math.min(room, left), what);
    }
  }

  /** Judges a lease by the facts before its pull. */
  async leased(
    campaign: number,
    phones: readonly { phone: string; key: string }[],
    before: Facts[],
    waiting: Map<number, number>,
    after: Map<number, number>,
    fresh: ReadonlySet<number>,
  ) {
    const now = this.fleet.ctx.now();
    const ofDevice = (device: number) =>
      Math.max(
        ...[waiting, after].map((of) =>
          before.reduce((n, one) => n + (one.device === device ? of.get(one.id) ?? 0 : 0), 0)
        ),
      );
    // By the pull's order: a row that waited in vain went before the rows after it in the list.
    const passedOver = (await this.#waiting()).find((row) => row.campaign === campaign && row.until <= now);
    for (const { phone, key } of phones) {
      const { id } = await this.fleet.one(
        `SELECT id FROM deliveries WHERE campaign = ${campaign} AND phone = ${phone.slice(1)}`,
      );
      assert.ok(
        passedOver === undefined || passedOver.id > Number(id) || !fresh.has(Number(id)),
        `row ${id} went before row ${passedOver?.id}, which had waited in vain`,
      );
      const sender = this.#senders.get(`${this.#clientOf.get(campaign)} ${phone}`);
      if (sender === undefined) continue;
      const facts = before.find(({ id }) => id === sender)!;
      if (facts.key === key) {
        this.kept += 1;
        continue;
      }
      const since = this.#waitsSince.get(Number(id));
      const isUsable = facts.isWell === 1 && facts.answeredAt > now - WAIT_MS;
      const hasWaited = since !== undefined && now - since >= WAIT_MS;
      if (hasWaited) this.waited += 1;
      const isFreed = this.#inVain.has(Number(id));
      if (isFreed && !hasWaited) this.freed += 1;
      const isFull = Math.min(facts.left, this.#pacedRoom(facts)) <= ofDevice(facts.device) + phones.length;
      assert.ok(
        !isUsable || hasWaited || isFreed || isFull || this.#gaveBack.has(`${id} ${sender}`),
        `${phone} went from ${key} while ${facts.key} was usable: ${JSON.stringify({ facts, since, now })}`,
      );
    }
  }

  async reported(
    campaign: number,
    outcome: string,
    items: readonly { phone: string; key: string }[],
    accounts: Facts[],
  ) {
    for (const { phone, key } of items) {
      const { id } = accounts.find((account) => account.key === key)!;
      if (outcome === "sent") this.#senders.set(`${this.#clientOf.get(campaign)} ${phone}`, id);
      if (outcome !== "void") continue;
      const row = await this.fleet.one(
        `SELECT id FROM deliveries WHERE campaign = ${campaign} AND phone = ${phone.slice(1)}`,
      );
      this.#gaveBack.add(`${row.id} ${id}`);
    }
  }
}

async function live(
  fleet: Fleet,
  drawn: typeof world extends fc.Arbitrary<infer T> ? T : never,
): Promise<Witness> {
  const { ctx } = fleet;
  await setRules(fleet, {
    rateLimit: drawn.paceS,
    maxMessagesPerDay: drawn.perDay,
    hourlyPercent: 100,
    warmupEnabled: false,
    breakerFailedPercent: 100,
    breakerUnknownPercent: 100,
  });
  const witness = new Witness(fleet, drawn.paceS);
  const clients = [await fleet.addClient(1_000), await fleet.addClient(1_000)];
  const sites: TestSite[] = [];
  for (let n = 0; n < SITES; n++) sites.push(await fleet.addSite(drawn.phones, drawn.accounts));

  async function show(site: TestSite) {
    // An inventory mends no ban here: only "mend" and "plug" do.
    await ctx.db.execute({
      sql: "UPDATE devices SET proof_at = ? WHERE site = ?",
      args: [ctx.now(), site.site],
    });
    await ctx.db.execute({
      sql: "UPDATE sites SET last_seen_at = ? WHERE id = ?",
      args: [ctx.now(), site.site],
    });
  }
  async function pullAndReport(site: TestSite, room: number, outcome: string): Promise<number> {
    const [before, waiting] = [await witness.facts(), await witness.look()];
    const { rows } = await ctx.db.execute({
      sql: "SELECT key FROM devices WHERE site = ? AND state = 'online'",
      args: [site.site],
    });
    const { rows: unseen } = await ctx.db.execute(
      "SELECT id FROM deliveries WHERE state = 'queued' AND not_before = 0 AND awaits IS NULL",
    );
    const lease = await pull(fleet, { ...site, devices: rows.map(({ key }) => String(key)) }, room);
    const after = await witness.look();
    witness.judgeLeft(before, waiting, after);
    if (lease === null) return 0;
    const items = lease.items.map(({ phone, account }) => ({ phone, key: account }));
    await witness.leased(
      lease.campaign,
      items,
      before,
      waiting,
      after,
      new Set(unseen.map(({ id }) => Number(id))),
    );
    await acknowledge(fleet, site, lease.token);
    // An honest site keeps the pace.
    fleet.pass(1_000 * witness.paceS * items.length);
    const isBack = outcome === "void" || outcome === "recalled";
    const reason = outcome === "recalled" ? { reason: "recalled" as const } : {};
    await reportItems(fleet, site, outcomesOf(lease, isBack ? "void" : outcome as "sent" | "failed", reason));
    await witness.reported(lease.campaign, outcome, items, before);
    return items.length;
  }

  for (const one of drawn.steps) {
    switch (one.act) {
      case "pull":
        await pullAndReport(sites[one.site]!, one.room, one.outcome);
        break;
      case "send":
        witness.sent(await sendNew(fleet, one.contacts, clients[one.client]!));
        break;
      case "pass":
        fleet.pass(one.ms);
        break;
      case "show":
        await show(sites[one.site]!);
        break;
      case "tick":
        fleet.pass(5_000);
        await runDueTicks(ctx, QUEUE_DUTIES.filter(({ name }) => name === "free_left"));
        await witness.look(true);
        break;
      case "spoil":
        await ctx.db.execute({
          sql: SPOILERS[one.how]!.replace(
            ":id",
            String(1 + one.account % (SITES * drawn.phones * drawn.accounts)),
          ),
        });
    }
    await witness.look();
  }
  // Only one site goes on: what waits for the others must not wait for ever.
  await setRules(fleet, { maxMessagesPerDay: 10_000, rateLimit: 0 });
  witness.paceS = 0;
  for (const how of ["mend", "plug", "undrain"]) await ctx.db.execute(SPOILERS[how]!);
  for (const site of sites) await show(site);
  for (let round = 0; round < 3; round++) {
    while (await pullAndReport(sites[0]!, 3, "sent") > 0);
    fleet.pass(10 * MINUTE);
    await show(sites[1]!);
    await show(sites[0]!);
  }
  const left = await fleet.one("SELECT count(*) AS n FROM deliveries WHERE state = 'queued'");
  assert.deepEqual(left, { n: 0 }, "rows wait for ever");
  assert.deepEqual(await auditQueue(ctx.db), []);
  return witness;
}

Deno.test("in random fleets a person hears from their sender while it is usable, and no row starves", async () => {
  const seen = { kept: 0, waited: 0, freed: 0, paced: 0 };
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      await using fleet = await openFleet();
      const witness = await live(fleet, drawn);
      for (const what of Object.keys(seen) as (keyof typeof seen)[]) seen[what] += witness[what];
    }),
    { numRuns: 40, endOnFailure: true },
  );
  // Fleets in which nobody was written to twice would prove nothing.
  const { kept, waited, freed, paced } = seen;
  assert.ok(kept > 60 && waited > 15 && freed > 2 && paced > 4, JSON.stringify(seen));
});
