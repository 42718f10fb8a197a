/** A busy world with faults of every kind: no campaign ever stands for long without a sentence that says why. */
import assert from "node:assert/strict";
import { mulberry32 } from "shared/random.ts";
import { STALL_MS } from "shared/standing.ts";
import { SEED } from "shared/testing/seed.ts";
import { checkCampaigns, watchCampaigns } from "../health/check_campaigns.ts";
import { restAccounts } from "../health/rest_accounts.ts";
import { pauseCampaign } from "../queue/pause.ts";
import { resumeCampaign } from "../queue/resume.ts";
import { runDueTicks } from "../queue/ticks.ts";
import { drainSite } from "../sites/drain.ts";
import { type Fleet, openFleet, type TestSite } from "../testing/fleet.ts";
import { acknowledge, pull, report, sendNew, type SentCampaign } from "../testing/queue_acts.ts";
import { passTo, sendMarketing, setRules } from "../testing/rules.ts";
import { saysWhy } from "./notices.ts";
import { showCampaign } from "./view.ts";

const STEP_MS = 20_000;
const STEPS = 360;
/** Looks are this far apart, and a campaign may take one more to be seen moving. */
const SLACK_MS = 2 * STEP_MS;
const ADMIN = { client: 0, person: 0, username: "", role: "admin", duty: "owner", sessionHash: "" } as const;

interface BusySite {
  site: TestSite;
  /** What its agent does: works, takes and stays silent, takes and never confirms, gives back, asks nothing, is away. */
  mood: "works" | "silent" | "unconfirmed" | "gives_back" | "asks_nothing" | "away";
}
const MOODS: readonly BusySite["mood"][] = [
  "works",
  "works",
  "works",
  "silent",
  "unconfirmed",
  "gives_back",
  "asks_nothing",
  "away",
];

class BusyWorld {
  readonly #random: () => number;
  readonly sites: BusySite[] = [];
  readonly campaigns: SentCampaign[] = [];
  /** How often each notice was the reason that a campaign stood. */
  readonly reasons = new Map<string, number>();
  readonly #seen = new Map<number, { moved: string; since: number; silentSince: number | null }>();

  constructor(readonly fleet: Fleet, seed: number) {
    this.#random = mulberry32(seed);
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }

