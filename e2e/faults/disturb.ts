/** Runs the timeline of a plan on its world. */
import type { PartName } from "../product.ts";
import { pause } from "../wait.ts";
import type { Client } from "./client.ts";
import type { Moment, Step } from "./moment.ts";
import { type Act, PARTS, type Victim } from "./plan.ts";
import { CALM, type Weather } from "./relay.ts";
import { setDiskFull } from "./site_machine.ts";
import type { World } from "./world.ts";

/** One completed act, and the site's journal steps at that moment. */
export interface Disturbance {
  kind: Act["kind"];
  victim: string | null;
  aim: Step | null;
  steps: readonly Step[];
  taps: number;
}

/** Text that only tap commands contain. */
export const TAP_COMMAND = "input tap ";
const RUNNING = ["processing", "active"];

/** Runs every act of the plan at its time and resolves after the last; adds each to `done`. */
export async function disturb(world: World, done: Disturbance[]): Promise<void> {
  const disturber = new Disturber(world, done);
  for (const { at, act } of world.plan.timeline) {
    await world.untilTapped(at);
    await disturber.do(act);
    world.noteEnded();
  }
  await disturber.untilOver();
}

class Disturber {
  /** Acts that still last when the next one starts. */
  readonly #lasting: Promise<void>[] = [];
  /** Network acts run one at a time. */
  #network: Promise<void> = Promise.resolve();

  constructor(private readonly world: World, private readonly done: Disturbance[]) {}

  async untilOver(): Promise<void> {
    await Promise.all(this.#lasting);
  }

  async do(act: Act): Promise<void> {
    switch (act.kind) {
      case "kill":
        return await this.#kill(act);
      case "freeze": {
        await this.#aimedAt(act, act.aim);
        this.world.product.thaw(...PARTS.filter((part) => act.victim !== "all" && act.victim !== part));
        await pause(act.frozenMs);
        return this.world.thaw();
      }
      case "unplug": {
        const serial = this.#serialAt(await this.#aimedAt(act, act.aim), act.aim);
        return this.#atOnce(() => this.#unplug(serial, act.awayMs));
      }
      case "reboot": {
        const serial = this.#serialAt(await this.#aimedAt(act, act.aim), act.aim);
        return this.#atOnce(() => this.world.controlPhone(serial, "reboot"));
      }
      case "linger": {
        await this.#aimedAt(act, null);
        return this.#atOnce(() => this.#lingerFor(act.lastsMs, act.lingerMs));
      }
      case "full disk": {
        await this.#aimedAt(act, null);
        this.world.thaw();
        return await this.#fillDisk(act.victim, act.fullMs);
      }
      case "clock": {
        await this.#aimedAt(act, null);
        this.world.clock?.set(act.offsetS);
        return this.world.thaw();
      }
      case "cut": {
        await this.#aimedAt(act, act.aim);
        return this.#atOnce(() => this.#withNetwork(() => this.#downFor(act.awayMs)));
      }
      case "half-open": {
        await this.#aimedAt(act, act.aim);
        return this.#atOnce(() => this.#withNetwork(() => this.#silentFor(act.silentMs)));
      }
      case "storm": {
        await this.#aimedAt(act, null);
        return this.#atOnce(() => this.#withNetwork(() => this.#weatherFor(act.weather, act.lastsMs)));
      }
      case "pause": {
        await this.#aimedAt(act, null);
        this.world.thaw();
        const paused = await this.#pauseAll();
        await pause(act.pausedMs);
        return await this.#resume(paused);
      }
      case "cancel": {
        await this.#aimedAt(act, null);
        this.world.thaw();
        return await this.world.clients[0]!.act("cancel");
      }
    }
  }

  async #kill(act: Extract<Act, { kind: "kill" }>): Promise<void> {
    // The site of a running campaign almost always has work; the site of a paused one has none.
    const paused = act.aim === "empty" ? await this.#pauseAll() : [];
    await this.#aimedAt(act, act.aim);
    await this.#killFrozen(act.victim, act.downMs);
    if (act.againMs !== null) {
      await pause(act.againMs);
      await this.#aimedAt({ ...act, aim: null }, null);
      await this.#killFrozen(act.victim, act.downMs);
    }
    await this.#resume(paused);
  }

