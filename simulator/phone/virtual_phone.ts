import { createHash } from "node:crypto";
import { type DeskSettings, preparedDesk } from "./desk_settings.ts";
import { LATENCY_MS, ProcessKilledError, SimulatorClock } from "./clock.ts";
import { PhoneFileSystem } from "./file_system.ts";
import type { Liar } from "./lies.ts";
import { type AccountState, MessagingApp } from "./messaging_app.ts";
import type { ScreenPlayer } from "./screen_player.ts";
import type { TapLog } from "./tap_log.ts";
import type { PhoneTraits } from "./traits.ts";

/** The phone's state in the list of the ADB server. An unplugged phone is not in the list. */
export type Availability = "device" | "offline" | "unauthorized" | "unplugged";

/** The screen beneath any dialog and the lock screen. */
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
  /** A dialog of a new version of the app, with words of its own. */
  | { kind: "news"; account: MessagingApp }
  /** Android asks for a permission of the app. */
  | { kind: "permission"; account: MessagingApp }
  /**
   * Android reports that the app hangs. Neither the back key nor another start closes this, only the end of the app.
   */
  | { kind: "notResponding"; account: MessagingApp }
  | { kind: "chooser"; accounts: MessagingApp[] };

/** How long a hanging command waits, in real ms at any speed: timeouts of callers are not scaled. */
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

/** One phone's state and its possible events. Contains no sockets, no command lines and no XML. */
export class VirtualPhone {
  readonly files = new PhoneFileSystem();
  readonly accounts: MessagingApp[];
  /** Its state on the USB cable. */
  availability: Availability = "device";
  /** Its state on the network, under its own address. */
  network: { address: string; availability: Availability } = { address: "", availability: "unplugged" };
  bootId: string = crypto.randomUUID();
  isAwake = false;
  isLocked = true;
  staysAwake = false;
  /** The serial number that it reports: some makers give one number to all their phones. */
  reportedSerial: string;
  /** It is in adb's list, and its boot is not finished. */
  isBooting = false;
  /** Takes commands and never answers them, as a hanging phone does. */
  isMute = false;
  /** Its cable is pulled as soon as it taps send: the caller gets no answer to that tap. */
  isUnpluggedAtTap = false;
  /** The version of its apps. */
  appVersion: string;
  /** True after an update whose screens have other ids. */
  hasMovedIds = false;
  /** The Android user in front. */
  currentUser = 0;
  /** Free space on /data, in KB. */
  freeKb = 67_947_725;
  battery = { level: 87, temperatureTenths: 285, isCharging: true };
  /** What a person set at the desk. */
  readonly desk: DeskSettings;
  screen: Screen = { kind: "home" };
  dialog: Dialog | null = null;
  /** The dialog of an app that was left for the launcher. */
  #leftDialog: Dialog | null = null;
  /** Shows the screens of a recording in place of its own; null = it has its own. */
  player: ScreenPlayer | null = null;
  /** Path of the web page that covers everything, or null. */
  page: string | null = null;
  /** Whether the notifications are pulled down over everything. */
  isShadeDown = false;
  /** By "namespace key", as `settings put` wrote them. */
  readonly settings = new Map([["system screen_brightness", "102"], ["system screen_brightness_mode", "1"]]);
  /** Whether the whole draft is selected, as after Ctrl+A. */
  isDraftSelected = false;
  /** Characters of the draft after the cursor: none after a link. A finger puts the cursor at its position. */
  behindCursor = 0;
  /** The number of next dumps that fail: see LIES.dumpFailsAfterSend. */
  dumpsToFail = 0;
  /** The time until which only a person with the PIN opens the lock: see LIES.pinLock. */
  #pinUntil = 0;
  /** A person has given it a PIN, and locked it. */
  isPinSet = false;
  /** How often each of its services was read. */
  readonly reads: Record<string, number> = {};
  readonly #uninstalled = new Map<string, MessagingApp>();
  /** Command lines of the running processes, by process id. */
  readonly processes = new Map<number, string>();
  #lastPid = 4_000;
  #bootedAt: number;
  #touchedAt: number;
  #arriving: { at: number; arrive: () => void } | null = null;

  constructor(readonly traits: PhoneTraits, readonly context: PhoneContext) {
    this.reportedSerial = traits.serial;
    this.desk = { ...(traits.desk ?? preparedDesk(traits.manufacturer)) };
    this.appVersion = traits.appVersion;
    this.#touchedAt = context.clock.now();
    this.#bootedAt = this.#touchedAt - FIRST_UPTIME_MS;
    this.accounts = traits.accounts.map((account) => new MessagingApp(account, context.clock));
  }

