/** An installation of the previous release, updated part by part during a campaign. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Tap } from "../simulator/phone/tap_log.ts";
import type { HranaDoors } from "../edge/testing/hrana_process.ts";
import { Client } from "./faults/client.ts";
import { readMoment, type RowStep } from "./faults/moment.ts";
import { Relay } from "./faults/relay.ts";
import { testify } from "./faults/witness.ts";
import { logInAsAdmin, makeSite } from "./head_office.ts";
import { type PartName, Product, type ProductOptions } from "./product.ts";
import { PATIENCE_MS, pause, until } from "./wait.ts";
import { unpackReleaseBefore } from "./release_before.ts";
import { launchSite, Process } from "./two_edges_process.ts";
import { RETRY_DELAYS_MS } from "shared/delivery.ts";
import { mulberry32 } from "shared/random.ts";

/** One number of every campaign is not on the app. */
const NOT_ON_APP = 1;
/** Phones of a site, each with one sending account. */
const DEVICES = 3;
const SPEED = 20;
/** Minimum seconds between two messages of a phone: slow enough that a campaign outlasts its updates. */
const PACE_S = 0.3;
/** Delay of a statement to the remote database. */
const REMOTE_DELAY_MS = 2;
const APP_KEY = "the same for the release before and for this one";
const ENDED = /^completed/;
/** A kill between the decision to tap and the tap leaves a draft: its delivery waits for its first retry. */
const END_PATIENCE_MS = RETRY_DELAYS_MS[0]! + PATIENCE_MS;
const PARTS: readonly PartName[] = ["agent", "simulator", "edge"];
/** Log lines of an edge or an agent about an unknown or unacceptable message of the other side. */
const MISUNDERSTOOD = /edge_frame_refused|agent_frame_failed|bad_frame|"code":4400|upgrade_required/;
/** A site without an open socket sends one plain request for the reason; the edge logs that it was no upgrade. */
const ASKED_WHY = /"event":"request_refused".*"detail":"upgrade_required"/;

