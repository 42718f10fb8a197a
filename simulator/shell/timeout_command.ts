import type { ShCall, ShCommand } from "../phone/sh_call.ts";

/** Exit code of toybox when its arguments are wrong, or the command does not exist. */
const FAILED = 125;
const NOT_FOUND = 127;

/**
 * Runs `timeout -s KILL SECONDS COMMAND [ARGUMENT…]` for commands that can hang: all others are quicker than any limit.
 */
export async function timeout(
  call: ShCall,
  find: (name: string) => ShCommand | undefined,
): Promise<number> {
  const [option, signal, seconds = "", name = "", ...args] = call.args;
  if (option !== "-s" || signal !== "KILL" || !/^\d+$/.test(seconds)) {
    call.err(`timeout: Unknown option ${call.args.join(" ")}\n`);
    return FAILED;
  }
  const command = find(name);
  if (command) return await command({ ...call, args, limitMs: Number(seconds) * 1_000 });
  call.err(`timeout: exec ${name}: No such file or directory\n`);
  return NOT_FOUND;
}
