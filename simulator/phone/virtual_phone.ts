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
  | { kind: "smsDefault"; account: MessagingApp; showsChatBeneath?: boolean; sticks?: boolean }
  /** Android asks whether the app may do something. */
  | { kind: "permission"; account: MessagingApp }
  /** Android says that the app hangs: neither the back key nor another start ends this, only the end of the app. */
  | { kind: "notResponding"; account: MessagingApp }
  | { kind: "chooser"; accounts: MessagingApp[] };

/** How long what hangs waits, in real ms whatever the speed: nobody's timeouts are scaled. */
export interface HangMs {
  min: number;
  max: number;
}

export interface PhoneContext {
  clock: SimulatorClock;
  liar: Liar;
  hangMs: HangMs;
  tapLog: TapLog;
  /** Called after every change of availability. */
  onAvailability(phone: VirtualPhone): void;
}

const CAPTION_HOLDS_CHARS = 1_024;
const SCREEN_TIMEOUT_MS = 30_000;
const FIRST_UPTIME_MS = 3 * 86_400_000;

/** One phone's state and what can happen to it. It knows no sockets, no command lines and no XML. */
export class VirtualPhone {
  readonly files = new PhoneFileSystem();
  readonly accounts: MessagingApp[];
  /** On its USB cable. */
  availability: Availability = "device";
  /** On the network, by an address of its own. */
  network: { address: string; availability: Availability } = { address: "", availability: "unplugged" };
  bootId: string = crypto.randomUUID();
  isAwake = false;
  isLocked = true;
  staysAwake = false;
  /** What it says its serial number is: some makers give one number to all their phones. */
  saidSerial: string;
  /** In adb's list while its boot is not over yet. */
  isBooting = false;
  /** Takes commands and never answers them, as one does that hangs. */
  isMute = false;
  /** Somebody pulls its cable as soon as it taps send: nobody hears what became of that tap. */
  isUnpluggedAtTap = false;
  /** The Android user in front. */
  currentUser = 0;
  /** Free on /data, in KB. */
  freeKb = 67_947_725;
  battery = { level: 87, temperatureTenths: 285, isCharging: true };
  screen: Screen = { kind: "home" };
  dialog: Dialog | null = null;
  /** Of an app that was left for the launcher. */
  #leftDialog: Dialog | null = null;
  /** Path of the web page that lies over all of it, or null. */
  page: string | null = null;
  /** Whether the notifications are pulled down, over everything. */
  isShadeDown = false;
  /** By "namespace key", as `settings put` left them. */
  readonly settings = new Map([["system screen_brightness", "102"], ["system screen_brightness_mode", "1"]]);
  /** Whether all of the draft is selected, as after Ctrl+A. */
  isDraftSelected = false;
  /** Characters of the draft behind the cursor: none after a link, and a finger puts it where it lands. */
  behindCursor = 0;
  /** How many of the next dumps fail: see LIES.dumpFailsAfterSend. */
  dumpsToFail = 0;
  /** Until when only a person with the PIN opens the lock: see LIES.pinLock. */
  #pinUntil = 0;
  /** Somebody gave it a PIN, and locked it. */
  isPinSet = false;
  /** How often each of its services was asked to tell of itself. */
  readonly reads: Record<string, number> = {};
  readonly #uninstalled = new Map<string, MessagingApp>();
  /** Command lines of what runs now, by process id. */
  readonly processes = new Map<number, string>();
  #lastPid = 4_000;
  #bootedAt: number;
  #touchedAt: number;
  #arriving: { at: number; arrive: () => void } | null = null;

