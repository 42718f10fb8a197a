/** The help text of every command. */
import { AGENT_VERSION } from "../version.ts";

interface Help {
  usage: string;
  does: string;
  example: string;
  /** Exit codes besides those that every command has. */
  codes?: string;
}

const ADB = "the phones of ADB_SERVER or, without it, of the agent's own adb server (127.0.0.1:5137)";

export const HELP = {
  run: {
    usage: "run",
    does: `Runs this site: takes work from the edge and sends it with ${ADB}.
A site that is not enrolled and finds a join token enrols itself. Ends on SIGTERM or Ctrl+C once the taps on
their way are seen through; a second signal ends it at once.`,
    example: "EDGE_URL=https://shigur.example shigur-agent run",
    codes: "1 the edge refused the join token · 70 a fault of ours · 73 another agent holds AGENT_DIR",
  },
  enroll: {
    usage: "enroll <join token> | enroll -",
    does:
      `Enrols this site with the one-time token an administrator made, and keeps its key in AGENT_DIR. With "-"
the token is read from the input, where no list of processes shows it.`,
    example: "EDGE_URL=https://shigur.example shigur-agent enroll -",
    codes: "1 the edge refused the join token · 69 the edge cannot be reached",
  },
  status: {
    usage: "status [--json]",
    does:
      `What the running agent knows: connected or not and since when, phones and accounts by state, outcomes the
edge has not acknowledged, the journal's counters, and how old this knowledge is.`,
    example: "sudo shigur-agent status",
    codes: "0 it runs, is connected, and a phone is ready · 1 otherwise",
  },
  doctor: {
    usage: "doctor [--lang he|en] [--json]",
    does:
      `Looks at everything a site needs (settings, enrolment, disk, edge, clock, adb, each phone and its apps) and
says of each: fine, warning or problem, and what to do. Sends nothing and changes nothing on a phone.`,
    example: "sudo shigur-agent doctor --lang en",
    codes: "0 no problem · 1 at least one problem",
  },
  devices: {
    usage: "devices [--json]",
    does: `Lists ${ADB}: address, adb's state, model.`,
    example: "sudo shigur-agent devices",
    codes: "69 no adb server answers",
  },
  accounts: {
    usage: "accounts [--json]",
    does:
      `Lists the messaging accounts found on every phone: account, app version, day of the app's first install.`,
    example: "sudo shigur-agent accounts",
    codes: "69 no adb server answers",
  },
  "send-one": {
    usage: "send-one --to <+number> [--text <text>] [--account <account>] [--yes]",
    does:
      `Sends one test message by hand, to a number of your own, by the road every message takes: chat opened and
verified, intent journaled, one tap, looked at. The edge does not know of it: it counts towards no quota and no
daily limit. It needs the journal for itself, so the service has to be stopped first; nothing is ever tapped twice.`,
    example: "sudo systemctl stop shigur-agent && sudo shigur-agent send-one --to +972501234567",
    codes: "1 not sent, or not known to be sent · 69 no such phone · 73 an agent is running",
  },
  provision: {
    usage: "provision <admin username> --site <name> [--again]",
    does:
      `Logs in to the edge as an administrator, makes a site and prints the line that installs its agent, good once
and for 15 minutes. With --again the site exists already and gets a new line. The password is asked for, or read
from the input, or taken from ADMIN_PASSWORD; never from the command line. An administrator with a second factor is
asked for a code as well: of the application, or a recovery code; or ADMIN_CODE holds it. The join token needs a
second code, since each is good once: the next one, or ADMIN_NEXT_CODE. Where the password is a first one, another is
chosen first: twice on the terminal, on the input's next line behind password and code, or in ADMIN_NEW_PASSWORD.`,
    example: "EDGE_URL=https://shigur.example shigur-agent provision admin --site 'תל אביב'",
    codes: "1 the edge refused · 69 the edge cannot be reached",
  },
  simulate: {
    usage: "simulate [--adbd] [--devices <count>] [--seed <text>]",
    does:
      `Serves virtual phones as an ADB server, for an agent started with ADB_SERVER. Set with SIMULATED_DEVICES (8),
SIMULATED_SPEED (10), SIMULATED_FAULTS (0), SIMULATED_LIES (rates of single lies, as simulator/README.md
names them: startIgnored=0.3,dumpFails=1) and SIMULATOR_PORT (0 = any; written to DATA_DIR/simulator/port).
With --adbd each phone also listens as adbd does after "adb tcpip", for a real adb server: a line "adb connect …"
each. --devices goes before SIMULATED_DEVICES. Every tap on send is one line of DATA_DIR/simulator/taps.jsonl.`,
    example: "SIMULATED_DEVICES=20 SIMULATOR_PORT=5038 shigur-agent simulate",
  },
} satisfies Record<string, Help>;
export type CommandName = keyof typeof HELP;

const SETTINGS = `Settings: AGENT_DIR/agent.json or --config <file>, and the environment, which wins:
EDGE_URL (edgeUrl), ADB_SERVER (adbServer, host:port),
NETWORK_PHONES (networkPhones, host:port,…), JOIN_TOKEN_FILE (joinTokenFile),
LOG_LEVEL (logLevel: debug, info, warn, error), LOG_FORMAT (logFormat: json, text); AGENT_DIR in the environment alone.`;

/** Returns the help of one command. */
export function helpOf(name: CommandName): string {
  const help: Help = HELP[name];
  const codes = ["0 done", ...(help.codes ? [help.codes] : []), "2 wrong command line or setting"];
  const own = help.codes?.startsWith("0 ") ? codes.slice(1) : codes;
  return `shigur-agent ${help.usage}

${help.does}

Example: ${help.example}
Exit codes: ${own.join(" · ")}`;
}

/** Returns one line for every command, and where settings come from. */
export function helpOfAll(): string {
  const usages = Object.values(HELP).map(({ usage }) => `  ${usage}`);
  return `shigur-agent ${AGENT_VERSION} (in the repository: deno task agent)

${usages.join("\n")}

<command> --help tells what a command does, with an example and its exit codes.
${SETTINGS}`;
}