/** A second edge beside the product's own, on the same database and folder. */
export interface SecondEdge {
  url: string;
  /** Ends it, in order or at once, and starts it from the release in `root`, at the same address. */
  restart(root: string, how: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export class UpgradeWorld {
  readonly #processes: Process[] = [];
  readonly #otherTaps: (() => Tap[])[] = [];
  /** Number of killed parts; each may have caught a phone between tap and look. */
  #disturbed = 0;

  private constructor(
    readonly product: Product,
    readonly client: Client,
    /** Folder of the previous release. */
    readonly before: string,
    private readonly contacts: number,
    /** Between the first site's agent and the edges, in a balancer's place. */
    private readonly relay: Relay,
  ) {}

  /** Like with(), on a remote database that its edges reach over the network. */
  static async withRemote(contacts: number, test: (world: UpgradeWorld) => Promise<void>): Promise<void> {
    const dataDir = await Deno.makeTempDir({ prefix: "shigur-e2e-" });
    const args = ["edge/testing/hrana_process.ts", `${dataDir}/shigur.db`, `${REMOTE_DELAY_MS}`, "1"];
    const server = new Process("database", args, {});
    try {
      const { urls: [url] }: HranaDoors = JSON.parse(await server.line('{"urls"'));
      await UpgradeWorld.with(contacts, test, { dataDir, env: { edge: { DATABASE_URL: url!, APP_KEY } } });
    } finally {
      await server.stop();
    }
  }

  /** Runs `test` on an installation of the previous release, with a ready campaign of `contacts` contacts. */
  static async with(
    contacts: number,
    test: (world: UpgradeWorld) => Promise<void>,
    where: Pick<ProductOptions, "dataDir" | "env"> = {},
  ): Promise<void> {
    const before = await unpackReleaseBefore();
    const relay = new Relay(mulberry32(0));
    try {
      const product = await Product.start({
        ...where,
        devices: DEVICES,
        speed: SPEED,
        rateLimit: PACE_S,
        maxMessagesPerDay: 10_000,
        simulatorSeed: "an update",
        releases: { edge: before, agent: before },
        relays({ edge, adb }) {
          relay.target = edge;
          return { edge: relay.port, adb };
        },
      });
      try {
        const plan = { name: "עדכון", contacts, hasImage: true };
        const world = new UpgradeWorld(product, await Client.make(product, 0, plan), before, contacts, relay);
        try {
          await test(world);
        } catch (error) {
          throw new Error(`The processes' last lines:\n${world.#lastLines()}`, { cause: error });
        } finally {
          await world.#stopOthers();
        }
      } finally {
        product.thaw(...PARTS);
        await product.stop();
      }
    } finally {
      await relay.close();
      await Deno.remove(before, { recursive: true });
    }
  }

  /** Returns the taps of every site, in the order of their clocks. */
  taps(): Tap[] {
    const all = [this.product.taps(), ...this.#otherTaps.map((taps) => taps())].flat();
    return all.sort((one, other) => one.at < other.at ? -1 : 1);
  }

  /** Waits for this many more taps. */
  async untilTapped(more: number): Promise<void> {
    const wanted = Math.min(this.taps().length + more, this.contacts - NOT_ON_APP);
    await until(() => Promise.resolve(this.taps().length >= wanted), PATIENCE_MS, `tap ${wanted}`);
  }

  /**
   * Kills `name` while a row of the first site's journal is at `step`. Then starts it from the release in `root`
   * on the same data. With `silent` the edge is frozen meanwhile: unreported outcomes accumulate.
   */
  async replaceAt(
    step: RowStep,
    name: "edge" | "agent",
    { root, silent = false }: { root?: string; silent?: boolean } = {},
  ): Promise<void> {
    const { product } = this;
    const moving = PARTS.filter((part) => part !== "edge" || !silent);
    await product.freeze(...PARTS);
    const end = performance.now() + PATIENCE_MS;
    while (!readMoment(product).steps.has(step)) {
      assert.doesNotMatch(this.#status(), ENDED, `a row at ${step} comes before the end`);
      assert.ok(performance.now() < end, `a row at ${step} comes in time`);
      product.thaw(...moving);
      await pause(5);
      await product.freeze(...PARTS);
    }
    this.#disturbed += 1;
    await product.kill(name);
    product.thaw(...PARTS);
    await this.#launch(name, root);
  }

  /** Ends `name` like its supervisor, and starts it from the release in `root`. */
  async replaceInOrder(name: "edge" | "agent", root?: string): Promise<void> {
    this.#disturbed += 1;
    await this.product.stopPart(name);
    await this.#launch(name, root);
  }

  /** Backs the database up with the release that serves it; returns the backup's folder. */
  async backup(): Promise<string> {
    const { code, text } = await this.product.command("backup");
    assert.equal(code, 0, text);
    return /^Backed up in (.+)$/m.exec(text)![1]!;
  }

  /** Stops the present edge, restores `backup` with the previous release, and starts that release's edge. */
  async takeEdgeBack(backup: string): Promise<void> {
    this.#disturbed += 1;
    await this.product.stopPart("edge");
    this.product.releases.edge = this.before;
    const { code, text } = await this.product.command("restore", backup);
    assert.equal(code, 0, text);
    await this.product.launch("edge");
  }

  /** Makes the first site's agent reconnect, to the edge at `url`. */
  moveSiteTo(url: string): void {
    this.relay.target = Number(new URL(url).port);
    this.relay.cut();
  }

  /** Starts another edge of the previous release, beside the product's own. */
  async addEdge(): Promise<SecondEdge> {
    const { product } = this;
    const start = async (root: string | undefined, port: string) => {
      const env = {
        PORT: port,
        DATA_DIR: product.dataDir,
        WEB_DIR: product.dataDir,
        EMBEDDED_SITE: "1",
        STOP_DRAIN_MS: "500",
      };
      const process = new Process("edge beside", ["edge/main.ts"], env, [], root);
      this.#processes.push(process);
      return { process, url: String(JSON.parse(await process.line('{"event":"edge_ready"')).url) };
    };
    let { process, url } = await start(this.before, "0");
    return {
      url,
      restart: async (root, how) => {
        await (how === "SIGTERM" ? process.end("SIGTERM") : process.kill());
        ({ process, url } = await start(root, new URL(url).port));
      },
    };
  }

  /** Starts another site of the release in `root`, whose agent knows only the edge at `url`. */
  async addSite(name: string, url: string, root?: string): Promise<void> {
    const joinToken = await makeSite(await logInAsAdmin(this.product), name);
    const site = { name, url, joinToken, devices: DEVICES, speed: SPEED, root };
    const { taps } = await launchSite(`${this.product.dataDir}/${name}`, site, this.#processes);
    this.#otherTaps.push(taps);
  }

  /** Waits for the campaign's end and asserts that no message was doubled or lost and every rule was kept. */
  async endsWell({ wasRestored = false } = {}): Promise<void> {
    await until(() => Promise.resolve(ENDED.test(this.#status())), END_PATIENCE_MS, "the campaign's end");
    const isEmpty = () => readMoment(this.product).rows.length === 0;
    await until(() => Promise.resolve(isEmpty()), PATIENCE_MS, "an empty journal");
    const misunderstood = this.#lines().filter((line) => MISUNDERSTOOD.test(line) && !ASKED_WHY.test(line));
    assert.deepEqual(misunderstood, [], "both sides understand each other");
    const folder = this.#witnessFolder();
    const { violations, states, unknown } = testify(folder, {
      contacts: new Map([[this.client.campaign, this.contacts]]),
      unknownPerDevice: this.#disturbed,
    });
    // A site's report about a lost time names no account that the restored database knew.
    const isOfLostTime = (violation: string) => wasRestored && violation.includes(" is by null, ");
    assert.deepEqual(violations.filter((violation) => !isOfLostTime(violation)), []);
    assert.equal(states.failed, NOT_ON_APP, JSON.stringify(states));
    assert.equal(
      (states.sent ?? 0) + (states.unknown ?? 0),
      this.contacts - NOT_ON_APP,
      JSON.stringify(unknown),
    );
    const phones = this.taps().map(({ phone }) => phone);
    assert.equal(new Set(phones).size, phones.length, "nobody twice");
    assert.equal(await this.product.audit(), "All rules hold.");
  }

  /** Returns the names of the migrations in the database. */
  migrations(): string[] {
    return this.product.query<{ name: string }>("SELECT name FROM schema_migrations ORDER BY name")
      .map(({ name }) => name);
  }

  #status(): string {
    const [row] = this.product.query<{ status: string }>(
      "SELECT status FROM campaigns WHERE id = ?",
      this.client.campaign,
    );
    return row!.status;
  }

  async #launch(name: "edge" | "agent", root?: string): Promise<void> {
    this.product.releases[name] = root;
    await this.product.launch(name);
  }

  /** Makes a folder for testify(), with the taps of every site. */
  #witnessFolder(): string {
    const folder = `${this.product.dataDir}/witness`;
    Deno.mkdirSync(`${folder}/simulator`, { recursive: true });
    const db = new DatabaseSync(`${this.product.dataDir}/shigur.db`, { readOnly: true });
    db.exec(`VACUUM INTO '${folder}/shigur.db'`);
    db.close();
    const lines = this.taps().map((tap) => `${JSON.stringify(tap)}\n`);
    Deno.writeTextFileSync(`${folder}/simulator/taps.jsonl`, lines.join(""));
    return folder;
  }

  async #stopOthers(): Promise<void> {
    for (const start of ["agent", "simulator", "edge"]) {
      await Promise.all(
        this.#processes.filter(({ name }) => name.startsWith(start)).map((one) => one.stop()),
      );
    }
  }

  #lines(): string[] {
    const others = this.#processes.flatMap(({ name, lines }) => lines.map((line) => `${name} | ${line}`));
    return [...this.product.lines.flatMap((text) => text.split("\n")), ...others];
  }

  #lastLines(): string {
    return this.#lines().slice(-60).map((line) => line.slice(0, 240)).join("\n");
  }
}