  constructor(readonly traits: PhoneTraits, readonly context: PhoneContext) {
    this.saidSerial = traits.serial;
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

  get language(): PhoneTraits["language"] {
    return this.context.liar.tellsOf("otherLanguage", this.serial) ? "ar" : this.traits.language;
  }

  get wantsPin(): boolean {
    return this.traits.hasPin || this.isPinSet || this.context.clock.now() < this.#pinUntil;
  }

  /** Whose app is in front; null = the launcher. A dialog over the launcher is in front of it. */
  get accountInFront(): MessagingApp | null {
    if (this.screen.kind !== "home") return this.screen.account;
    return accountOf(this.dialog);
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

  /** Waits as long as something that hangs does, or until it is killed after `limitMs`. */
  async hang(limitMs = Infinity): Promise<"over" | "killed"> {
    const { liar, hangMs: { min, max } } = this.context;
    const ms = min + (max - min) * liar.roll();
    await this.wait(Math.min(ms, limitMs));
    return ms < limitMs ? "over" : "killed";
  }

  /** Runs `act` as a process of its own, which is in sight until it ends. */
  async process<T>(commandLine: string, act: () => Promise<T>): Promise<T> {
    const pid = ++this.#lastPid;
    this.processes.set(pid, commandLine);
    try {
      return await act();
    } finally {
      this.processes.delete(pid);
    }
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
    if (this.isAwake && !this.wantsPin) this.isLocked = false;
  }

  /** What `am start` sets off: the screen changes now, seconds later, or never. */
  start(arrive: () => void): void {
    const { liar, clock } = this.context;
    this.#arriving = null;
    if (liar.tells("pinLock")) {
      this.lock();
      this.wake();
      this.#pinUntil = clock.now() + clock.scaled(LATENCY_MS.pinLock * liar.roll());
    }
    if (liar.tells("startIgnored")) return;
    if (!liar.tells("startSlow")) return arrive();
    this.#arriving = { at: clock.now() + clock.scaled(LATENCY_MS.late * liar.roll()), arrive };
  }

  /** A dialog already up stays up, over the new screen. */
  show(screen: Screen): void {
    this.screen = screen;
    if (screen.kind !== "home" && !this.dialog) {
      this.dialog = this.#leftDialog;
      this.#leftDialog = null;
    }
    if (screen.kind === "chat") screen.account.markRead(screen.number);
    this.page = null;
    this.isShadeDown = false;
    this.isDraftSelected = false;
    this.behindCursor = 0;
  }

  /** A link to a chat: a text replaces the draft, no text leaves it. */
  openChat(account: MessagingApp, number: string, text: string): void {
    const { liar } = this.context;
    for (const state of ["banned", "restricted", "loggedOut"] as const) {
      if (liar.tells(state)) account.state = state;
    }
    if (account.state !== "ok") return this.show({ kind: "chats", account });
    if (this.isNotOnApp(number)) {
      this.dialog = { kind: "notOnApp", account, number };
      return;
    }
    const shown = liar.tells("wrongChat") ? numberBeside(number) : number;
    if (text !== "") this.#setDraft(account, shown, text);
    this.show({ kind: "chat", account, number: shown });
    if (liar.tells("dialogOverChat")) this.dialog ??= { kind: "smsDefault", account, showsChatBeneath: true };
    if (liar.tells("dialogHidesChat")) this.dialog ??= { kind: "smsDefault", account };
    if (liar.tells("dialogSticks")) this.dialog ??= { kind: "smsDefault", account, sticks: true };
    if (liar.tells("dialogLeft")) this.dialog ??= { kind: "notOnApp", account, number: numberBeside(number) };
  }

  #setDraft(account: MessagingApp, number: string, text: string): void {
    const { liar } = this.context;
    if (liar.tells("draftLost")) account.drafts.delete(number);
    else if (!liar.tells("draftKept")) account.drafts.set(number, text);
    else if (!account.drafts.has(number)) account.drafts.set(number, `${text} (טיוטה קודמת)`);
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
    const shown = isCaptionLost ? "" : caption.slice(0, CAPTION_HOLDS_CHARS);
    const next: Screen = { kind: "picture", account, number, path, caption: shown };
    if (this.traits.confirmsShare || this.context.liar.tells("shareAsks")) {
      this.dialog = { kind: "shareConfirm", account, number, next };
    } else this.show(next);
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
    if (liar.tells("dumpFailsAfterSend")) this.dumpsToFail = 1 + Math.floor(8 * liar.roll());
    if (this.isUnpluggedAtTap) this.unplug();
  }

  /** Goes back from where the phone is, as the back key does. */
  back(): void {
    if (this.isShadeDown) this.isShadeDown = false;
    else if (this.page !== null) this.page = null;
    else if (this.dialog) {
      const { dialog } = this;
      const isSticking = dialog.kind === "notResponding" || (dialog.kind === "smsDefault" && dialog.sticks);
      if (!isSticking) this.dialog = null;
    } else if (this.screen.kind === "picture") this.show({ ...this.screen, kind: "chat" });
    else if (this.screen.kind === "chat") this.show({ kind: "chats", account: this.screen.account });
    else this.show({ kind: "home" });
  }

  /** A message comes; while its chat is open on a lit phone, no notification tells of it. */
  receive(account: MessagingApp, number: string, text: string): void {
    this.settle();
    const { screen } = this;
    const isOpen = screen.kind === "chat" && screen.account === account && screen.number === number;
    account.receive(number, text, { isRead: isOpen && this.isAwake && !this.isLocked && this.page === null });
  }

  /** A dialog goes with its app, and comes back with it; Android's word of an app that hangs stays in front. */
  home(): void {
    if (this.dialog?.kind !== "notResponding") {
      this.#leftDialog = this.dialog ?? this.#leftDialog;
      this.dialog = null;
    }
    this.show({ kind: "home" });
  }

  forceStop(app: string): void {
    if (this.screen.kind !== "home" && this.screen.account.traits.app === app) this.show({ kind: "home" });
    if (accountOf(this.dialog)?.traits.app === app) this.dialog = null;
    if (accountOf(this.#leftDialog)?.traits.app === app) this.#leftDialog = null;
    this.#arriving = null;
  }

  /** The account the app really opens with: see LIES.otherAccount. */
  activeInsteadOf(account: MessagingApp): MessagingApp {
    const other = this.accounts.find((each) => each !== account && each.traits.app === account.traits.app);
    return other && this.context.liar.tells("otherAccount") ? other : account;
  }

  setAccountState(key: string, state: AccountState): void {
    const account = this.findAccount(key);
    if (!account) {
      throw new RangeError(`Cannot change account ${JSON.stringify(key)}: ${this.serial} has none such`);
    }
    account.state = state;
  }

  /** Takes an app away from an Android user; its data comes back with it. */
  uninstall(key: string): void {
    const at = this.accounts.findIndex((account) => account.key === key);
    if (at < 0) throw new RangeError(`Cannot uninstall ${JSON.stringify(key)}: ${this.serial} has none such`);
    this.#uninstalled.set(key, ...this.accounts.splice(at, 1) as [MessagingApp]);
  }

  install(key: string): void {
    const app = this.#uninstalled.get(key);
    if (!app) {
      throw new RangeError(`Cannot install ${JSON.stringify(key)}: it was not taken from ${this.serial}`);
    }
    this.#uninstalled.delete(key);
    this.accounts.push(app);
  }

  setAvailability(availability: Availability): void {
    if (this.availability === availability) return;
    this.availability = availability;
    this.context.onAvailability(this);
  }

  /** Joins the network at "host:port", or leaves it. */
  setNetwork(address: string | null, availability: Availability = "device"): void {
    this.network = address === null ? { address: "", availability: "unplugged" } : { address, availability };
    this.context.onAvailability(this);
  }

  /** The adb server forgets its address, as one does that was started again; `adb connect` finds it there. */
  forgetNetwork(): void {
    this.network = { ...this.network, availability: "unplugged" };
    this.context.onAvailability(this);
  }

  unplug(): void {
    this.setAvailability("unplugged");
  }

  replug(): void {
    this.isUnpluggedAtTap = false;
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
    this.processes.clear();
    this.#bootedAt = this.context.clock.now();
    this.show({ kind: "home" });
    this.dialog = null;
    this.#leftDialog = null;
    this.sleep();
    this.#arriving = null;
    this.staysAwake = false;
    this.dumpsToFail = 0;
    const { network } = this;
    this.setNetwork(null);
    this.setAvailability("unplugged");
    await this.latency(LATENCY_MS.reboot);
    if (network.availability !== "unplugged") this.setNetwork(network.address);
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

/** Whose dialog it is; the chooser is Android's. */
function accountOf(dialog: Dialog | null): MessagingApp | null {
  return dialog && dialog.kind !== "chooser" ? dialog.account : null;
}

/** Another number, one digit off. */
function numberBeside(number: string): string {
  return `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
}
