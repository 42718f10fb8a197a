/** The phones of this site: which are there, how they are, and which accounts they hold. Knows no delivery. */
import type { AccountState, AgentFrame, DeviceState } from "shared/agent_protocol.ts";
import type { AdbClient } from "./adb/client.ts";
import type { AdbDevice } from "./adb/device_list.ts";
import type { Clock } from "./clock.ts";
import { errorText, type Log } from "./log.ts";
import { adbPhone, deviceKey, identifyPhone } from "./phone/adb_phone.ts";
import { discoverAccounts, type FoundAccount } from "./phone/discover_accounts.ts";
import { askHealth, type Health } from "./phone/health.ts";
import type { Phone } from "./phone/phone.ts";

type Inventory = Omit<Extract<AgentFrame, { type: "inventory" }>, "type">;

export interface DevicePoolOptions {
  adb: AdbClient;
  clock: Clock;
  log: Log;
  /** A device was seen for the first time. */
  onDevice(device: string): void;
  /** A device can be worked with again, or its accounts or state changed. */
  onChange(device: string): void;
  /** A device cannot be reached any more. */
  onLost(device: string): void;
}

interface Entry {
  device: string;
  /** Where adb finds it, or null while it is away. */
  address: string | null;
  transportId: number;
  adbState: string;
  model: string;
  androidVersion: string;
  health: Health;
  proofAt: number | null;
  /** Monotonic time of the proof. */
  provenAt: number;
  accounts: FoundAccount[];
  accountsAskedAt: number;
  wasReachable: boolean;
}

const PROBE_EVERY_MS = 10_000;
/** A phone is online as long as its last proof is younger than this. */
const PROOF_MS = 30_000;
const ACCOUNTS_EVERY_MS = 10 * 60_000;
const TRACK_AGAIN_MS = 1_000;

export class DevicePool {
  #options: DevicePoolOptions;
  #entries = new Map<string, Entry>();
  /** Addresses being asked who they are. */
  #identifying = new Set<string>();
  #lostAccounts = new Map<string, AccountState>();
  #list: AdbDevice[] = [];

  constructor(options: DevicePoolOptions) {
    this.#options = options;
  }

