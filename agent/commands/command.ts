/** What every command of the agent is. */
import type { AgentConfig } from "../config.ts";
import type { Clock } from "../time/clock.ts";
import type { Log } from "../log.ts";

export interface CommandContext {
  /** What was given besides options. */
  args: string[];
  options: Record<string, string | boolean | undefined>;
  config: AgentConfig;
  clock: Clock;
  log: Log;
  random: () => number;
  /** 128 random bits in hexadecimal. */
  newId: () => string;
  print: (line: string) => void;
  /** Aborts when the program is asked to end. */
  stop: AbortSignal;
}

export interface Command {
  /** Options beside --help and --config. */
  options?: Record<string, { type: "string" | "boolean" }>;
  /** How many arguments besides options it takes at most; 0 by default. */
  maxArgs?: number;
  /** Runs to its end and answers an exit code, 0 by default; throws ExitError for an end that has a code of its own. */
  run(context: CommandContext): Promise<number | void>;
}
