/** The whole product for a fortnight: the edge on a real database, its sites, its clients, and their recipients. */
import type { Outcome } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import { recordInventory } from "../../edge/devices/record_inventory.ts";
import { saveAdvertiser } from "../../edge/lawful/advertiser.ts";
import type { LeaseFrame } from "../../edge/queue/lease.ts";
import { suppressPhones } from "../../edge/queue/suppress.ts";
import { optOutStatements } from "../../edge/opt_out/opt_out.ts";
import { type Fleet, fleetOn, type TestClient } from "../../edge/testing/fleet.ts";
import { setRules } from "../../edge/testing/rules.ts";
import { silentLog, testContext } from "../../edge/testing/test_context.ts";
import { openTestDatabase } from "../../edge/testing/test_db.ts";
import { runAllDueTicks } from "../../edge/ticks.ts";
import { BreakerWatch } from "./breaker_watch.ts";
import { Clock } from "./clock.ts";
import { turningPoints } from "./jerusalem.ts";
import type { CampaignPlan, Plan } from "./plan.ts";
import { Site } from "./site.ts";
import { Witness } from "./witness.ts";
import { mulberry32 } from "shared/random.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The breaker's tick; the other duties have their own times. */
const TICK_MS = 5 * SECOND_MS;
const IDLE_ASK_MS = 15 * MINUTE_MS;
/** One in this many numbers of the town has no account. */
const ABSENT_EVERY = 60;
/** Tap counts of a campaign with bans at which one account is lost, then another. */
const BANS_AT = [30, 60];
const ADVERTISER = {
  name: "מאפיית השכונה",
  address: "הרצל 1, חיפה",
  phone: "04-8000000",
  email: "",
  removalLink: false,
};

type AccountState = "ok" | "banned" | "restricted";

interface Account {
  key: string;
  site: Site;
  installedAt: number;
  state: AccountState;
}

export interface Meeting {
  outcome: Outcome;
  reason: DeliveryReason | null;
  isTapped: boolean;
  isTemporary: boolean;
}

export class World implements AsyncDisposable {
  readonly witness = new Witness();
  readonly sites: Site[] = [];
  readonly accounts = new Map<string, Account>();
  readonly clients: TestClient[] = [];
  readonly campaigns = new Map<number, CampaignPlan>();
  readonly breaker: BreakerWatch;
  readonly #turningPoints: number[];
  readonly #tapsOf = new Map<number, number>();
  #mayHaveEvents = false;
  #lastEvent = 0;
  #isTickDue = false;