  get serial(): string {
    return this.traits.serial;
  }

  /** Uptime runs in the simulator's own time at any speed: deadlines on the phone are in real seconds. */
  get uptimeMs(): number {
    return this.context.clock.now() - this.#bootedAt;
  }

  get language(): PhoneTraits["language"] {
    return this.context.liar.liesAbout("otherLanguage", this.serial) ? "fr" : this.traits.language;
  }

  get wantsPin(): boolean {
    return this.traits.hasPin || this.isPinSet || this.context.clock.now() < this.#pinUntil;
  }

  /** The account of the app in front; null = the launcher. A dialog over the launcher is in front of it. */
  get accountInFront(): MessagingApp | null {
    if (this.screen.kind !== "home") return this.screen.account;
    return accountOf(this.dialog);
  }

  findAccount(key: string): MessagingApp | undefined {
    return this.accounts.find((account) => account.key === key);
  }

  /** Applies the effects of passed time: a slow start arrives, an idle screen goes dark. */
  settle(): void {
    const now = this.context.clock.now();
    if (this.#arriving && this.#arriving.at <= now) {
      const { arrive } = this.#arriving;
      this.#arriving = null;
      arrive();
    }
    if (this.isAwake && !this.staysAwake && now - this.#touchedAt > SCREEN_TIMEOUT_MS) this.sleep();
  }

  /** Waits for a real phone's latency, divided by the speed; see wait(). */
  async latency(ms: number): Promise<void> {
    await this.wait(this.context.clock.scaled(ms));
  }

  /** Waits for `ms`, not scaled. Throws ProcessKilledError when the phone rebooted in the meantime. */
  async wait(ms: number): Promise<void> {
    const { bootId } = this;
    await this.context.clock.wait(ms);
    if (this.bootId !== bootId) throw new ProcessKilledError("The phone rebooted");
    this.settle();
  }

  /** Waits for the duration of a hang, or until it is killed after `limitMs`. */
  async hang(limitMs = Infinity): Promise<"over" | "killed"> {
    const { liar, hangMs: { min, max } } = this.context;
    const ms = min + (max - min) * liar.roll();
    await this.wait(Math.min(ms, limitMs));
    return ms < limitMs ? "over" : "killed";
  }

  /** Runs `act` as a separate process, which is listed until it ends. */
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

  /** Without a person, only a swipe lock opens. */
  dismissKeyguard(): void {
    if (this.isAwake && !this.wantsPin) this.isLocked = false;
  }

  /** Runs an `am start`: the screen changes now, seconds later, or never. */
  start(arrive: () => void): void {
    const { liar, clock } = this.context;
    this.#arriving = null;
    if (liar.lies("pinLock")) {
      this.lock();
      this.wake();
      this.#pinUntil = clock.now() + clock.scaled(LATENCY_MS.pinLock * liar.roll());
    }
    if (liar.lies("startIgnored")) return;
    if (!liar.lies("startSlow")) return arrive();
    this.#arriving = { at: clock.now() + clock.scaled(LATENCY_MS.late * liar.roll()), arrive };
  }

  /** Shows a screen. An open dialog stays over the new screen. */
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

  /** Opens a chat as a link does: a text replaces the draft, no text keeps it. */
  openChat(account: MessagingApp, number: string, text: string): void {
    const { liar } = this.context;
    for (const state of ["banned", "restricted", "loggedOut"] as const) {
      if (liar.lies(state)) account.state = state;
    }
    if (account.state !== "ok") return this.show({ kind: "chats", account });
    if (this.isNotOnApp(number)) {
      this.dialog = { kind: "notOnApp", account, number };
      return;
    }
    const shown = liar.lies("wrongChat") ? numberBeside(number) : number;
    if (text !== "") this.#setDraft(account, shown, text);
    this.show({ kind: "chat", account, number: shown });
    if (liar.lies("dialogOverChat")) this.dialog ??= { kind: "smsDefault", account, showsChatBeneath: true };
    if (liar.lies("dialogHidesChat")) this.dialog ??= { kind: "smsDefault", account };
    if (liar.lies("dialogSticks")) this.dialog ??= { kind: "smsDefault", account, sticks: true };
    if (liar.lies("newDialog")) this.dialog ??= { kind: "news", account };
    if (liar.lies("dialogLeft")) this.dialog ??= { kind: "notOnApp", account, number: numberBeside(number) };
  }

  #setDraft(account: MessagingApp, number: string, text: string): void {
    const { liar } = this.context;
    if (liar.lies("draftLost")) account.drafts.delete(number);
    else if (!liar.lies("draftKept")) account.drafts.set(number, text);
    else if (!account.drafts.has(number)) account.drafts.set(number, `${text} (טיוטה קודמת)`);
  }