  async begin(): Promise<void> {
    const { fleet } = this;
    // Late on a Sunday: closing time comes within the test.
    passTo(fleet, "2026-11-22T18:40:00+02:00");
    await setRules(fleet, {
      rateLimit: 0,
      maxMessagesPerDay: this.pick([30, 80, 250]),
      hourlyPercent: 25,
      unconfirmedPerDay: 10,
      autoFailover: this.pick([true, false]),
    });
    for (let index = 0; index < 3; index++) this.sites.push({ site: await fleet.addSite(2), mood: "works" });
    if (this.pick([true, false])) {
      await fleet.ctx.db.execute("UPDATE accounts SET trusted = 0 WHERE site = 3");
    }
    for (let index = 0; index < 5; index++) {
      const send = this.pick([sendNew, sendMarketing]);
      this.campaigns.push(await send(fleet, 20 + Math.floor(this.#random() * 200)));
    }
  }

  async step(): Promise<void> {
    const { fleet } = this;
    fleet.pass(STEP_MS);
    if (this.#random() < 0.15) this.pick(this.sites).mood = this.pick(MOODS);
    if (this.#random() < 0.08) await this.#mishap();
    for (const one of this.sites) await this.#live(one);
    await runDueTicks(fleet.ctx);
    await watchCampaigns(fleet.ctx);
    await restAccounts(fleet.ctx);
  }

  async #live({ site, mood }: BusySite): Promise<void> {
    const { fleet } = this;
    if (mood === "away") return;
    const { ctx } = fleet;
    const args = [ctx.now(), site.site];
    await ctx.db.execute({ sql: "UPDATE sites SET last_seen_at = ? WHERE id = ?", args });
    if (mood === "asks_nothing") return;
    const { rows } = await ctx.db.execute({
      sql: "SELECT key FROM devices WHERE site = ? AND state = 'online' AND stopped = 0",
      args: [site.site],
    });
    const lease = await pull(fleet, { ...site, devices: rows.map(({ key }) => String(key)) }, 2);
    if (lease === null || mood === "unconfirmed") return;
    await acknowledge(fleet, site, lease.token);
    if (mood === "silent") return;
    const failed = this.#random() < 0.05;
    const outcome = mood === "gives_back" ? "void" : failed ? "failed" : "sent";
    const more = mood === "gives_back" ? { temporary: this.pick([true, false]) } : {};
    await report(fleet, site, lease, outcome, more);
    if (outcome === "failed") await checkCampaigns(ctx, [lease.campaign]);
  }

  async #mishap(): Promise<void> {
    const { ctx } = this.fleet;
    const sql = (text: string) => ctx.db.execute(text);
    const campaign = this.pick(this.campaigns);
    const owner = { client: campaign.client.id, person: campaign.client.id, role: "client" as const };
    const device = `(SELECT id FROM devices ORDER BY id LIMIT 1 OFFSET ${Math.floor(this.#random() * 6)})`;
    await this.pick([
      () => sql(`UPDATE devices SET state = 'offline', updated_at = ${ctx.now()} WHERE id = ${device}`),
      () => sql(`UPDATE devices SET state = 'online', updated_at = ${ctx.now()}`),
      () =>
        sql(`UPDATE accounts SET state = 'logged_out', updated_at = ${ctx.now()} WHERE device = ${device}`),
      () => sql(`UPDATE accounts SET state = 'ok', updated_at = ${ctx.now()}`),
      () => sql(`UPDATE devices SET stopped = 1 WHERE id = ${device}`),
      () => sql("UPDATE devices SET stopped = 0"),
      () => drainSite(ctx, this.pick(this.sites).site),
      () => sql("UPDATE sites SET draining = 0"),
      () => pauseCampaign(ctx, owner, campaign.id).catch(() => {}),
      () => resumeCampaign(ctx, owner, campaign.id).catch(() => {}),
    ])();
  }

  /** @throws AssertionError when a campaign has stood too long without a sentence */
  async witness(): Promise<void> {
    const { ctx } = this.fleet;
    const now = ctx.now();
    const { rows } = await ctx.db.execute(
      `SELECT id, sent_count + failed_count + unknown_count + skipped_count AS done,
        (SELECT max(acked_at) FROM deliveries WHERE campaign = c.id AND state = 'leased') AS acked
      FROM campaigns c WHERE status IN ('processing', 'active', 'paused')`,
    );
    for (const row of rows) {
      const id = Number(row.id);
      const { notices, counts } = await showCampaign(ctx, ADMIN, id);
      const moved = `${row.done} ${row.acked}`;
      const before = this.#seen.get(id);
      const isSaid = saysWhy({ queuedCount: counts.queued }, notices);
      const since = before?.moved === moved ? before.since : now;
      const silentSince = isSaid ? null : before?.silentSince ?? now;
      this.#seen.set(id, { moved, since, silentSince });
      if (isSaid) { for (const { code, cause } of notices) this.#count(cause ? `${code} ${cause}` : code); }
      if (silentSince === null) continue;
      const stoodMs = now - Math.max(since, silentSince);
      assert.ok(
        stoodMs <= STALL_MS + SLACK_MS,
        `Campaign ${id} stands for ${stoodMs / 1000} s at ${new Date(now).toISOString()}: ${
          JSON.stringify(notices)
        } ${JSON.stringify(counts)} ${JSON.stringify(this.sites.map(({ mood }) => mood))}`,
      );
    }
  }

  #count(reason: string): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }
}

Deno.test("in a busy world with faults no campaign stands for more than minutes without a sentence", async () => {
  const reasons = new Set<string>();
  for (const seed of [SEED, SEED + 1, SEED + 2]) {
    await using fleet = await openFleet();
    const world = new BusyWorld(fleet, seed);
    await world.begin();
    for (let step = 0; step < STEPS; step++) {
      await world.step();
      await world.witness();
    }
    for (const reason of world.reasons.keys()) reasons.add(reason);
  }
  // A world in which nothing went wrong would prove nothing.
  assert.ok(reasons.size >= 5, [...reasons].join(", "));
});
