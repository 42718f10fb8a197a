import assert from "node:assert/strict";
import type { Command } from "./command.ts";
import { type CommandName, HELP, helpOf, helpOfAll } from "./help.ts";
import { parseCommandLine } from "./parse_command_line.ts";

const command: Command = {
  options: { json: { type: "boolean" }, to: { type: "string" } },
  run: async () => {},
};
const commands = Object.fromEntries(Object.keys(HELP).map((name) => [name, command])) as Record<
  CommandName,
  Command
>;
commands.enroll = { maxArgs: 1, run: async () => {} };

Deno.test("parseCommandLine() accepts options in any order and arguments where the command has them", () => {
  assert.deepEqual(parseCommandLine(["send-one", "--to", "+972", "--json", "--config", "x"], commands), {
    name: "send-one",
    args: [],
    options: { to: "+972", json: true, config: "x" },
  });
  assert.deepEqual(parseCommandLine(["enroll", "-"], commands)?.args, ["-"]);
  assert.equal(parseCommandLine(["--help"], commands), null);
  assert.equal(parseCommandLine([], commands), null);
});

Deno.test("parseCommandLine() refuses an unknown input in one sentence", () => {
  const cases: [string[], string][] = [
    [["sing"], `There is no command "sing": see --help`],
    [["toString"], `There is no command "toString": see --help`],
    [["run", "--fast"], `Cannot run "run": Unknown option '--fast'; see "run --help"`],
    [["run", "now"], `Cannot run "run": unknown argument "now"; see "run --help"`],
    [
      ["status", "--json=1"],
      `Cannot run "status": Option '--json' does not take an argument; see "status --help"`,
    ],
  ];
  for (const [argv, message] of cases) assert.throws(() => parseCommandLine(argv, commands), { message });
});

Deno.test("helpOf() returns usage, example and exit codes of every command", () => {
  for (const name of Object.keys(HELP) as CommandName[]) {
    const help = helpOf(name);
    assert.match(help, new RegExp(`^shigur-agent ${name}`));
    assert.match(help, /\nExample: .*shigur-agent /);
    assert.match(help, /\nExit codes: 0 .* · 2 wrong command line or setting$/);
    assert.ok(helpOfAll().includes(HELP[name].usage));
  }
});
