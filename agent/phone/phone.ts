/** One phone as the flows use it: a shell with limits, and a place to put files. */
import type { ScreenWords } from "../screens/screen_words.ts";
import type { Clock } from "../time/clock.ts";

export interface Phone {
  /** The site's serial for the phone. */
  device: string;
  clock: Clock;
  /**
   * Runs one shell command and returns its output.
   *
   * @throws {PhoneCommandError} when its exit code is not 0
   * @throws {AdbError} when the phone cannot be reached or does not answer in time
   */
  run(command: string, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<string>;
  push(bytes: Uint8Array, path: string): Promise<void>;
}

/** Thrown when a command returned from the phone with an exit code other than 0. */
export class PhoneCommandError extends Error {
  override name = "PhoneCommandError";
  constructor(command: string, readonly exitCode: number, readonly output: string) {
    super(`Cannot run "${command.slice(0, 40)}" on the phone: exit code ${exitCode}`);
  }
}

/** An account's app and Android user: "R58M/com.whatsapp/0". */
export interface AppAccount {
  device: string;
  app: string;
  user: number;
  /** What is known about its screens. @default {SHIPPED_WORDS} */
  words?: ScreenWords;
}

/** Returns the parts of an account's key, with the given words. */
export function parseAccount(account: string, words?: ScreenWords): AppAccount {
  const [device, app, user] = account.split("/") as [string, string, string];
  return { device, app, user: Number(user), ...(words ? { words } : {}) };
}
