/** The shape of every command of the agent. */
import type { AgentConfig } from "../config.ts";
import type { Clock } from "../time/clock.ts";
import type { Log } from "../log.ts";

export interface CommandContext {
  /** The arguments that are not options. */
  args: string[];
  options: Record<string, string | boolean | undefined>;
  config: AgentConfig;
  clock: Clock;
  log: Log;
  random: () => number;
  /** 128 random bits in hexadecimal. */
  newId: () => string;
  print: (line: string) => void;
  /** Aborts when the program must end. */
  stop: AbortSignal;
}

export interface Command {
  /** Options other than --help and --config. */
  options?: Record<string, { type: "string" | "boolean" }>;
  /** The largest number of arguments, without options; 0 by default. */
  maxArgs?: number;
  /** Runs until its end and returns an exit code, 0 by default. Throws ExitError for an end with its own code. */
  run(context: CommandContext): Promise<number | void>;
}
