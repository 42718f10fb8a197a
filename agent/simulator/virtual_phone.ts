import { createHash } from "node:crypto";
import { LATENCY_MS, ProcessKilledError, SimulatorClock } from "./clock.ts";
import { PhoneFileSystem } from "./file_system.ts";
import type { Liar } from "./lies.ts";
import { type AccountState, MessagingApp } from "./messaging_app.ts";
import type { TapLog } from "./tap_log.ts";
import type { PhoneTraits } from "./traits.ts";

/** How the ADB server lists the phone; an unplugged one it does not list. */
export type Availability = "device" | "offline" | "unauthorized" | "unplugged";

/** What the phone shows, beneath any dialog and the lock screen. */
export type Screen =
  | { kind: "home" }
  | { kind: "chats"; account: MessagingApp }
  | { kind: "chat"; account: MessagingApp; number: string }
  | { kind: "picture"; account: MessagingApp; number: string; path: string; caption: string };

/** A dialog takes every tap until it is dismissed. */
export type Dialog =
  | { kind: "notOnApp"; account: MessagingApp; number: string }
  | { kind: "shareConfirm"; account: MessagingApp; number: string; next: Screen }
  | { kind: "smsDefault"; account: MessagingApp; showsChatBeneath: boolean }
  | { kind: "chooser"; accounts: MessagingApp[] };

export interface PhoneContext {
  clock: SimulatorClock;
  liar: Liar;
  tapLog: TapLog;
  /** Called after every change of availability. */
  onAvailability(phone: VirtualPhone): void;
}

const SCREEN_TIMEOUT_MS = 30_000;
const FIRST_UPTIME_MS = 3 * 86_400_000;

/** One phone's state and what can happen to it. It knows no sockets, no command lines and no XML. */
export class VirtualPhone {
  readonly files = new PhoneFileSystem();
  readonly accounts: MessagingApp[];
  availability: Availability = "device";
  bootId: string = crypto.randomUUID();
  isAwake = false;
  isLocked = true;
  staysAwake = false;
  battery = { level: 87, temperatureTenths: 285, isCharging: true };
  screen: Screen = { kind: "home" };
  dialog: Dialog | null = null;
  /** Whether all of the draft is selected, as after Ctrl+A. */
  isDraftSelected = false;
  /** Consumed by the next dump: see LIES.dumpFailsAfterSend. */
  nextDumpFails = false;
  #bootedAt: number;
  #touchedAt: number;
  #arriving: { at: number; arrive: () => void } | null = null;

  constructor(readonly traits: PhoneTraits, readonly context: PhoneContext) {
    this.#touchedAt = context.clock.now();
    this.#bootedAt = this.#touchedAt - FIRST_UPTIME_MS;
    this.accounts = traits.accounts.map((account) => new MessagingApp(account, context.clock));
  }

  get serial(): string {
    return this.traits.serial;
  }

  /** Uptime is the simulator's own time, whatever its speed: deadlines on the phone are in real seconds. */
  get uptimeMs(): number {
    return this.context.clock.now() - this.#bootedAt;
  }

  findAccount(key: string): MessagingApp | undefined {
    return this.accounts.find((account) => account.key === key);
  }

