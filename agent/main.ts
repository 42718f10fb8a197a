/** Turns argv into a command and its result into an exit code. Only this file ends the program. */
import { keepFilesPrivate } from "shared/private_files.ts";
import { accountsCommand } from "./commands/accounts.ts";
import type { Command } from "./commands/command.ts";
import { devicesCommand } from "./commands/devices.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { enrollCommand } from "./commands/enroll.ts";
import { type CommandName, helpOf, helpOfAll } from "./commands/help.ts";
import { lineLog } from "./commands/line_log.ts";
import { parseCommandLine } from "./commands/parse_command_line.ts";
import { provisionCommand } from "./commands/provision.ts";
import { recordingCommand } from "./commands/recording.ts";
import { rehearseCommand } from "./commands/rehearse.ts";
import { runCommand } from "./commands/run.ts";
import { screensCommand } from "./commands/screens.ts";
import { sendOneCommand } from "./commands/send_one.ts";
import { simulateCommand } from "./commands/simulate.ts";
import { statusCommand } from "./commands/status.ts";
import { stopSignal } from "./commands/stop_signal.ts";
import { systemClock } from "./time/system_clock.ts";
import { readConfig } from "./config.ts";
import { EXIT_CODE, ExitError } from "./exit_error.ts";

const COMMANDS: Record<CommandName, Command> = {
  run: runCommand,
  enroll: enrollCommand,
  status: statusCommand,
  doctor: doctorCommand,
  devices: devicesCommand,
  accounts: accountsCommand,
  rehearse: rehearseCommand,
  screens: screensCommand,
  "send-one": sendOneCommand,
  provision: provisionCommand,
  recording: recordingCommand,
  simulate: simulateCommand,
};

// An uncaught error ends the process: memory and disk may differ, and a new start reads the disk. The runtime's own
// exit code for it, 1, would mean that a new start does not help.
globalThis.addEventListener("unhandledrejection", ({ reason }) => Deno.exit(failed(reason)));
globalThis.addEventListener("error", ({ error }) => Deno.exit(failed(error)));
// Journals hold numbers and message texts.
keepFilesPrivate();
Deno.exit(await main());

async function main(): Promise<number> {
  try {
    const line = parseCommandLine(Deno.args, COMMANDS);
    if (line === null) {
      print(helpOfAll());
      return Deno.args.length > 0 ? 0 : EXIT_CODE.usage;
    }
    const { name, args, options } = line;
    if (options.help === true) {
      print(helpOf(name));
      return 0;
    }
    const config = readConfig({
      environment: Deno.env.toObject(),
      configPath: options.config as string | undefined,
      readText,
    });
    // The stdout of a command that answers holds only its answer, so that a program can read it.
    const write = name === "run" || name === "simulate" ? print : printError;
    const format = config.logFormat ?? (Deno.stdout.isTerminal() ? "text" : "json");
    const code = await COMMANDS[name].run({
      args,
      options,
      config,
      clock: systemClock,
      log: lineLog({ level: config.logLevel, format, write }),
      random: Math.random,
      newId: () => crypto.randomUUID().replaceAll("-", ""),
      print,
      stop: stopSignal(),
    });
    return code ?? 0;
  } catch (error) {
    return failed(error);
  }
}

const MAX_CONFIG_BYTES = 1024 * 1024;

function readText(path: string): string | null {
  try {
    const { isFile, size } = Deno.statSync(path);
    // A pipe may never end.
    if (!isFile || size > MAX_CONFIG_BYTES) {
      throw new ExitError("config", `Cannot read "${path}": it is no plain file of at most 1 MB`);
    }
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    throw new ExitError("config", `Cannot read "${path}": run this as its owner, for example with sudo`);
  }
}

/** Writes the reason to stderr, with the cause of a fault of this program, and returns the exit code. */
function failed(error: unknown): number {
  const isExpected = error instanceof ExitError;
  write(Deno.stderr, isExpected ? error.message : Deno.inspect(error));
  return EXIT_CODE[isExpected ? error.kind : "fault"];
}

function print(line: string): void {
  write(Deno.stdout, line);
}

function printError(line: string): void {
  write(Deno.stderr, line);
}

function write(stream: { writeSync(bytes: Uint8Array): number }, line: string): void {
  const bytes = new TextEncoder().encode(`${line}\n`);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
  } catch {
    // The reader of this output is gone. That must end no delivery.
  }
}