  /** Follows the adb server's list for ever; when the server goes, every phone is away until it is back. */
  async track(signal: AbortSignal): Promise<void> {
    let isSaid = false;
    while (!signal.aborted) {
      try {
        for await (const list of this.#options.adb.trackDevices(signal)) {
          isSaid = false;
          this.#take(list, signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isSaid) this.#options.log("warn", "adb_server_lost", { why: errorText(error) });
        isSaid = true;
      }
      this.#take([], signal);
      await this.#options.clock.sleep(TRACK_AGAIN_MS, signal);
    }
  }

  /** Asks every phone how it is, one round trip each, until the signal aborts. */
  async probe(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(PROBE_EVERY_MS, signal);
      // One that was not identified at its first sight, for instance while booting, is asked again.
      this.#take(this.#list, signal);
      await Promise.all([...this.#entries.values()].map((entry) => this.#refresh(entry, signal)));
    }
  }

  /** The phone, if it can be reached now. */
  reachable(device: string): Phone | null {
    const entry = this.#entries.get(device);
    return entry?.address && entry.adbState === "device" ? this.#phone(entry) : null;
  }

  /** The phone, if it can be given work now. */
  usable(device: string): Phone | null {
    const entry = this.#entries.get(device);
    if (!entry || this.#stateOf(entry) !== "online") return null;
    return entry.accounts.some(({ account }) => !this.#lostAccounts.has(account)) ? this.#phone(entry) : null;
  }

  devices(): string[] {
    return [...this.#entries.keys()];
  }

  /** Remembers what the app said of an account until the device is started again by a person. */
  accountLost(account: string, state: AccountState): void {
    this.#lostAccounts.set(account, state);
    this.#options.log("warn", "account_lost", { account, state });
  }

  /** A person started the device: its accounts are tried again. */
  started(device: string): void {
    for (const account of this.#lostAccounts.keys()) {
      if (account.startsWith(`${device}/`)) this.#lostAccounts.delete(account);
    }
    this.#options.onChange(device);
  }

  inventory(): Inventory {
    const devices: Inventory["devices"] = [];
    const accounts: Inventory["accounts"] = [];
    for (const entry of this.#entries.values()) {
      const state = this.#stateOf(entry);
      devices.push({
        device: entry.device,
        address: (entry.address ?? "").slice(0, 100),
        model: entry.model.slice(0, 200),
        androidVersion: entry.androidVersion.slice(0, 20),
        state,
        batteryPercent: entry.health.batteryPercent,
        proofAt: entry.proofAt,
      });
      for (const found of entry.accounts) {
        const isAway = state !== "online" ? "unreachable" as const : "ok" as const;
        accounts.push({ ...found, state: this.#lostAccounts.get(found.account) ?? isAway });
      }
    }
    return { devices, accounts };
  }

  #take(list: AdbDevice[], signal: AbortSignal): void {
    this.#list = list;
    const byAddress = new Map(list.map((line) => [line.serial, line]));
    for (const entry of this.#entries.values()) {
      const line = entry.address === null ? undefined : byAddress.get(entry.address);
      if (line && line.transportId === entry.transportId) {
        entry.adbState = line.state;
      } else {
        // Gone, or back on a new transport: who answers there now has to be asked again.
        entry.address = null;
        entry.adbState = "offline";
      }
      this.#noteReach(entry);
    }
    const known = new Set([...this.#entries.values()].map((entry) => entry.address));
    for (const line of list) {
      if (known.has(line.serial) || this.#identifying.has(line.serial)) continue;
      if (line.state === "device") this.#identify(line, signal);
      else if (line.state === "unauthorized") this.#addUnauthorized(line);
    }
  }

  async #identify(line: AdbDevice, signal: AbortSignal): Promise<void> {
    this.#identifying.add(line.serial);
    try {
      const { device, model, androidVersion } = await identifyPhone(
        this.#options.adb,
        line.serial,
        signal,
      );
      const present = this.#entries.get(device);
      // One phone on two transports, USB and TCP: the first stays in use.
      if (present?.address) return;
      const isStillThere = this.#list.some((now) =>
        now.serial === line.serial && now.transportId === line.transportId
      );
      if (!isStillThere) return;
      const entry = present ?? this.#add(device);
      Object.assign(entry, { address: line.serial, transportId: line.transportId, adbState: line.state });
      Object.assign(entry, { model, androidVersion });
      await this.#refresh(entry, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#options.log("warn", "device_not_identified", { address: line.serial, why: errorText(error) });
      }
    } finally {
      this.#identifying.delete(line.serial);
    }
  }

  /** It says nothing about itself before a person accepts the site's key, so its address names it until then. */
  #addUnauthorized(line: AdbDevice): void {
    const device = deviceKey(line.serial);
    const entry = this.#entries.get(device) ?? this.#add(device);
    Object.assign(entry, { address: line.serial, transportId: line.transportId, adbState: line.state });
    this.#options.onChange(device);
  }

  #add(device: string): Entry {
    const entry: Entry = {
      device,
      address: null,
      transportId: 0,
      adbState: "offline",
      model: "",
      androidVersion: "",
      health: { state: "booting", batteryPercent: null },
      proofAt: null,
      provenAt: -Infinity,
      accounts: [],
      accountsAskedAt: -Infinity,
      wasReachable: false,
    };
    this.#entries.set(device, entry);
    this.#options.onDevice(device);
    return entry;
  }

  async #refresh(entry: Entry, signal: AbortSignal): Promise<void> {
    if (entry.adbState !== "device") return;
    const before = JSON.stringify([this.#stateOf(entry), entry.accounts]);
    try {
      const phone = this.#phone(entry);
      entry.health = await askHealth(phone, signal);
      const now = this.#options.clock.monotonic();
      if (entry.health.state !== "booting" && now - entry.accountsAskedAt >= ACCOUNTS_EVERY_MS) {
        entry.accounts = await discoverAccounts(phone, signal);
        entry.accountsAskedAt = now;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log("warn", "device_probe_failed", { device: entry.device, why: errorText(error) });
    }
    this.#noteReach(entry);
    if (before !== JSON.stringify([this.#stateOf(entry), entry.accounts])) {
      this.#options.onChange(entry.device);
    }
  }

  #noteReach(entry: Entry): void {
    const state = this.#stateOf(entry);
    const isReachable = state !== "offline" && state !== "unauthorized" && state !== "not_answering";
    if (isReachable === entry.wasReachable) return;
    entry.wasReachable = isReachable;
    this.#options.log("info", isReachable ? "device_here" : "device_away", { device: entry.device, state });
    if (!isReachable) this.#options.onLost(entry.device);
    this.#options.onChange(entry.device);
  }

  #stateOf(entry: Entry): DeviceState {
    if (entry.adbState === "unauthorized") return "unauthorized";
    if (entry.address === null || entry.adbState !== "device") return "offline";
    if (this.#options.clock.monotonic() - entry.provenAt >= PROOF_MS) return "not_answering";
    return entry.health.state;
  }

  #phone(entry: Entry): Phone {
    const { adb, clock } = this.#options;
    return adbPhone({
      adb,
      clock,
      device: entry.device,
      address: () => entry.address ?? entry.device,
      onProof() {
        entry.proofAt = clock.now();
        entry.provenAt = clock.monotonic();
      },
    });
  }
}
