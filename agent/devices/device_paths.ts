/** The paths of adb to one phone: its USB cable, its address on the network. */
import type { AdbDevice } from "../adb/device_list.ts";

export interface Path {
  address: string;
  transportId: number;
  adbState: string;
  /** Commands in a row that failed on this path. */
  failures: number;
  /** No phone has answered on this transport yet. Its address identifies it as the last phone there. */
  isGuessed: boolean;
}

/** True for "host:port" and for names that adb finds by mDNS. The serial of a cable has neither form. */
export function isOnNetwork(address: string): boolean {
  return /:\d{1,5}$|\._adb(-tls-connect)?\._tcp/.test(address);
}

/** Returns the paths that can carry a command: fewest failures first, then cables before the network. */
export function usablePaths(paths: Iterable<Path>): Path[] {
  return [...paths].filter(isUsable).sort((a, b) =>
    a.failures - b.failures || Number(isOnNetwork(a.address)) - Number(isOnNetwork(b.address))
  );
}

/** Returns whether any path can carry a command. Called for every phone many times a second. */
export function isAnyUsable(paths: IteratorObject<Path>): boolean {
  return paths.some(isUsable);
}

function isUsable({ adbState }: Path): boolean {
  return adbState === "device";
}

/** Returns the state of a phone without a usable path, by what adb reports of its paths. */
export function closedState(paths: Iterable<Path>): "unauthorized" | "offline" {
  return [...paths].some(({ adbState }) => isRefused(adbState)) ? "unauthorized" : "offline";
}

/** True when a person has to permit this computer, on the phone or on this computer. */
export function isRefused(adbState: string): boolean {
  return adbState === "unauthorized" || adbState === "authorizing" || adbState === "no permissions";
}

/**
 * True for a line that is worth showing although its phone is not known. It needs a permission, or is on a cable in
 * another mode. A line that is only connecting will soon show more.
 */
export function isWorthShowing({ serial, state }: AdbDevice): boolean {
  if (state === "unauthorized" || state === "no permissions") return true;
  return !isOnNetwork(serial) && /^(recovery|sideload|rescue|bootloader)$/.test(state);
}
