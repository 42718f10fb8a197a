/** argv → command → exit code. The only place of the agent that ends the program. */
import { accountsCommand } from "./commands/accounts.ts";
import type { Command } from "./commands/command.ts";
import { devicesCommand } from "./commands/devices.ts";
import { enrollCommand } from "./commands/enroll.ts";
import { lineLog } from "./commands/line_log.ts";
import { runCommand } from "./commands/run.ts";
import { simulateCommand } from "./commands/simulate.ts";
import { stopSignal } from "./commands/stop_signal.ts";
import { systemClock } from "./commands/system_clock.ts";
import { readConfig } from "./config.ts";
import { EXIT_CODE, ExitError } from "./exit_error.ts";
import { errorText } from "./log.ts";

const COMMANDS: Record<string, Command> = {
  enroll: enrollCommand,
  run: runCommand,
  devices: devicesCommand,
  accounts: accountsCommand,
  simulate: simulateCommand,
};

Deno.exit(await main(Deno.args));

async function main([name = "", ...args]: string[]): Promise<number> {
  const command = COMMANDS[name];
  if (!command || args.includes("--help")) {
    print(command?.help ?? Object.values(COMMANDS).map(({ help }) => help).join("\n\n"));
    return command ? 0 : EXIT_CODE.usage;
  }
  try {
    const config = readConfig(Deno.env.toObject());
    await command.run({
      args,
      config,
      clock: systemClock,
      log: lineLog(config.logLevel, print),
      random: Math.random,
      newId: () => crypto.randomUUID().replaceAll("-", ""),
      print,
      stop: stopSignal(),
    });
    return 0;
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${errorText(error)}\n`));
    return EXIT_CODE[error instanceof ExitError ? error.kind : "fault"];
  }
}

function print(line: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  } catch {
    // Whoever read this is gone; that ends no delivery.
  }
}
