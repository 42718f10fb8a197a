/** Reads a text file that a person names on the command line. */
import { ExitError } from "../exit_error.ts";

/**
 * Returns the text of a file of at most `maxBytes`. It must be a plain file: a pipe may never end, and a device never
 * does.
 *
 * @throws {ExitError} "usage" in one sentence when it cannot be read
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readNamedBytes(path, maxBytes));
}

/** Returns the bytes of such a file. @throws {ExitError} "usage" in one sentence when it cannot be read */
export async function readNamedBytes(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (why: string) => new ExitError("usage", `Cannot read "${path}": ${why}`);
  try {
    const { isFile, isDirectory, size } = await Deno.stat(path);
    if (isDirectory) throw refuse("it is a directory");
    if (!isFile) throw refuse("it is no plain file");
    if (size > maxBytes) throw refuse(`it is larger than ${Math.floor(maxBytes / 1024)} kB`);
    // The file may grow after the look at its size.
    using file = await Deno.open(path);
    const bytes = new Uint8Array(maxBytes + 1);
    let length = 0;
    for (let read: number | null = 0; read !== null && length < bytes.length; length += read ?? 0) {
      read = await file.read(bytes.subarray(length));
    }
    if (length > maxBytes) throw refuse(`it is larger than ${Math.floor(maxBytes / 1024)} kB`);
    return bytes.slice(0, length);
  } catch (error) {
    if (error instanceof ExitError) throw error;
    if (error instanceof Deno.errors.NotFound) throw refuse("there is no such file");
    if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
      throw refuse("it may not be read");
    }
    throw refuse("it cannot be read");
  }
}
