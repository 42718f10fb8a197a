/**
 * The product under one plan: real processes with relays between them; it freezes them, reads them and ends the
 * run.
 */
import { Product } from "../product.ts";
import { pause, until } from "../wait.ts";
import { askAdbServer } from "./ask_adb_server.ts";
import { Client } from "./client.ts";
import { type Moment, readMoment, type Step } from "./moment.ts";
import { PARTS, type Plan } from "./plan.ts";
import { between } from "./random.ts";
import { Relay } from "./relay.ts";
import { FalseClock, SURVIVES_FULL_DISK } from "./site_machine.ts";
import { mulberry32, type Random } from "shared/random.ts";

/** Most time, and largest share of the contacts' taps, to wait for the wanted moment. */
const AIM_MS = 20_000;
const AIM_SHARE = 0.05;

export class World {
  readonly violations: string[] = [];
  /** False after the journal with the earlier taps was lost. */
  knowsJournal = true;
  readonly #random: Random;
  readonly #total: number;

  private constructor(
    readonly plan: Plan,
    readonly product: Product,
    readonly clients: Client[],
    /** Relays between agent and edge, and between agent and adb server. */
    readonly edgeRelay: Relay,
    readonly adbRelay: Relay,
    readonly clock: FalseClock | null,
  ) {
    this.#random = mulberry32(plan.seed ^ 0x5eed);
    this.#total = plan.contacts.reduce((sum, contacts) => sum + contacts, 0);
  }

  /** Starts the product, sends every campaign of the plan, and leaves it running. */
  static async start(plan: Plan): Promise<World> {
    const random = mulberry32(plan.seed ^ 0xace);
    const [edgeRelay, adbRelay] = [new Relay(random), new Relay(random)];
    edgeRelay.weather = plan.weather;
    const clock = plan.clockOffsetS === null ? null : FalseClock.make(plan.clockOffsetS);
    const product = await Product.start({
      devices: plan.devices,
      speed: plan.speed,
      faults: plan.faults,
      rateLimit: plan.rateLimit,
      maxMessagesPerDay: 10_000,
      simulatorSeed: `${plan.seed}`,
      relays(ports) {
        edgeRelay.target = ports.edge;
        adbRelay.target = ports.adb;
        return { edge: edgeRelay.port, adb: adbRelay.port };
      },
      prefix: { edge: SURVIVES_FULL_DISK, agent: [...SURVIVES_FULL_DISK, ...clock?.prefix ?? []] },
    });
    const clients: Client[] = [];
    for (const [index, contacts] of plan.contacts.entries()) {
      const name = `קמפיין ${plan.seed}-${index}`;
      const { hasImage, isPersonal } = plan;
      clients.push(await Client.make(product, index, { name, contacts, hasImage, isPersonal }));
    }
    for (const client of clients) await client.act("send");
    return new World(plan, product, clients, edgeRelay, adbRelay, clock);
  }

  /** Waits until this share of the contacts was tapped, or every campaign has ended. */
  async untilTapped(share: number): Promise<void> {
    const taps = share * this.#total;
    await until(
      () => Promise.resolve(this.product.taps().length >= taps || this.#unsettled() === ""),
      240_000,
      `tap ${Math.round(taps)}`,
    );
  }

  /**
   * Freezes every part when a row is at `step` (null = at any moment), and leaves them frozen. Gives up after a
   * while, or after a share of the contacts was tapped. Returns the moment.
   */
  async freezeAt(step: Step | null): Promise<Moment> {
    const until = Date.now() + AIM_MS;
    const maxTaps = this.product.taps().length + AIM_SHARE * this.#total;
    if (step === null) await pause(between(this.#random, 0, 300));
    let moment = await this.#look();
    while (step !== null && !moment.steps.has(step) && moment.taps < maxTaps && Date.now() < until) {
      this.thaw();
      await pause(between(this.#random, 1, 15));
      moment = await this.#look();
    }
    return moment;
  }

  /** Thaws every part. */
  thaw(): void {
    this.product.thaw(...PARTS);
  }

  /** Does to a phone what a person beside it could; a dead simulator restores its phones by itself. */
  async controlPhone(serial: string, act: string): Promise<void> {
    await askAdbServer(this.product.adbPort, `host:simulate:${serial}:${act}`).catch(() => {});
  }

  /**
   * Waits until every campaign has ended by itself and the site's journal is empty; reports the rest as a
   * violation.
   */
  async settle(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs;
    let left = "";
    while (Date.now() < end) {
      this.noteEnded();
      if (this.violations.length > 0) return;
      left = this.#unsettled();
      if (left === "") {
        const { rows } = await this.#look();
        this.thaw();
        if (rows.length === 0) return;
        left = `the journal holds ${JSON.stringify(rows.slice(0, 5))}`;
      }
      await pause(300);
    }
    this.violated(`does not end within ${timeoutMs / 1000} s: ${left}`);
  }

  /** Lets the owner of one `unknown` send it again; returns whether there was one. */
  async resendOne(): Promise<boolean> {
    for (const client of this.clients) {
      const [row] = this.product.query<{ id: number }>(
        `SELECT d.id FROM deliveries d JOIN campaigns c ON c.id = d.campaign
         WHERE d.campaign = ? AND d.state = 'unknown' AND c.status <> 'cancelled' ORDER BY d.id LIMIT 1`,
        client.campaign,
      );
      if (!row) continue;
      await client.resend(row.id);
      return true;
    }
    return false;
  }

  /** Reports parts that ended by themselves, whatever happened to the others. */
  noteEnded(): void {
    for (const name of PARTS) {
      const code = this.product.exitCode(name);
      if (code !== null) this.violated(`${name} ended by itself with code ${code}`);
    }
  }

  /** Records a violation once, although every check sees it again. */
  violated(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what);
  }

  async close({ keepsData = false } = {}): Promise<void> {
    this.thaw();
    await this.product.stop({ keepsData });
    await Promise.all([this.edgeRelay.close(), this.adbRelay.close()]);
    this.clock?.remove();
  }

  /** Freezes every part and reads the moment. */
  async #look(): Promise<Moment> {
    for (let attempt = 0;; attempt++) {
      await this.product.freeze(...PARTS);
      try {
        return this.#checked(readMoment(this.product));
      } catch (error) {
        // An edge frozen with a lock on its database blocks all readers.
        if (attempt === 50 || !/locked|locking/.test(String(error))) throw error;
        this.thaw();
        await pause(10);
      }
    }
  }

  #checked(moment: Moment): Moment {
    if (this.knowsJournal) {
      for (const tap of moment.tapsWithoutIntent) {
        this.violated(`no intent on the disk of tap ${JSON.stringify(tap)}`);
      }
    }
    return moment;
  }

  #unsettled(): string {
    const rows = this.product.query<{ campaign: number; state: string; reason: string | null; n: number }>(
      `SELECT campaign, state, reason, count(*) AS n FROM deliveries WHERE state IN ('queued', 'leased')
       GROUP BY campaign, state, reason`,
    );
    const statuses = this.product.query<{ id: number; status: string }>(
      "SELECT id, status FROM campaigns WHERE status IN ('processing', 'active', 'paused')",
    );
    return rows.length + statuses.length === 0 ? "" : JSON.stringify({ rows, statuses });
  }
}
