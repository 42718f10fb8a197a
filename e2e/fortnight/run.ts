/** Runs a seed's fortnight from the first morning to the last night, and returns the results. */
import { auditQueue } from "../../edge/queue/audit.ts";
import { BEGINNING, checkChain } from "../../edge/audit_log/check_chain.ts";
import { localClock, turningPoints } from "./jerusalem.ts";
import { callOff, engage } from "./people.ts";
import { makePlan, type Plan, type Size } from "./plan.ts";
import type { AccountFacts, Findings } from "./witness.ts";
import { World } from "./world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TICK_EVERY_MS = 15 * MINUTE_MS;
const STATES = ["sent", "failed", "unknown", "skipped", "cancelled", "queued", "leased"] as const;

export interface Fortnight {
  plan: Plan;
  accounts: number;
  recipients: number;
  /** Rule → its violations; every list should be empty. */
  findings: Findings;
  taps: number;
  marketingTaps: number;
  marketingDays: number;
  lastMinuteTaps: number;
  unheardTaps: number;
  states: Record<string, number>;
  skips: Record<string, number>;
  /** Campaigns that should be stopped, stopped campaigns, and all pauses by a rule. */
  troubled: number;
  troubledStopped: number;
  pauses: Record<string, number>;
  rested: number;
  lostAccounts: number;
  daysAtTheCap: number;
  seconds: number;
}

export async function liveFortnight(seed: number, size: Size): Promise<Fortnight> {
  const startedAt = performance.now();
  const plan = makePlan(seed, size);
  await using world = await World.open(plan);
  const ledger: string[] = [];
  const audit = async () => {
    for (const { rule, found } of await auditQueue(world.fleet.ctx.db)) {
      ledger.push(`${new Date(world.clock.now).toISOString()} ${rule}: ${JSON.stringify(found)}`);
    }
  };
  engage(world);
  for (const { at, ...mishap } of plan.mishaps) {
    world.clock.at(at, () => world.sites[mishap.site]!.suffer({ at, ...mishap }));
  }
  for (let at = plan.startsAt; at < plan.endsAt + DAY_MS; at += TICK_EVERY_MS) {
    world.clock.at(at, () => world.tickSoon());
  }
  for (const at of turningPoints(plan.startsAt, plan.endsAt)) world.clock.at(at, audit);
  for (const site of world.sites) await site.ask();
  await world.clock.run(plan.endsAt);
  await callOff(world);
  await world.clock.run(plan.endsAt + DAY_MS);
  await audit();
  return await count(world, ledger, (performance.now() - startedAt) / 1000);
}

async function count(world: World, ledger: string[], seconds: number): Promise<Fortnight> {
  const { plan, witness, breaker, fleet } = world;
  const { taps } = witness;
  const marketing = taps.filter(({ campaign }) => world.campaigns.get(campaign)!.isMarketing);
  const tally = async (sql: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await fleet.ctx.db.execute(sql)).rows.map(({ name, n }) => [String(name), Number(n)]),
    );
  const states = await tally("SELECT state AS name, count(*) AS n FROM deliveries GROUP BY 1");
  const open = (states.queued ?? 0) + (states.leased ?? 0);
  const troubled = [...world.campaigns].filter(([, { trouble }]) => trouble !== null);
  const chain = await checkChain(fleet.ctx.db, fleet.ctx.audit, BEGINNING, 1_000_000);
  const atCap = await fleet.one(`SELECT count(*) AS n FROM (SELECT 1 FROM account_days t
    JOIN accounts a ON a.id = t.account GROUP BY a.device, t.day HAVING sum(t.used) >= ${plan.size.deviceCap})`);
  return {
    plan,
    accounts: world.accounts.size,
    recipients: sum(STATES.map((state) => states[state] ?? 0)),
    findings: {
      ...witness.judge(await readAccounts(world), plan.size.deviceCap),
      "campaigns stopped too late": breaker.late,
      "ledger and counters wrong": ledger,
      "deliveries without an end": open > 0 ? [`${open} are queued or leased`] : [],
      "audit log broken": chain.fault ? [JSON.stringify(chain.fault)] : [],
    },
    taps: taps.length,
    marketingTaps: marketing.length,
    marketingDays: witness.marketingDays().size,
    lastMinuteTaps: witness.inTheLastMinute(),
    unheardTaps: witness.unheard().length,
    states,
    skips: await tally(
      "SELECT reason AS name, count(*) AS n FROM deliveries WHERE state = 'skipped' GROUP BY 1",
    ),
    troubled: troubled.length,
    troubledStopped: troubled.filter(([id]) => breaker.pauses.some(({ campaign }) => campaign === id)).length,
    pauses: countBy(breaker.pauses.map(({ signal }) => signal)),
    rested: Number((await fleet.one("SELECT count(*) AS n FROM breaker_trips WHERE account IS NOT NULL")).n),
    lostAccounts: Number(
      (await fleet.one("SELECT count(*) AS n FROM accounts WHERE banned_at IS NOT NULL")).n,
    ),
    daysAtTheCap: Number(atCap.n),
    seconds,
  };
}

async function readAccounts({ fleet, plan, accounts }: World): Promise<AccountFacts[]> {
  const { rows } = await fleet.ctx.db.execute(`SELECT a.key, a.banned_at,
      (SELECT json_group_array(day) FROM account_scores s WHERE s.account = a.id AND NOT s.green) AS bad
    FROM accounts a`);
  return rows.map((row) => ({
    account: String(row.key),
    bannedDay: row.banned_at === null ? null : localClock(Number(row.banned_at)).day,
    firstBornDay: localClock(accounts.get(String(row.key))?.installedAt ?? plan.startsAt).day,
    badDays: new Set((JSON.parse(String(row.bad)) as number[]).map(asDate)),
  }));
}

/** Returns 2026-11-22 for 20261122. */
function asDate(day: number): string {
  return String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