  /** Opens a picture as a share intent does. If the file is missing, the screen stays and only a toast appears. */
  openPicture(account: MessagingApp, number: string, path: string, caption: string): void {
    if (account.state !== "ok") return this.show({ kind: "chats", account });
    if (!this.files.read(path)) return;
    if (this.isNotOnApp(number)) {
      this.dialog = { kind: "notOnApp", account, number };
      return;
    }
    const isCaptionLost = this.traits.dropsCaptions || this.context.liar.lies("captionLost");
    const shown = isCaptionLost ? "" : caption.slice(0, CAPTION_HOLDS_CHARS);
    const next: Screen = { kind: "picture", account, number, path, caption: shown };
    if (this.traits.confirmsShare || this.context.liar.lies("shareAsks")) {
      this.dialog = { kind: "shareConfirm", account, number, next };
    } else this.show(next);
  }

  /** Numbers ending in 0000 are never on the app, so that a person or a test can meet one on purpose. */
  isNotOnApp(number: string): boolean {
    return number.endsWith("0000") || this.context.liar.liesAbout("numberNotOnApp", number);
  }

  /** Runs a tap on send. The tap is in the log before any screen shows it. */
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
    account.addTap(tap, liar.lies("rowLate") ? clock.scaled(LATENCY_MS.late * liar.roll()) : 0);
    if (screen.kind === "chat") account.drafts.delete(number);
    else this.show({ kind: "chat", account, number });
    if (liar.lies("dumpFailsAfterSend")) this.dumpsToFail = 1 + Math.floor(8 * liar.roll());
    if (this.isUnpluggedAtTap) this.unplug();
  }

  /** Logs a tap on the send button of a played screen. The recording decides what is shown next. */
  sendPlayed(number: string, text: string): void {
    const { clock, tapLog } = this.context;
    const account = this.accounts[0]?.key ?? "";
    const at = new Date(clock.now()).toISOString();
    tapLog.append({ at, serial: this.serial, account, phone: `+${number}`, text, image: null });
  }

  /** Goes back from the present screen, as the back key does. */
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

  /** A message arrives. There is no notification while its chat is open on a lit phone. */
  receive(account: MessagingApp, number: string, text: string): void {
    this.settle();
    const { screen } = this;
    const isOpen = screen.kind === "chat" && screen.account === account && screen.number === number;
    account.receive(number, text, { isRead: isOpen && this.isAwake && !this.isLocked && this.page === null });
  }

  /**
   * Goes to the launcher. A dialog goes with its app, and comes back with it. Android's dialog about a hanging app
   * stays in front.
   */
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

  /** Returns the account with which the app really opens: see LIES.otherAccount. */
  activeInsteadOf(account: MessagingApp): MessagingApp {
    const other = this.accounts.find((each) => each !== account && each.traits.app === account.traits.app);
    return other && this.context.liar.lies("otherAccount") ? other : account;
  }

  setAccountState(key: string, state: AccountState): void {
    const account = this.findAccount(key);
    if (!account) {
      throw new RangeError(`Cannot change account ${JSON.stringify(key)}: ${this.serial} has none such`);
    }
    account.state = state;
  }

  /** Removes an app from an Android user. Its data comes back when the app does. */
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

  /** The apps update overnight: their processes end, and the ids of their screens are others. */
  updateApps(version: string): void {
    this.appVersion = version;
    this.hasMovedIds = true;
    for (const { traits: { app } } of this.accounts) this.forceStop(app);
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

  /** Makes the adb server forget its address, as a restarted one does. `adb connect` finds it there. */
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

  /**
   * Restarts. All processes end at once. The phone is back after a boot's latency, locked and dark, with its drafts.
   */
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

  /** Goes offline for some seconds. Comes back only if nothing else changed its state in the meantime. */
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

/** Returns the account of a dialog, or null for the chooser, which belongs to Android. */
function accountOf(dialog: Dialog | null): MessagingApp | null {
  return dialog && dialog.kind !== "chooser" ? dialog.account : null;
}

/** Returns another number, with one digit different. */
function numberBeside(number: string): string {
  return `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
}