  private constructor(
    readonly plan: Plan,
    readonly fleet: Fleet,
    readonly clock: Clock,
    wakeable: { wake(): void },
  ) {
    this.breaker = new BreakerWatch(this);
    this.#turningPoints = turningPoints(plan.startsAt, plan.endsAt + DAY_MS);
    wakeable.wake = () => void (this.#mayHaveEvents = true);
  }

  /** Opens the world before the fortnight: sites are connected, clients have quota, no message was sent. */
  static async open(plan: Plan): Promise<World> {
    const database = await openTestDatabase();
    const clock = new Clock(plan.startsAt);
    const wakeable = { wake() {} };
    const tokens = mulberry32(plan.seed);
    const fleet = fleetOn({
      database,
      ctx: testContext(database.db, {
        now: () => Math.floor(clock.now),
        // Tokens come from it, and rows are ordered by tokens: the same seed gives the same fortnight.
        randomBytes: (length) => Uint8Array.from({ length }, () => Math.floor(tokens() * 256)),
        wakeOutbox: () => wakeable.wake(),
        log: { ...silentLog, error: failOn },
      }),
      pass: (ms) => void (clock.now += ms),
    });
    const world = new World(plan, fleet, clock, wakeable);
    await setRules(fleet, { maxMessagesPerDay: plan.size.deviceCap });
    await world.#furnish();
    return world;
  }

  random(): number {
    return this.plan.random();
  }

  chance(share: number): boolean {
    return this.plan.random() < share;
  }

  /** Returns when an idle site pulls next: after about 15 minutes, and soon after a change of the rules. */
  nextAsk(): number {
    const asked = this.clock.now + IDLE_ASK_MS * (0.5 + this.random());
    const near = this.#turningPoints.flatMap((point) => [point - 30 * SECOND_MS, point + SECOND_MS])
      .find((at) => at > this.clock.now + SECOND_MS);
    return near === undefined ? asked : Math.min(asked, near + this.random() * SECOND_MS);
  }

  /** Passes recalls to the sites, like the outbox. */
  async passRecalls(): Promise<void> {
    if (!this.#mayHaveEvents) return;
    this.#mayHaveEvents = false;
    const { rows } = await this.fleet.ctx.db.execute({
      sql: "SELECT id, type, site, data FROM events WHERE id > ? ORDER BY id",
      args: [this.#lastEvent],
    });
    for (const { id, type, site, data } of rows) {
      this.#lastEvent = Number(id);
      if (type !== "recall") continue;
      const { token, phones } = JSON.parse(String(data));
      this.sites.find(({ at }) => at.site === Number(site))?.recall(token, phones);
    }
  }

  /** Some recipients in this lease opt out at this very moment. */
  onLease({ campaign, items }: LeaseFrame): void {
    const { client } = this.campaigns.get(campaign)!;
    for (const { phone } of items) {
      if (this.chance(0.004)) this.#soon(20 * SECOND_MS, () => this.suppress(client, [phone]));
    }
  }

  /** A site is cut off, and some recipients of its messages opt out now. */
  onCut(rows: readonly { campaign: number; phone: string }[]): void {
    for (const { campaign, phone } of rows.slice(0, 2)) {
      this.#soon(5 * SECOND_MS, () => this.suppress(this.campaigns.get(campaign)!.client, [phone]));
    }
  }

  /** Returns the result of an attempt, and the reaction of the recipient. */
  meet(campaign: number, phone: string, key: string, site: Site): Meeting {
    const account = this.accounts.get(key)!;
    const { trouble } = this.campaigns.get(campaign)!;
    const taps = this.#tapsOf.get(campaign) ?? 0;
    if (trouble === "bans" && BANS_AT.includes(taps)) account.state = "banned";
    if (account.state !== "ok") {
      this.#soon(2 * SECOND_MS, () => site.sendInventory());
      if (trouble === "bans") this.#tapsOf.set(campaign, taps + 1);
      return untapped("void", account.state === "banned" ? "account_banned" : "account_restricted");
    }
    if (Number(phone) % ABSENT_EVERY === 0) return untapped("failed", "not_on_app");
    if (this.chance(0.01)) return { ...untapped("void", "chat_not_opened"), isTemporary: true };
    if (trouble === "failed" && this.chance(0.25)) return untapped("failed", "not_on_app");
    if (this.chance(trouble === "unknown" ? 0.15 : 0.002)) {
      return {
        outcome: "unknown",
        reason: "send_not_verified",
        isTapped: this.chance(0.7),
        isTemporary: false,
      };
    }
    this.#tapsOf.set(campaign, taps + 1);
    if (this.chance(trouble === "opted_out" ? 0.1 : 0.002)) {
      this.#soon(20 * MINUTE_MS, () => this.optOut(campaign, phone, site));
    }
    return { outcome: "sent", reason: null, isTapped: true, isTemporary: false };
  }

  /** A recipient asks for removal with a reply. */
  async optOut(campaign: number, phone: string, { at }: Site): Promise<void> {
    const { ctx } = this.fleet;
    const client = this.clients[this.campaigns.get(campaign)!.client]!.id;
    const optOut = {
      campaign,
      client,
      phone: Number(phone),
      by: "keyword" as const,
      actor: null,
      site: at.site,
    };
    await ctx.db.batch(optOutStatements(ctx, ctx.now(), optOut), "write");
    ctx.wakeOutbox();
    this.witness.suppressed(client, phone, this.clock.now);
    await this.passRecalls();
    this.tickSoon();
  }

  /** Adds numbers to a client's list (by its number in the plan), or to the global list (null). */
  async suppress(client: number | null, phones: readonly string[]): Promise<void> {
    const id = client === null ? 0 : this.clients[client]!.id;
    await suppressPhones(this.fleet.ctx, { client: id, source: "fortnight", phones: phones.map(Number) });
    for (const phone of phones) this.witness.suppressed(id, phone, this.clock.now);
    await this.passRecalls();
  }

  /** After a report: campaigns that must stop must be stopped, and the edge's tick follows within seconds. */
  async afterReport(campaigns: readonly number[], hasBadNews: boolean): Promise<void> {
    await this.breaker.check(campaigns, hasBadNews ? "report" : "nothing");
    await this.passRecalls();
    this.tickSoon();
  }

  tickSoon(): void {
    if (this.#isTickDue) return;
    this.#isTickDue = true;
    this.clock.at(this.clock.now + TICK_MS, async () => {
      this.#isTickDue = false;
      await this.tick();
    });
  }

  async tick(): Promise<void> {
    await runAllDueTicks(this.fleet.ctx);
    await this.breaker.check([...this.campaigns.keys()], "tick");
    await this.passRecalls();
  }

  async sendInventory(site: Site): Promise<void> {
    const own = [...this.accounts.values()].filter((account) => account.site === site);
    const { site: id, epoch, devices } = site.at;
    await recordInventory(this.fleet.ctx, { site: id, epoch }, {
      devices: devices.map((device) => ({
        ...{ device, address: `usb:${device}`, model: "Pixel", androidVersion: "14", state: "online" },
        ...{ batteryPercent: 80, proofAt: this.fleet.ctx.now(), addresses: [], stateDetail: null },
      })),
      accounts: own.map(({ key, state, installedAt }) => ({
        ...{ account: key, state, appVersion: "2.26.1", firstInstalledAt: installedAt },
        ...{ userKind: null, captions: null, ownNumber: null },
      })),
    });
    // An administrator confirms each account: unconfirmed accounts cannot stop a campaign.
    const trust = "UPDATE accounts SET trusted = 1 WHERE site = ?";
    await this.fleet.ctx.db.execute({ sql: trust, args: [id] });
  }

  async #furnish(): Promise<void> {
    const { size } = this.plan;
    for (let no = 0; no < size.sites; no++) {
      this.sites.push(new Site(this, await this.fleet.addSite(size.devicesPerSite)));
    }
    const devices = this.sites.flatMap((site) => site.at.devices.map((device) => ({ site, device })));
    const keys = [0, 10].flatMap((user) =>
      devices.slice(0, user === 0 ? undefined : size.secondAccounts)
        .map(({ site, device }) => ({ site, key: `${device}/com.whatsapp/${user}` }))
    );
    const youngEvery = Math.floor(keys.length / size.young);
    for (const [no, { site, key }] of keys.entries()) {
      const isYoung = no % youngEvery === 0;
      const installedAt = isYoung ? this.plan.startsAt - HOUR_MS : 0;
      this.accounts.set(key, { key, site, installedAt, state: "ok" });
    }
    for (const site of this.sites) await this.sendInventory(site);
    for (let no = 0; no < size.clients; no++) {
      const client = await this.fleet.addClient(size.recipients);
      await saveAdvertiser(this.fleet.ctx, client, ADVERTISER);
      this.clients.push(client);
    }
  }

  #soon(withinMs: number, act: () => Promise<void>): void {
    this.clock.at(this.clock.now + this.random() * withinMs, act);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
  }
}

function untapped(outcome: "failed" | "void", reason: DeliveryReason): Meeting {
  return { outcome, reason, isTapped: false, isTemporary: false };
}

function failOn(event: string, detail?: Record<string, unknown>): never {
  throw new Error(`The edge failed: ${event} ${JSON.stringify(detail)}`);
}
