/**
 * Decides which work may touch a phone. A command can outlive its caller, in an adb server or on the phone itself. So
 * each delivery and each look back writes its own fence on the phone, and nothing touches the phone under an older one.
 */
import { type Phone, PhoneCommandError } from "./phone.ts";

/** A phone whose present fence belongs to the holder. */
export interface HeldPhone extends Phone {
  /** The output of the command that was asked with the fence. */
  asked: string;
  /**
   * Runs a command that changes the phone's screen. Throws as `run` does. A command that begins after the next fence was
   * taken does nothing.
   */
  touch(command: string, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<string>;
}

/** Thrown when a command of an earlier fence does not end. */
export class PhoneBusyError extends Error {
  override name = "PhoneBusyError";
}

const FENCE_FILE = "/data/local/tmp/shigur-turn";
/** EX_TEMPFAIL of sysexits(3). */
const FENCE_TAKEN = 75;
/**
 * Processes that touch a phone: our own scripts, and the programs they call. These are `cmd input` and `cmd activity`
 * since Android 12 and 8, before that app_process with com.android.commands.… The brackets keep a pattern from matching
 * itself.
 */
const TOUCHING = "[s]higur-turn\\)|cmd ([i]nput|[a]ctivity) |commands\\.([i]nput|[a]m)\\.";
const WHO_TOUCHES = `pgrep -f '${TOUCHING}'; echo "exit $?"`;
const CHECKS = 30;
const BETWEEN_CHECKS_MS = 1_000;

/**
 * Puts a new fence on a phone. Earlier commands that have not begun will do nothing; commands that have begun are waited
 * for. They are not killed: `input` only asks the system to tap, and that request outlives its process. `also` runs in
 * the same command, because each is a connection; it must touch nothing.
 *
 * @throws {PhoneBusyError} when something still touches the phone after half a minute
 * @throws {AdbError} when the phone cannot be reached
 */
export async function takePhoneFence(
  phone: Phone,
  signal?: AbortSignal,
  also: string | null = null,
): Promise<HeldPhone> {
  // One command: the fence is written before the search for earlier commands. A later command finds it written.
  const asks = also === null ? "" : `${also}; `;
  const command =
    `cat /proc/sys/kernel/random/uuid > ${FENCE_FILE}; cat ${FENCE_FILE}; ${asks}${WHO_TOUCHES}`;
  let output = await phone.run(command, { signal });
  const fence = output.split("\n", 1)[0]!.trim();
  const asked = output;
  // A phone without room keeps an empty file, and every command would hold an empty fence.
  if (!/^[0-9a-f-]{36}$/.test(fence)) throw new PhoneCommandError(command, 0, output);
  for (let checks = 0; checks < CHECKS; checks++) {
    if (checks > 0) {
      await phone.clock.sleep(BETWEEN_CHECKS_MS, signal);
      output = await phone.run(WHO_TOUCHES, { signal });
    }
    signal?.throwIfAborted();
    if (isStill(output)) return held(phone, fence, asked);
  }
  throw new PhoneBusyError(`Cannot use phone "${phone.device}": an earlier command still runs on it`);
}

/** Reads the output of `WHO_TOUCHES`: true = no process. */
function isStill(output: string): boolean {
  const exitCode = Number(/exit (\d+)\s*$/.exec(output)?.[1]);
  if (exitCode > 1) throw new PhoneCommandError(WHO_TOUCHES, exitCode, output);
  return exitCode === 1;
}

function held(phone: Phone, fence: string, asked: string): HeldPhone {
  return {
    ...phone,
    asked,
    touch: (command, options) =>
      phone.run(
        `if [ "$(cat ${FENCE_FILE})" = "${fence}" ]; then ${command}; else exit ${FENCE_TAKEN}; fi`,
        options,
      ),
  };
}
