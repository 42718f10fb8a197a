/** What a part of the peers' bench started is ended with it, also when the bench is told to end. */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Yields what `measure` does, and unwinds its stack whether it ends, throws, or a signal comes. */
export async function* unwound<T>(
  measure: (stack: AsyncDisposableStack) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const stack = new AsyncDisposableStack();
  // Once: a second call of the stack's own would not wait for the first.
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
