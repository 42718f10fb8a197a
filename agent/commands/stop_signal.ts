/** When the program is asked to end: by a signal, or by a parent that holds its input open. */

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP, and when the input ends if SHIGUR_PARENT_PIPE is 1: a parent that
 * was killed says nothing, but its pipe closes. A second signal ends the program at once. Below a parent a terminal's
 * signals are the parent's: they reach every process at once, and the parent knows who has to end first.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const hasParent = Deno.env.get("SHIGUR_PARENT_PIPE") === "1";
  for (const [name, number] of [["SIGHUP", 1], ["SIGINT", 2], ["SIGTERM", 15]] as const) {
    Deno.addSignalListener(name, () => {
      if (hasParent && name !== "SIGTERM") return;
      if (stop.signal.aborted) Deno.exit(128 + number);
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
