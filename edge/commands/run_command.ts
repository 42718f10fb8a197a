/** What every command of `deno.json` does around its work. */
import { errorText } from "../error_fields.ts";

/** Prints a line for the operator. */
export function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Ends the process with the exit code that `act` returns; with 1, and a line `Cannot <what>: …`, when it throws. */
export async function runCommand(what: string, act: () => Promise<number>): Promise<never> {
  const code = await act().catch((error) => {
    print(`Cannot ${what}: ${errorText(error)}`);
    return 1;
  });
  Deno.exit(code);
}

/** Returns `length` unpredictable bytes. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}
