/** What every command of the agent is. */
import type { AgentConfig } from "../config.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

export interface CommandContext {
  args: string[];
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
  help: string;
  /** Runs to its end; throws ExitError for an end that has a code of its own. */
  run(context: CommandContext): Promise<void>;
}
