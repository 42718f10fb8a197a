/** Turns argv into a command's name, its options and its arguments. */
import { parseArgs } from "node:util";
import { ExitError } from "../exit_error.ts";
import type { Command } from "./command.ts";
import type { CommandName } from "./help.ts";

export interface CommandLine {
  name: CommandName;
  args: string[];
  options: Record<string, string | boolean | undefined>;
}

const COMMON = { help: { type: "boolean" }, config: { type: "string" } } as const;

/**
 * Reads a command line. Returns null when no command was named, or the help of all commands is wanted.
 *
 * @throws {ExitError} when the command line is wrong
 */
export function parseCommandLine(
  argv: readonly string[],
  commands: Record<CommandName, Command>,
): CommandLine | null {
  const [name = "", ...rest] = argv;
  if (name === "" || name === "--help" || name === "help") return null;
  if (!Object.hasOwn(commands, name)) {
    throw new ExitError("usage", `There is no command ${JSON.stringify(name)}: see --help`);
  }
  const command = commands[name as CommandName];
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...COMMON, ...command.options },
      allowPositionals: true,
    });
    if (positionals.length > (command.maxArgs ?? 0) && values.help !== true) {
      throw new TypeError(`unknown argument ${JSON.stringify(positionals.at(-1))}`);
    }
    return { name: name as CommandName, args: positionals, options: { ...values } };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Drop Node's advice on text after "--": it does not apply here.
    const why = error.message.split(/\. (?=To specify)/)[0];
    throw new ExitError("usage", `Cannot run "${name}": ${why}; see "${name} --help"`);
  }
}
