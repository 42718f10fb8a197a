/** The ways adb has to one phone: its USB cable, its address on the network. The phone itself is one. */
import type { AdbDevice } from "../adb/device_list.ts";

export interface Path {
  address: string;
  transportId: number;
  adbState: string;
  /** Commands in a row that did not come back this way. */
  failures: number;
  /** Nobody has answered on this transport: by its address alone it is taken for the phone that was there last. */
  isGuessed: boolean;
}

/** True for "host:port" and what adb finds by mDNS; a cable's serial has neither. */
export function isOnNetwork(address: string): boolean {
  return /:\d{1,5}$|\._adb(-tls-connect)?\._tcp/.test(address);
}

/** The ways that can carry a command, best first: one that answers before others, a cable before the network. */
export function usablePaths(paths: Iterable<Path>): Path[] {
  return [...paths].filter(isUsable).sort((a, b) =>
    a.failures - b.failures || Number(isOnNetwork(a.address)) - Number(isOnNetwork(b.address))
  );
}

/** Whether any way can carry a command; asked of every phone many times a second. */
export function isAnyUsable(paths: IteratorObject<Path>): boolean {
  return paths.some(isUsable);
}

function isUsable({ adbState }: Path): boolean {
  return adbState === "device";
}

/** The state of a phone that no way leads to, by what adb says of them. */
export function closedState(paths: Iterable<Path>): "unauthorized" | "offline" {
  return [...paths].some(({ adbState }) => isRefused(adbState)) ? "unauthorized" : "offline";
}

/** True where a person has to let this computer in, on the phone or on this computer. */
export function isRefused(adbState: string): boolean {
  return adbState === "unauthorized" || adbState === "authorizing" || adbState === "no permissions";
}

/**
 * True for a line worth showing although nobody knows whose it is: a phone that has to be let in, or one on a cable
 * that is in some other mode. What is only connecting will soon say more.
 */
export function isWorthShowing({ serial, state }: AdbDevice): boolean {
  if (state === "unauthorized" || state === "no permissions") return true;
  return !isOnNetwork(serial) && /^(recovery|sideload|rescue|bootloader)$/.test(state);
}
