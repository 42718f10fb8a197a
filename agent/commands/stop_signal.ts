/** When the program is asked to end: by a signal, or by a parent that holds its input open. */

/** One Ctrl+C below `deno task` comes twice: from the terminal, and passed on by the task runner (measured: 1 ms). */
const SAME_PRESS_MS = 1000;

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP, and when the input ends if SHIGUR_PARENT_PIPE is 1: a parent that
 * was killed says nothing, but its pipe closes. A second signal, a second after the first or later, ends the program
 * at once. Below a parent a terminal's signals are the parent's: they reach every process at once, and the parent knows
 * who has to end first.
 */
export function stopSignal(now: () => number = () => performance.now()): AbortSignal {
  const stop = new AbortController();
  let toldAt: number | undefined;
  const hasParent = Deno.env.get("SHIGUR_PARENT_PIPE") === "1";
  for (const [name, number] of [["SIGHUP", 1], ["SIGINT", 2], ["SIGTERM", 15]] as const) {
    Deno.addSignalListener(name, () => {
      if (hasParent && name !== "SIGTERM") return;
      toldAt ??= now();
      if (now() - toldAt >= SAME_PRESS_MS) Deno.exit(128 + number);
      stop.abort();
    });
  }
  if (hasParent) untilInputEnds().finally(() => stop.abort());
  return stop.signal;
}

async function untilInputEnds(): Promise<void> {
  const buffer = new Uint8Array(256);
  while (await Deno.stdin.read(buffer) !== null);
}
