/** Protocol of a driver process and the bench: words on stdin, a line of JSON on stdout. */

/** Returns the wall time with fractions of a millisecond, equal in every process of this machine. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Calls `act` with each line until stdin ends, which happens when the bench ends. */
export async function eachWord(act: (word: string) => Promise<void> | void): Promise<void> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) await act(line);
  }
}

/** Writes one line. */
export function writeLine(message: unknown): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
}
