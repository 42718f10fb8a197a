/** Phones on the network. An adb server forgets them when it ends, or after they were away for a minute. */
import type { AdbClient } from "../adb/client.ts";
import type { AdbDevice } from "../adb/device_list.ts";
import { AskAgain } from "../time/ask_again.ts";
import { isOnNetwork } from "./device_paths.ts";
import { errorText, type Log } from "../log.ts";

const EVERY_MS = 5_000;
const LONGEST_MS = 5 * 60_000;

/** Makes the adb server connect again to every network address that it once listed or that the settings name. */
export class NetworkPhones {
  readonly #addresses = new Map<string, { again: AskAgain; isAsking: boolean }>();
  #listed = new Set<string>();

  constructor(private readonly options: { adb: AdbClient; log: Log; addresses: readonly string[] }) {
    for (const address of options.addresses) this.#know(address);
  }

  /** Takes the server's list. A server that has just come back has to connect to all addresses at once. */
  listed(list: AdbDevice[], isServerNew: boolean): void {
    this.#listed = new Set(list.map(({ serial }) => serial));
    for (const { serial, state } of list) {
      if (state === "device" && isOnNetwork(serial)) this.#know(serial).again.changed();
    }
    if (isServerNew) { for (const { again } of this.#addresses.values()) again.changed(); }
  }

  /** Connects to the missing addresses that are due. */
  async connectMissing(now: () => number, signal: AbortSignal): Promise<void> {
    const missing = [...this.#addresses].filter(([address, { again, isAsking }]) =>
      !this.#listed.has(address) && !isAsking && again.isDue(now())
    );
    await Promise.all(missing.map(async ([address, known]) => {
      known.isAsking = true;
      try {
        await this.options.adb.connect(address, signal);
        known.again.answered(now());
      } catch (error) {
        if (signal.aborted) return;
        known.again.failed(now());
        this.options.log("debug", "network_phone_away", { address, why: errorText(error) });
      } finally {
        known.isAsking = false;
      }
    }));
  }

  #know(address: string): { again: AskAgain; isAsking: boolean } {
    const known = this.#addresses.get(address) ??
      { again: new AskAgain(EVERY_MS, LONGEST_MS), isAsking: false };
    this.#addresses.set(address, known);
    return known;
  }
}
