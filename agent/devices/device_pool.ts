/** The phones of this site: their presence, their health and their accounts. Contains nothing of deliveries. */
import type { AccountState, DeviceState } from "shared/agent_protocol.ts";
import type { AdbClient } from "../adb/client.ts";
import type { AdbDevice } from "../adb/device_list.ts";
import { AskAgain } from "../time/ask_again.ts";
import type { Clock } from "../time/clock.ts";
import { isAnyUsable, isOnNetwork, isWorthShowing, usablePaths } from "./device_paths.ts";
import {
  describeAccounts,
  describeDevice,
  detailOf,
  type Inventory,
  type KnownPhone,
  type LearnedOfAccounts,
  stateOfAccount,
  stateOfPhone,
} from "./known_phone.ts";
import { errorText, type Log } from "../log.ts";
import { NetworkPhones } from "./network_phones.ts";
import { adbPhone, askBootId, deviceKey, identifyPhone } from "../phone/adb_phone.ts";
import { accountsCommand, isAppReplaced, nothingKnown, readAccounts } from "../phone/discover_accounts.ts";
import { askHealth, type Health } from "../phone/health.ts";
import { parseAccount, type Phone } from "../phone/phone.ts";
import { isKnownNow, type UnknownScreen } from "../phone/screen_shape.ts";
import type { AppFactsForScreens, ScreenWords } from "../screens/screen_words.ts";

export interface DevicePoolOptions {
  adb: AdbClient;
  clock: Clock;
  log: Log;
  /** Phones on the network to which the adb server has to connect, "host:port". */
  networkPhones?: readonly string[];
  /** A device was identified for the first time. */
  onDevice(device: string): void;
  /** A device can work again, or its accounts or state changed. */
  onChange(device: string): void;
  /** An app of a device was found in a version. */
  onAppVersion?(device: string, app: string, version: string): void;
  /** A device can no longer be reached. */
  onLost(device: string): void;
}

const TICK_MS = 1_000;
const PROBE_EVERY_MS = 10_000;
/** Time between two probes while other commands return: those show nothing of its battery, its lock or its disk. */
const PROBE_AT_WORK_MS = 20_000;
const PROBE_LONGEST_MS = 5 * 60_000;
const ACCOUNTS_EVERY_MS = 20_000;
/** After this long, a failed path is tried again before a worse one. */
const SECOND_CHANCE_MS = 60_000;
const APPS_EVERY_MS = 10 * 60_000;
/** After a timeout, ask for health and accounts in separate commands for this long. */
const APART_MS = 10 * 60_000;
const TRACK_AGAIN_MS = 1_000;
/** The health of a phone that has not reported it since its start. */
const NOT_BOOTED: Health = { state: "booting", batteryPercent: null, detail: null };

export class DevicePool {
  #options: DevicePoolOptions;
  #entries = new Map<string, KnownPhone>();
  /** Addresses of unknown phones, and when to ask each again for its identity. */
  #strangers = new Map<string, { transportId: number; state: string; again: AskAgain; isAsking: boolean }>();
  #learned: LearnedOfAccounts = { lost: new Map(), unknown: new Map(), captions: new Map() };
  /** The phone that last answered at each network address. */
  #lastAt = new Map<string, string>();
  #network: NetworkPhones;
  #list: AdbDevice[] = [];
  #asking = new Set<Promise<void>>();

  constructor(options: DevicePoolOptions) {
    this.#options = options;
    this.#network = new NetworkPhones({ ...options, addresses: options.networkPhones ?? [] });
  }

