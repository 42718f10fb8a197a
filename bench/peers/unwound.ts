/** Ends everything that a part of the peers' bench started, also after a signal. */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Yields the results of `measure`, and unwinds its stack when it ends, throws, or a signal arrives. */
export async function* unwound<T>(
  measure: (stack: AsyncDisposableStack) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const stack = new AsyncDisposableStack();
  // Unwind once: a second call of the stack's own method would not wait for the first.
  let unwinding: Promise<void> | undefined;
  const unwind = () => unwinding ??= stack.disposeAsync();
  const end = () => void unwind().finally(() => Deno.exit(130));
  for (const signal of SIGNALS) Deno.addSignalListener(signal, end);
  try {
    yield* measure(stack);
  } finally {
    await unwind();
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, end);
  }
}
