/** The help text of every command. */
import { AGENT_VERSION } from "../version.ts";

interface Help {
  usage: string;
  does: string;
  example: string;
  /** Exit codes in addition to those of every command. */
  codes?: string;
}

const ADB = "the phones of ADB_SERVER or, without it, of the agent's own adb server (127.0.0.1:5137)";

export const HELP = {
  run: {
    usage: "run",
    does: `Runs this site: takes work from the edge and sends it with ${ADB}.
A site that is not enrolled enrols itself with a join token. On SIGTERM or Ctrl+C it completes
running taps and ends; a second signal ends it at once.`,
    example: "EDGE_URL=https://shigur.example shigur-agent run",
    codes: "1 the edge refused the join token · 70 a fault of ours · 73 another agent holds AGENT_DIR",
  },
  enroll: {
    usage: "enroll <join token> | enroll -",
    does: `Enrols this site with an administrator's one-time token, and stores its key in AGENT_DIR. With "-"
the token is read from the input, so that no list of processes shows it.`,
    example: "EDGE_URL=https://shigur.example shigur-agent enroll -",
    codes: "1 the edge refused the join token · 69 the edge cannot be reached",
  },
  status: {
    usage: "status [--json]",
    does:
      `Shows the running agent's state: its connection and since when, phones and accounts by state, outcomes that the
edge has not acknowledged, the journal's counters, and the age of these figures.`,
    example: "sudo shigur-agent status",
    codes: "0 it runs, is connected, and a phone is ready · 1 otherwise",
  },
  doctor: {
    usage: "doctor [--lang he|en] [--json]",
    does:
      `Checks everything that a site needs (settings, enrolment, disk, edge, clock, adb, each phone and its apps). Prints
ok, warning or problem for each, with what to do. Sends nothing and changes nothing on a phone.`,
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
  rehearse: {
    usage: "rehearse --phone <serial> [--to <+number>] [--picture <file>] [--account <account>] [--json]",
    does:
      `Takes every step of a delivery on one phone up to the tap, and not the tap. Prints what each step looked for, what
it saw, how long it took and its verdict, in Hebrew and English. The draft is deleted again. Without --to the number is
one that belongs to nobody (of the range that Ofcom keeps for drama): an app that says so hides some steps.
With --to the phone shows a code and the number's last digits; type the code. Then ONE real message goes to that number,
with the steps of every message: intent on disk, one tap at most, proof, a look back. With --picture it is that picture.
It counts towards no quota and no daily limit; a phone sends at most three a day. The running agent lends the phone.`,
    example: "sudo shigur-agent rehearse --phone R58M123ABC",
    codes:
      "0 every step was seen, and with --to the message is proven · 1 otherwise · 69 no such phone · 75 busy: try later",
  },
  screens: {
    usage: "screens add <file> | screens list [--json] | screens remove <name> | screens seen [--json]",
    does:
      `Keeps this site's own screen files: ids and words of a version of the app that this release does not know
(docs/agent.md). A file is added only if it is whole and this site's recordings still pass with it. The running agent
takes it without a restart, and accounts that wait for a known screen send again. "seen" shows the unknown screens that
accounts wait on now: window, ids, and the words of a dialog, as the phone gave them. They come from the running agent's
memory and are stored nowhere.`,
    example: "sudo shigur-agent screens add app-2-26.json",
    codes:
      "1 the file is refused, there is none of that name, or a file of the site is damaged · 69 no running agent answers",
  },
  "send-one": {
    usage: "send-one --to <+number> [--text <text>] [--account <account>] [--yes]",
    does:
      `Sends one test message to a number of your own, with the steps of every message: open and check the chat,
journal the intent, tap once, look at the result. The edge does not know of it, so it counts towards no quota and no
daily limit. It needs the journal alone, so stop the service first. Nothing is ever tapped twice.`,
    example: "sudo systemctl stop shigur-agent && sudo shigur-agent send-one --to +972501234567",
    codes: "1 not sent, or not known to be sent · 69 no such phone · 73 an agent is running",
  },
  provision: {
    usage: "provision <admin username> --site <name> [--again]",
    does:
      `Logs in to the edge as an administrator, creates a site and prints the line that installs its agent. The line
works once and for 15 minutes. With --again an existing site gets a new line.
Password: asked for, read from the input, or ADMIN_PASSWORD; never on the command line.
Second factor: also a code of the application or a recovery code, or ADMIN_CODE. The join token needs another code,
because each works once: the next one, or ADMIN_NEXT_CODE.
First password: replaced by another, typed twice, on the input line after password and code, or ADMIN_NEW_PASSWORD.`,
    example: "EDGE_URL=https://shigur.example shigur-agent provision admin --site 'תל אביב'",
    codes: "1 the edge refused · 69 the edge cannot be reached",
  },
  recording: {
    usage: "recording replay <file> [--lang he|en] [--json] | recording make <dump.xml> <new file>",
    does:
      `Runs the steps of a delivery on a recording of a phone, with a tap that goes nowhere, and prints what each step
saw. A file of "uiautomator dump" (XML) is replayed as a recording of one screen; "make" writes it as a recording, in
which names, numbers and texts are stand-ins. For a dump --app, --user and --window name the app, the Android user and
the focused window. Needs no phone and no edge.`,
    example:
      "shigur-agent recording replay /var/lib/shigur-agent/recordings/20261127t101500-sent-1a2b3c4d.json",
    codes: "0 it ends as recorded, and no tap is wrong · 1 otherwise",
  },
  simulate: {
    usage: "simulate [--adbd] [--devices <count>] [--seed <text>] [--play <recording>]",
    does:
      `Serves virtual phones as an ADB server, for an agent started with ADB_SERVER. Settings: SIMULATED_DEVICES (8),
SIMULATED_SPEED (10), SIMULATED_FAULTS (0), SIMULATED_LIES (rates of single lies of
simulator/README.md: startIgnored=0.3,dumpFails=1) and SIMULATOR_PORT (0 = any; written to DATA_DIR/simulator/port).
With --adbd each phone also listens as adbd does after "adb tcpip", for a real adb server: a line "adb connect …"
each. --devices goes before SIMULATED_DEVICES. With --play the first phone shows the screens of a recording. Every tap on send is one line of DATA_DIR/simulator/taps.jsonl.`,
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

<command> --help explains a command, with an example and its exit codes.
${SETTINGS}`;
}