  /** With everything frozen: kills the victim, thaws the others, and restarts the victim. */
  async #killFrozen(victim: Victim, downMs: number): Promise<void> {
    const { product } = this.world;
    if (victim === "adb") {
      await this.world.adbRelay.down();
      this.world.thaw();
      await pause(300 + downMs);
      return this.world.adbRelay.up();
    }
    const names = victim === "all" ? PARTS : [victim];
    await product.kill(...names);
    this.world.thaw();
    await pause(downMs);
    for (const name of names) await product.launch(name);
  }

  /** Freezes everything when the site is at `aim`, records the act, and leaves everything frozen. */
  async #aimedAt(act: Act, aim: Step | null): Promise<Moment> {
    const moment = await this.world.freezeAt(aim);
    const victim = "victim" in act ? act.victim : null;
    const { kind } = act;
    this.done.push({ kind, victim, aim, steps: [...moment.steps].sort(), taps: moment.taps });
    return moment;
  }

  #serialAt({ rows }: Moment, step: Step): string {
    const found = rows.find((row) => row.step === step) ?? rows[0];
    return found?.serial ?? "SIM0001";
  }

  /** Begins a lasting act, then thaws everything. */
  #atOnce(begin: () => Promise<void>): void {
    this.#lasting.push(begin());
    this.world.thaw();
  }

  #withNetwork(act: () => Promise<void>): Promise<void> {
    return this.#network = this.#network.then(act);
  }

  async #downFor(awayMs: number): Promise<void> {
    await this.world.edgeRelay.down();
    await pause(awayMs);
    this.world.edgeRelay.up();
  }

  async #silentFor(silentMs: number): Promise<void> {
    await this.#weatherFor({ ...CALM, isSwallowing: true }, silentMs);
    // The swallowed bytes are missing from the stream, so this connection can never work again.
    this.world.edgeRelay.cut();
  }

  async #weatherFor(weather: Weather, lastsMs: number): Promise<void> {
    this.world.edgeRelay.weather = weather;
    await pause(lastsMs);
    this.world.edgeRelay.weather = this.world.plan.weather;
  }

  async #lingerFor(lastsMs: number, lingerMs: number): Promise<void> {
    this.world.adbRelay.weather = { ...CALM, lingering: { text: TAP_COMMAND, forMs: lingerMs } };
    await pause(lastsMs);
    this.world.adbRelay.weather = CALM;
    // Wait for the commands that still linger.
    await pause(lingerMs);
  }

  async #unplug(serial: string, awayMs: number): Promise<void> {
    await this.world.controlPhone(serial, "unplug");
    await pause(awayMs);
    await this.world.controlPhone(serial, "replug");
  }

  async #fillDisk(victim: PartName, fullMs: number): Promise<void> {
    const { product } = this.world;
    const pid = product.pid(victim);
    if (pid === null) return;
    await setDiskFull(pid, true);
    const end = Date.now() + fullMs;
    while (Date.now() < end && product.pid(victim) !== null) await pause(20);
    await setDiskFull(pid, false);
    // A part that cannot write may end; its supervisor starts it again.
    await pause(200);
    const code = product.exitCode(victim);
    if (code === null) return;
    // Codes 1 and 2 mean that a restart is useless.
    if (code <= 2) this.world.violated(`${victim} gave up with code ${code} when its disk was full`);
    await product.kill(victim);
    await product.launch(victim);
  }

  async #pauseAll(): Promise<Client[]> {
    const { product, clients } = this.world;
    const running = clients.filter(({ campaign }) => {
      const [row] = product.query<{ status: string }>("SELECT status FROM campaigns WHERE id = ?", campaign);
      return RUNNING.includes(row!.status);
    });
    for (const client of running) await client.act("pause");
    return running;
  }

  async #resume(paused: Client[]): Promise<void> {
    for (const client of paused) await client.act("resume");
  }
}