  /** Follows the adb server's list for ever. While the server is away, every phone is away. */
  async track(signal: AbortSignal): Promise<void> {
    let isLogged = false;
    while (!signal.aborted) {
      let isServerNew = true;
      try {
        for await (const list of this.#options.adb.trackDevices(signal)) {
          isLogged = false;
          this.#network.listed(list, isServerNew);
          isServerNew = false;
          this.#take(list, signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isLogged) this.#options.log("warn", "adb_server_lost", { why: errorText(error) });
        isLogged = true;
      }
      this.#take([], signal);
      await this.#options.clock.sleep(TRACK_AGAIN_MS, signal);
    }
  }

  /** Asks every phone for its health when it is due. Each has its own loop, so that one that hangs delays no other. */
  async probe(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(TICK_MS, signal);
      if (signal.aborted) break;
      for (const entry of this.#entries.values()) {
        if (this.#isDue(entry)) this.#begin(this.#refresh(entry, signal));
      }
      for (const line of this.#list) this.#meet(line, signal);
      this.#begin(this.#network.connectMissing(() => clock.monotonic(), signal));
    }
    await Promise.all(this.#asking);
  }

  /** Returns the phone if it can be reached now. */
  reachable(device: string): Phone | null {
    const entry = this.#entries.get(device);
    return entry && isAnyUsable(entry.paths.values()) ? this.#phone(entry) : null;
  }

  /**
   * Returns what is on the phone's screen, as the PNG that the phone makes of it, or null when it cannot be reached.
   * Changes nothing on the phone.
   *
   * @throws {AdbError} when the phone does not answer in time, or with more than `maxBytes`
   */
  async screencap(
    device: string,
    options: { timeoutMs: number; maxBytes: number; signal: AbortSignal },
  ): Promise<Uint8Array | null> {
    const address = this.#addressOf(device);
    // `exec` mixes both outputs: a phone with two displays would write a warning before the picture.
    return address === null
      ? null
      : await this.#options.adb.exec(address, "screencap -p 2>/dev/null", options);
  }

  #addressOf(device: string): string | null {
    const entry = this.#entries.get(device);
    return entry ? usablePaths(entry.paths.values())[0]?.address ?? null : null;
  }

  /** Returns the phone if it can take work now. */
  usable(device: string): Phone | null {
    const entry = this.#entries.get(device);
    if (!entry || this.#stateOf(entry) !== "online") return null;
    const isAnyOk = entry.accounts.some((found) => stateOfAccount(found, "online", this.#learned) === "ok");
    return isAnyOk ? this.#phone(entry) : null;
  }

  /** Returns the present state of an account. An account that the phone does not hold is "app_missing". */
  stateOf(account: string): AccountState {
    const entry = this.#entries.get(parseAccount(account).device);
    if (!entry || this.#stateOf(entry) !== "online") return "unreachable";
    const found = entry.accounts.find((each) => each.account === account);
    return found ? stateOfAccount(found, "online", this.#learned) : "app_missing";
  }

  /** Returns the apps of a device with their versions, once for each account; null = the version is not known. */
  appsOf(device: string): { app: string; version: string | null }[] {
    const found = this.#entries.get(device)?.accounts ?? [];
    return found.map(({ account, appVersion }) => ({ app: parseAccount(account).app, version: appVersion }));
  }

  /** Returns the present state of a device, or null if it was never seen. */
  deviceState(device: string): DeviceState | null {
    const entry = this.#entries.get(device);
    return entry ? this.#stateOf(entry) : null;
  }

  devices(): string[] {
    return [...this.#entries.keys()];
  }

  /** Remembers the account's state in the app until a person starts the device again. */
  accountLost(account: string, state: AccountState): void {
    this.#learned.lost.set(account, state);
    this.#options.log("warn", "account_lost", { account, state });
  }

  /**
   * Stops an account whose app shows a screen that nobody knows by `words`, until that changes or a person starts its
   * phone.
   */
  screenUnknown(account: string, screen: UnknownScreen, words: ScreenWords): void {
    this.#learned.unknown.set(account, { screen, words });
    const { fingerprint, kind, window, ids } = screen;
    const { appVersion } = this.appOf(account);
    this.#options.log("warn", "unknown_screen", {
      account,
      appVersion,
      fingerprint,
      kind,
      window,
      ids: ids.join(" "),
    });
    // The app may have been updated since its version was read, and files may fit the new one.
    const entry = this.#entries.get(parseAccount(account).device);
    if (entry) {
      Object.assign(entry, { appsAskedAt: -Infinity, accountsAskedAt: -Infinity, healthAt: -Infinity });
    }
  }

  /** Returns the accounts that wait for a known screen, each with what it shows. */
  unknownScreens(): ReadonlyMap<string, { screen: UnknownScreen; words: ScreenWords }> {
    return this.#learned.unknown;
  }

  /** Lets those accounts work again whose screen is known with the words of now: another file, or another version. */
  lookAtUnknownScreens(wordsOf: (account: string) => ScreenWords): void {
    for (const [account, { screen, words }] of this.#learned.unknown) {
      const present = wordsOf(account);
      if (present === words) continue;
      this.#learned.unknown.set(account, { screen, words: present });
      if (!isKnownNow(screen, parseAccount(account, present))) continue;
      this.#learned.unknown.delete(account);
      this.#options.log("info", "screen_known", { account, fingerprint: screen.fingerprint });
      this.#options.onChange(parseAccount(account).device);
    }
  }

  /** Returns what decides which screen files count for an account. */
  appOf(account: string): AppFactsForScreens {
    const { accounts = [] } = this.#entries.get(parseAccount(account).device) ?? {};
    const found = accounts.find((each) => each.account === account);
    return { appVersion: found?.appVersion ?? null, language: found?.language ?? null };
  }

  /** Returns what a phone said of itself. */
  phoneOf(device: string): { model: string | null; androidVersion: string | null } {
    const { model, androidVersion } = this.#entries.get(device) ?? {};
    return { model: model?.slice(0, 200) || null, androidVersion: androidVersion?.slice(0, 20) || null };
  }

  /** Called when a picture of ours opened in this account's app, with its caption or without. */
  captionSeen(account: string, isThere: boolean): void {
    const appVersion = this.appVersionOf(account);
    const known = this.#learned.captions.get(account);
    // Once is enough: a caption lost after that is a momentary fault, not the app's.
    if (known?.isThere && known.appVersion === appVersion) return;
    this.#learned.captions.set(account, { isThere, appVersion });
  }

  /** Called when the replies to a device's accounts were read, or with the reason why they could not be. */
  repliesRead(device: string, problem: string | null): void {
    const entry = this.#entries.get(device);
    if (!entry || entry.repliesProblem === problem) return;
    entry.repliesProblem = problem;
    if (problem !== null) this.#options.log("warn", "replies_problem", { device, problem });
    this.#options.onChange(device);
  }

  /** Called when a person started the device: its accounts are tried again, with pictures too. */
  started(device: string): void {
    const { lost, unknown, captions } = this.#learned;
    for (const learned of [lost, unknown, captions]) {
      for (const account of learned.keys()) if (account.startsWith(`${device}/`)) learned.delete(account);
    }
    this.#options.onChange(device);
  }

  inventory(): Inventory {
    const entries = [...this.#entries.values()];
    return {
      devices: entries.map((entry) => describeDevice(entry, this.#stateOf(entry))),
      accounts: entries.flatMap((entry) => describeAccounts(entry, this.#stateOf(entry), this.#learned)),
    };
  }

  /**
   * Takes the output of pathCommand() for an account. If its app was updated, reads the apps of its phone now.
   *
   * @throws {AdbError} when the phone cannot be reached
   */
  async appLooked(account: string, output: string, signal: AbortSignal): Promise<void> {
    const parsed = parseAccount(account);
    const entry = this.#entries.get(parsed.device);
    if (!entry || !isAppReplaced(parsed, output, entry.apps)) return;
    const phone = this.#phone(entry);
    await this.#takeApps(entry, phone, await phone.run(accountsCommand(entry.apps), { signal }), signal);
    this.#options.onChange(entry.device);
  }

  /** Returns the version of an account's app, or null. */
  appVersionOf(account: string): string | null {
    return this.appOf(account).appVersion;
  }

  #take(list: AdbDevice[], signal: AbortSignal): void {
    this.#list = list;
    const byAddress = new Map(list.map((line) => [line.serial, line]));
    for (const entry of this.#entries.values()) {
      for (const path of [...entry.paths.values()]) {
        const line = byAddress.get(path.address);
        // The phone is gone, or back on a new transport: ask again for the identity of the phone there.
        const isSomebodyNew = path.isGuessed && !entry.isUnknown && line?.state === "device";
        if (line?.transportId !== path.transportId || isSomebodyNew) entry.paths.delete(path.address);
        else if (line.state === path.adbState) continue;
        else Object.assign(path, { adbState: line.state, failures: 0 });
        this.#changed(entry);
      }
      if (entry.twinAt && !byAddress.has(entry.twinAt)) entry.twinAt = null;
      if (entry.isUnknown && entry.paths.size === 0) this.#forget(entry);
      else this.#noteReach(entry);
    }
    for (const address of this.#strangers.keys()) {
      if (!byAddress.has(address)) this.#strangers.delete(address);
    }
    for (const line of list) this.#meet(line, signal);
  }

  /** Asks an unknown phone of the list for its identity. */
  #meet(line: AdbDevice, signal: AbortSignal): void {
    const { serial, state, transportId } = line;
    const owner = this.#ownerOf(serial);
    if (owner && !(owner.isUnknown && state === "device")) return;
    if (state !== "device") {
      if (isWorthShowing(line)) this.#show(line);
      return;
    }
    const known = this.#strangers.get(serial);
    const isSame = known?.transportId === transportId && known.state === state;
    const stranger = isSame
      ? known
      : { transportId, state, again: new AskAgain(PROBE_EVERY_MS, PROBE_LONGEST_MS), isAsking: false };
    this.#strangers.set(serial, stranger);
    if (stranger.isAsking || !stranger.again.isDue(this.#options.clock.monotonic())) return;
    stranger.isAsking = true;
    this.#begin(this.#identify(line, stranger, signal).finally(() => stranger.isAsking = false));
  }

  /** Returns the phone at an address. Called for every line of adb's list, every second. */
  #ownerOf(address: string): KnownPhone | undefined {
    // On a cable, adb lists a phone under its serial number, which is its key.
    const likely = this.#entries.get(address);
    if (likely?.paths.has(address)) return likely;
    return this.#entries.values().find(({ paths }) => paths.has(address));
  }

  async #identify(line: AdbDevice, stranger: { again: AskAgain }, signal: AbortSignal): Promise<void> {
    const { adb, clock, log } = this.#options;
    try {
      const { device, model, androidVersion, bootId } = await identifyPhone(adb, line.serial, signal);
      const isStillThere = this.#list.some(({ serial, transportId }) =>
        serial === line.serial && transportId === line.transportId
      );
      if (!isStillThere) return;
      const entry = this.#entries.get(device) ?? this.#add(device);
      if (await this.#isTwin(entry, bootId, signal)) {
        stranger.again.failed(clock.monotonic());
        if (entry.twinAt !== line.serial) log("warn", "serial_shared", { device, address: line.serial });
        entry.twinAt = line.serial;
        return this.#options.onChange(device);
      }
      this.#strangers.delete(line.serial);
      const before = this.#ownerOf(line.serial);
      if (before && before !== entry) {
        before.paths.delete(line.serial);
        // A phone whose identity is known has its own worker, and perhaps another path.
        if (before.isUnknown) this.#forget(before);
      }
      this.#addPath(entry, line);
      if (bootId !== entry.bootId) entry.health = NOT_BOOTED;
      Object.assign(entry, { model, androidVersion, bootId });
      if (entry.isUnknown) {
        entry.isUnknown = false;
        this.#options.onDevice(device);
      }
      this.#changed(entry);
      if (this.#isDue(entry)) await this.#refresh(entry, signal);
    } catch (error) {
      if (signal.aborted) return;
      stranger.again.failed(clock.monotonic());
      log("warn", "device_not_identified", { address: line.serial, why: errorText(error) });
      // A phone that hangs is still present: on a cable, adb knows its serial number.
      const device = deviceKey(line.serial);
      if (isOnNetwork(line.serial) && !this.#entries.has(device)) return;
      const entry = this.#entries.get(device) ?? this.#add(device);
      if (!entry.paths.has(line.serial)) this.#addPath(entry, line);
      entry.silence = `no answer: ${errorText(error)}`;
      this.#options.onChange(device);
    }
  }

  /**
   * Returns whether two phones have the same serial number: they have two boots at the same time. A boot that no longer
   * answers is over.
   */
  async #isTwin(entry: KnownPhone, bootId: string, signal: AbortSignal): Promise<boolean> {
    if (entry.bootId === "" || bootId === "" || entry.bootId === bootId) return false;
    for (const { address } of usablePaths(entry.paths.values())) {
      try {
        const other = await askBootId(this.#options.adb, address, signal);
        if (other !== bootId) return true;
      } catch {
        signal.throwIfAborted();
        // A phone that restarts leaves its cable's transport. A phone that is still listed there is silent, not gone.
        if (!isOnNetwork(address)) return true;
      }
    }
    return false;
  }

  /** A phone without permission for this computer gives no identity, so its address names it until then. */
  #show(line: AdbDevice): void {
    const device = this.#lastAt.get(line.serial) ?? deviceKey(line.serial);
    this.#addPath(this.#entries.get(device) ?? this.#add(device), line, { isGuessed: true });
    this.#options.onChange(device);
  }

  #addPath(entry: KnownPhone, { serial, transportId, state }: AdbDevice, { isGuessed = false } = {}): void {
    entry.paths.set(serial, { address: serial, transportId, adbState: state, failures: 0, isGuessed });
    if (!isGuessed && isOnNetwork(serial)) this.#lastAt.set(serial, entry.device);
  }

  #forget(entry: KnownPhone): void {
    this.#entries.delete(entry.device);
    this.#options.onChange(entry.device);
  }

  #add(device: string): KnownPhone {
    const entry: KnownPhone = {
      device,
      paths: new Map(),
      isUnknown: true,
      bootId: "",
      model: "",
      androidVersion: "",
      health: NOT_BOOTED,
      healthAt: -Infinity,
      proofAt: null,
      provenAt: -Infinity,
      again: new AskAgain(PROBE_EVERY_MS, PROBE_LONGEST_MS),
      isAsking: false,
      deafAt: -Infinity,
      silence: null,
      twinAt: null,
      repliesProblem: null,
      accounts: [],
      goneAccounts: new Set(),
      apps: nothingKnown(),
      appsAskedAt: -Infinity,
      accountsAskedAt: -Infinity,
      wasReachable: false,
    };
    this.#entries.set(device, entry);
    return entry;
  }

  /** A person may have locked the phone in the meantime, so its earlier health no longer counts. */
  #changed(entry: KnownPhone): void {
    entry.again.changed();
    entry.healthAt = -Infinity;
  }

  /** Returns whether the phone's health is due. */
  #isDue(entry: KnownPhone): boolean {
    if (entry.isAsking || entry.isUnknown || !isAnyUsable(entry.paths.values())) return false;
    // Its last state may have ended without any event.
    this.#noteReach(entry);
    const now = this.#options.clock.monotonic();
    return entry.again.isDue(now) && !isFine(entry, now);
  }

  async #refresh(entry: KnownPhone, signal: AbortSignal): Promise<void> {
    entry.isAsking = true;
    const before = this.#sightOf(entry);
    try {
      await this.#askAnyWay(entry, signal);
    } finally {
      entry.isAsking = false;
    }
    this.#noteReach(entry);
    if (before !== this.#sightOf(entry)) this.#options.onChange(entry.device);
  }

  /** Asks over one path after the other until one answers. */
  async #askAnyWay(entry: KnownPhone, signal: AbortSignal): Promise<void> {
    const { adb, clock, log } = this.#options;
    for (const path of usablePaths(entry.paths.values())) {
      const phone = this.#phone(entry, path.address);
      try {
        await this.#ask(entry, phone, signal);
        // The better path may have recovered without a change in adb's list.
        const isLongAgo = clock.monotonic() - entry.deafAt >= SECOND_CHANCE_MS;
        if (isLongAgo) { for (const each of entry.paths.values()) each.failures = 0; }
        path.failures = 0;
        entry.silence = null;
        entry.again.answered(clock.monotonic());
        if (entry.bootId === "") entry.bootId = await askBootId(adb, path.address, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        path.failures++;
        entry.deafAt = clock.monotonic();
        entry.silence = `no answer: ${errorText(error)}`;
        log("warn", "device_probe_failed", {
          device: entry.device,
          address: path.address,
          why: errorText(error),
        });
      }
    }
    entry.again.failed(clock.monotonic());
  }

  async #ask(entry: KnownPhone, phone: Phone, signal: AbortSignal): Promise<void> {
    const now = this.#options.clock.monotonic();
    const isAccountsDue = now - entry.accountsAskedAt >= ACCOUNTS_EVERY_MS;
    const command = accountsCommand(entry.apps);
    // A missing answer about its apps must not hold back its health: while it boots, and on a phone too slow for both.
    const isTogether = isAccountsDue && entry.health.state !== "booting" && now - entry.deafAt >= APART_MS;
    const { health, output } = await askHealth(phone, { also: isTogether ? command : null, signal });
    entry.health = health;
    entry.healthAt = now;
    if (!isAccountsDue || health.state === "booting") return;
    if (now - entry.appsAskedAt >= APPS_EVERY_MS) {
      entry.apps.facts.clear();
      entry.appsAskedAt = now;
    }
    await this.#takeApps(entry, phone, isTogether ? output : await phone.run(command, { signal }), signal);
    entry.accountsAskedAt = now;
  }

  /** Reads a phone's accounts and the versions of their apps. */
  async #takeApps(entry: KnownPhone, phone: Phone, output: string, signal: AbortSignal): Promise<void> {
    const found = await readAccounts(phone, output, entry.apps, signal);
    const held = new Set(found.map(({ account }) => account));
    for (const { account } of entry.accounts) if (!held.has(account)) entry.goneAccounts.add(account);
    for (const account of held) entry.goneAccounts.delete(account);
    entry.accounts = found;
    for (const { account, appVersion } of found) {
      if (appVersion !== null) {
        this.#options.onAppVersion?.(entry.device, parseAccount(account).app, appVersion);
      }
    }
  }

  /** Returns everything that a screen shows of the phone, as one text. */
  #sightOf(entry: KnownPhone): string {
    return JSON.stringify([this.#stateOf(entry), detailOf(entry, this.#stateOf(entry)), entry.accounts, [
      ...entry.goneAccounts,
    ]]);
  }

