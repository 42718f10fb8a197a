/** When the program is asked to end: by a signal, or by a parent that holds its input open. */

/**
 * Aborts at the first SIGTERM or SIGINT, and when the input ends if SHIGUR_PARENT_PIPE is 1: a parent that was
 * killed says nothing, but its pipe closes. A second signal ends the program at once.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(name, () => {
      if (stop.signal.aborted) Deno.exit(128 + (name === "SIGINT" ? 2 : 15));
      stop.abort();
    });
  }
  if (Deno.env.get("SHIGUR_PARENT_PIPE") === "1") untilInputEnds().finally(() => stop.abort());
  return stop.signal;
}

async function untilInputEnds(): Promise<void> {
  const buffer = new Uint8Array(256);
  while (await Deno.stdin.read(buffer) !== null);
}
