import { LATENCY_MS, ProcessKilledError } from "../phone/clock.ts";
import { runSh, type ShHost, type ShResult } from "./sh_run.ts";
import { ignoreKill, systemCommand } from "./system_commands.ts";
import { timeout } from "./timeout_command.ts";
import { readPhoneFile, unixCommand } from "./unix_commands.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

const MUTE_MS = 50;

/**
 * Runs one command line on a phone, with the phone's lies. A command that hangs starts late, even if its caller has
 * gone. A restart comes before it or right after it.
 *
 * @throws {ProcessKilledError} when the phone reboots or the simulator stops during the command
 */
export async function runCommand(phone: VirtualPhone, source: string): Promise<ShResult> {
  const { liar, clock } = phone.context;
  if (liar.lies("offlineMoment")) phone.goOfflineForAMoment().catch(ignoreKill);
  while (phone.isMute) await phone.wait(MUTE_MS);
  if (liar.lies("shellHangs")) await phone.hang();
  await phone.latency(LATENCY_MS.shell);
  const restarts = liar.lies("reboots");
  if (restarts && liar.roll() < 0.5) restart(phone);
  const command = (name: string) => unixCommand(phone, name) ?? systemCommand(phone, name);
  const host: ShHost = {
    command: (name) => name === "timeout" ? (call) => timeout(call, command) : command(name),
    readFile: (path) => readPhoneFile(phone, path),
    writeFile: (path, bytes) => phone.files.write(path, bytes, 0o660, Math.floor(clock.now() / 1_000)),
    glob: (pattern) => phone.files.glob(pattern),
  };
  const result = await phone.process(`/system/bin/sh -c ${source}`, () => runSh(source, host));
  if (restarts) restart(phone);
  return result;
}

function restart(phone: VirtualPhone): never {
  // No code waits until the phone is back. Only a stop of the simulator kills this.
  phone.reboot().catch(ignoreKill);
  throw new ProcessKilledError("The phone rebooted");
}