  #noteReach(entry: KnownPhone): void {
    const state = this.#stateOf(entry);
    const isReachable = state !== "offline" && state !== "unauthorized" && state !== "not_answering";
    if (isReachable === entry.wasReachable) return;
    entry.wasReachable = isReachable;
    this.#options.log("info", isReachable ? "device_here" : "device_away", { device: entry.device, state });
    if (!isReachable) this.#options.onLost(entry.device);
    this.#options.onChange(entry.device);
  }

  #stateOf(entry: KnownPhone): DeviceState {
    return stateOfPhone(entry, this.#options.clock.monotonic());
  }

  /** Returns the phone over the best path at each call, or over the given one. */
  #phone(entry: KnownPhone, address?: string): Phone {
    const { adb, clock } = this.#options;
    return adbPhone({
      adb,
      clock,
      device: entry.device,
      address: () => address ?? usablePaths(entry.paths.values())[0]?.address ?? entry.device,
      onProof() {
        entry.proofAt = clock.now();
        entry.provenAt = clock.monotonic();
      },
    });
  }

  /** Keeps the promise of started work, so that the end can wait for it. */
  #begin(work: Promise<void>): void {
    const noted = work.finally(() => this.#asking.delete(noted));
    this.#asking.add(noted);
  }
}

/** Returns whether the phone was well a short time ago and has just answered another command. */
function isFine({ health, healthAt, provenAt }: KnownPhone, now: number): boolean {
  return health.state === "online" && now - healthAt < PROBE_AT_WORK_MS && now - provenAt < PROBE_EVERY_MS;
}
