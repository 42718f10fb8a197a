/** One phone as the flows see it: a shell with limits, and a place to put files. */
import type { Clock } from "../time/clock.ts";

export interface Phone {
  /** Serial by which the site knows the phone. */
  device: string;
  clock: Clock;
  /**
   * Runs one shell command and answers what it printed.
   *
   * @throws {PhoneCommandError} when it exits with anything but 0
   * @throws {AdbError} when the phone cannot be reached or does not answer in time
   */
  run(command: string, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<string>;
  push(bytes: Uint8Array, path: string): Promise<void>;
}

/** Thrown when a command came back from the phone with an exit code other than 0. */
export class PhoneCommandError extends Error {
  override name = "PhoneCommandError";
  constructor(command: string, readonly exitCode: number, readonly output: string) {
    super(`Cannot run "${command.slice(0, 40)}" on the phone: exit code ${exitCode}`);
  }
}

/** Which app, in which Android user, an account is: "R58M/com.whatsapp/0". */
export interface AppAccount {
  device: string;
  app: string;
  user: number;
}

/** The parts of an account's key. */
export function parseAccount(account: string): AppAccount {
  const [device, app, user] = account.split("/") as [string, string, string];
  return { device, app, user: Number(user) };
}
