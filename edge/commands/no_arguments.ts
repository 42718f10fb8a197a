import { ConfigError } from "../config.ts";

/** Refuses arguments of a command that takes none: the operator meant another command. */
export function refuseArguments(task: string, args: readonly string[]): void {
  if (args.length === 0) return;
  throw new ConfigError(
    `deno task ${task} takes no arguments, but got ${JSON.stringify(args[0])}. Nothing was done.`,
  );
}
