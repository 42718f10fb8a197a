/** Reads the text that a person types, or a program pipes in. */
import { ExitError } from "../exit_error.ts";

const ENTER = new Set([10, 13]);
const BACKSPACE = new Set([8, 127]);

/** Returns the first line of the input without its end; "" when the input ends first. @throws {ExitError} on `stop` */
export async function readLine(stop: AbortSignal): Promise<string> {
  return await orStopped(readBytes((byte) => ENTER.has(byte)), stop);
}

/**
 * Asks on the terminal, shown or hidden, and returns the typed text.
 *
 * @throws {ExitError} when there is no terminal, or at Ctrl+C
 */
export async function ask(question: string, stop: AbortSignal, { isHidden = false } = {}): Promise<string> {
  if (!Deno.stdin.isTerminal()) {
    throw new ExitError("usage", `Cannot ask ${JSON.stringify(question)}: no terminal`);
  }
  if (isHidden) Deno.stdin.setRaw(true, { cbreak: true });
  try {
    write(`${question} `);
    return await readLine(stop);
  } finally {
    if (isHidden) {
      Deno.stdin.setRaw(false);
      write("\n");
    }
  }
}

/** A read from a terminal cannot be cancelled: it is left pending, and the program ends. */
function orStopped<T>(reading: Promise<T>, stop: AbortSignal): Promise<T> {
  return Promise.race([
    reading,
    new Promise<never>((_, refuse) => {
      const end = () => refuse(new ExitError("unwell", "Stopped."));
      if (stop.aborted) end();
      stop.addEventListener("abort", end);
    }),
  ]);
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

async function readBytes(isEnd: (byte: number) => boolean): Promise<string> {
  const bytes: number[] = [];
  const buffer = new Uint8Array(1);
  while (await Deno.stdin.read(buffer) !== null && !isEnd(buffer[0]!)) {
    if (!BACKSPACE.has(buffer[0]!)) bytes.push(buffer[0]!);
    // A Hebrew letter has two bytes: delete back to the start of the letter.
    else while (((bytes.pop() ?? 0) & 0xc0) === 0x80);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
