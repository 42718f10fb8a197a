import { LATENCY_MS } from "./clock.ts";
import { runSh, type ShResult } from "./sh_run.ts";
import { ignoreKill, systemCommand } from "./system_commands.ts";
import { readPhoneFile, unixCommand } from "./unix_commands.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

/** How long a hung command waits before it starts, in real ms whatever the speed: nobody's timeouts are scaled. */
export interface HangMs {
  min: number;
  max: number;
}

/**
 * Runs one command line on a phone, with the phone's lies. A command that hangs starts late, and starts although its
 * caller may have gone. Throws ProcessKilledError when the phone reboots or the simulator stops under it.
 */
export async function runCommand(phone: VirtualPhone, source: string, hangMs: HangMs): Promise<ShResult> {
  const { liar, clock } = phone.context;
  if (liar.tells("offlineMoment")) phone.goOfflineForAMoment().catch(ignoreKill);
  if (liar.tells("shellHangs")) await phone.wait(hangMs.min + (hangMs.max - hangMs.min) * liar.roll());
  await phone.latency(LATENCY_MS.shell);
  return await runSh(source, {
    command: (name) => unixCommand(phone, name) ?? systemCommand(phone, name),
    readFile: (path) => readPhoneFile(phone, path),
    writeFile: (path, bytes) => phone.files.write(path, bytes, 0o660, Math.floor(clock.now() / 1_000)),
    glob: (pattern) => phone.files.glob(pattern),
  });
}
