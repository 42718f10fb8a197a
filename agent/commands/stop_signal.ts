/** Aborts when the program must end: by a signal, or when a parent closes its input. */

/** One Ctrl+C under `deno task` arrives twice: from the terminal, and passed on by the task runner (measured: 1 ms). */
const SAME_PRESS_MS = 1000;

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP. If SHIGUR_PARENT_PIPE is 1, it also aborts when the input ends: the
 * pipe of a killed parent closes. A second signal, at least a second after the first, ends the program at once.
 * A terminal's signals reach every process at once. Under a parent they are ignored, because the parent knows the order
 * in which to end.
 */
export function stopSignal(now: () => number = () => performance.now()): AbortSignal {
  const stop = new AbortController();
  let signalledAt: number | undefined;
  const hasParent = Deno.env.get("SHIGUR_PARENT_PIPE") === "1";
  for (const [name, number] of [["SIGHUP", 1], ["SIGINT", 2], ["SIGTERM", 15]] as const) {
    Deno.addSignalListener(name, () => {
      if (hasParent && name !== "SIGTERM") return;
      signalledAt ??= now();
      if (now() - signalledAt >= SAME_PRESS_MS) Deno.exit(128 + number);
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