  /** Lets what time alone does happen: a slow start arrives, an idle screen goes dark. */
  settle(): void {
    const now = this.context.clock.now();
    if (this.#arriving && this.#arriving.at <= now) {
      const { arrive } = this.#arriving;
      this.#arriving = null;
      arrive();
    }
    if (this.isAwake && !this.staysAwake && now - this.#touchedAt > SCREEN_TIMEOUT_MS) this.sleep();
  }

  /** Waits a real phone's latency, divided by the speed; see wait(). */
  async latency(ms: number): Promise<void> {
    await this.wait(this.context.clock.scaled(ms));
  }

  /** Waits as long as it says; throws ProcessKilledError when the phone rebooted meanwhile. */
  async wait(ms: number): Promise<void> {
    const { bootId } = this;
    await this.context.clock.wait(ms);
    if (this.bootId !== bootId) throw new ProcessKilledError("The phone rebooted");
    this.settle();
  }

  touch(): void {
    this.#touchedAt = this.context.clock.now();
  }

  wake(): void {
    this.isAwake = true;
    this.touch();
  }

  sleep(): void {
    this.isAwake = false;
    this.isLocked = true;
  }

  /** Only a swipe lock opens without a person. */
  dismissKeyguard(): void {
    if (this.isAwake && !this.traits.hasPin) this.isLocked = false;
  }

  /** What `am start` sets off: the screen changes now, seconds later, or never. */
  start(arrive: () => void): void {
    const { liar, clock } = this.context;
    this.#arriving = null;
    if (liar.tells("startIgnored")) return;
    if (!liar.tells("startSlow")) return arrive();
    this.#arriving = { at: clock.now() + clock.scaled(LATENCY_MS.late * liar.roll()), arrive };
  }

  /** A dialog already up stays up, over the new screen. */
  show(screen: Screen): void {
    this.screen = screen;
    this.isDraftSelected = false;
  }

  /** A link to a chat: a text replaces the draft, no text leaves it. */
  openChat(account: MessagingApp, number: string, text: string): void {
    if (account.state !== "ok") return this.show({ kind: "chats", account });
    if (this.isNotOnApp(number)) {
      this.dialog = { kind: "notOnApp", account, number };
      return;
    }
    if (text !== "") account.drafts.set(number, text);
    this.show({ kind: "chat", account, number });
    if (this.context.liar.tells("dialogOverChat")) {
      this.dialog ??= { kind: "smsDefault", account, showsChatBeneath: true };
    }
  }

  /** A share intent: a file that is not there leaves the screen as it was, with no more than a toast. */
  openPicture(account: MessagingApp, number: string, path: string, caption: string): void {
    if (account.state !== "ok") return this.show({ kind: "chats", account });
    if (!this.files.read(path)) return;
    if (this.isNotOnApp(number)) {
      this.dialog = { kind: "notOnApp", account, number };
      return;
    }
    const isCaptionLost = this.traits.dropsCaptions || this.context.liar.tells("captionLost");
    const next: Screen = { kind: "picture", account, number, path, caption: isCaptionLost ? "" : caption };
    if (this.traits.confirmsShare) this.dialog = { kind: "shareConfirm", account, number, next };
    else this.show(next);
  }

  /** Numbers ending in 0000 are never on the app, so that a person or a test can meet one at will. */
  isNotOnApp(number: string): boolean {
    return number.endsWith("0000") || this.context.liar.tellsOf("numberNotOnApp", number);
  }

  /** What a tap on send does: the log has it before anything shows it. */
  send(): void {
    const { screen } = this;
    const { liar, clock, tapLog } = this.context;
    if (screen.kind !== "chat" && screen.kind !== "picture") return;
    const { account, number } = screen;
    const text = screen.kind === "chat" ? account.drafts.get(number) ?? "" : screen.caption;
    const image = screen.kind === "picture" ? this.#hashOf(screen.path) : null;
    const tap = {
      at: new Date(clock.now()).toISOString(),
      serial: this.serial,
      account: account.key,
      phone: `+${number}`,
      text,
      image,
    };
    tapLog.append(tap);
    account.addTap(tap, liar.tells("rowLate") ? clock.scaled(LATENCY_MS.late * liar.roll()) : 0);
    if (screen.kind === "chat") account.drafts.delete(number);
    else this.show({ kind: "chat", account, number });
    this.nextDumpFails = liar.tells("dumpFailsAfterSend");
  }

  /** Goes back from where the phone is, as the back key does. */
  back(): void {
    if (this.dialog) this.dialog = null;
    else if (this.screen.kind === "picture") this.show({ ...this.screen, kind: "chat" });
    else if (this.screen.kind === "chat") this.show({ kind: "chats", account: this.screen.account });
    else this.show({ kind: "home" });
  }

  home(): void {
    this.dialog = null;
    this.show({ kind: "home" });
  }

  forceStop(app: string): void {
    if (this.screen.kind !== "home" && this.screen.account.traits.app === app) this.show({ kind: "home" });
    if (this.dialog && this.dialog.kind !== "chooser" && this.dialog.account.traits.app === app) {
      this.dialog = null;
    }
    this.#arriving = null;
  }

  setAccountState(key: string, state: AccountState): void {
    const account = this.findAccount(key);
    if (!account) {
      throw new RangeError(`Cannot change account ${JSON.stringify(key)}: ${this.serial} has none such`);
    }
    account.state = state;
  }

  setAvailability(availability: Availability): void {
    if (this.availability === availability) return;
    this.availability = availability;
    this.context.onAvailability(this);
  }

  unplug(): void {
    this.setAvailability("unplugged");
  }

  replug(): void {
    this.setAvailability("device");
  }

  lock(): void {
    this.sleep();
  }

  setBattery(level: number): void {
    this.battery.level = level;
  }

  /** Gone at once with everything that ran; back after the latency of a boot, locked and dark, drafts kept. */
  async reboot(): Promise<void> {
    this.bootId = crypto.randomUUID();
    this.#bootedAt = this.context.clock.now();
    this.home();
    this.sleep();
    this.#arriving = null;
    this.staysAwake = false;
    this.nextDumpFails = false;
    this.setAvailability("unplugged");
    await this.latency(LATENCY_MS.reboot);
    this.setAvailability("device");
  }

  /** Offline for some seconds; comes back only if nothing else happened to it meanwhile. */
  async goOfflineForAMoment(): Promise<void> {
    this.setAvailability("offline");
    const { clock, liar } = this.context;
    await clock.wait(clock.scaled(LATENCY_MS.offlineMoment * (0.2 + liar.roll())));
    if (this.availability === "offline") this.setAvailability("device");
  }

  #hashOf(path: string): string | null {
    const file = this.files.read(path);
    return file && createHash("sha256").update(file.bytes).digest("hex");
  }
}
