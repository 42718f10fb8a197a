import { ConfigError } from "../config.ts";

/** For a command without arguments: whoever gives it one means another command, and this one is not to be done. */
export function refuseArguments(task: string, args: readonly string[]): void {
  if (args.length === 0) return;
  throw new ConfigError(
    `deno task ${task} takes no arguments, such as ${JSON.stringify(args[0])}. Nothing was done.`,
  );
}
