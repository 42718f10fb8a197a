/** Lines of JSON over a socket of the file system, with bounds: the other side may be any program of this machine. */
import type { z } from "zod";

/** Thrown when a line is too long, is not JSON, or has another shape. */
export class BadLineError extends Error {
  override name = "BadLineError";
}

const NEWLINE = 10;

export class JsonLines implements Disposable {
  readonly #socket: Deno.Conn;
  /** Bytes that came after the last line, in parts. */
  #parts: Uint8Array[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(socket: Deno.Conn) {
    this.#socket = socket;
  }

  /**
   * Returns the next line, or null when the other side is gone.
   *
   * @throws {BadLineError} when it is longer than `maxBytes` or does not match the schema
   */
  async read<T>(schema: z.ZodType<T>, maxBytes: number): Promise<T | null> {
    const line = await this.#line(maxBytes);
    if (line === null) return null;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new BadLineError("Cannot read line: it is not JSON");
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new BadLineError("Cannot read line: it has another shape");
    return parsed.data;
  }

  async #line(maxBytes: number): Promise<string | null> {
    let length = this.#parts.reduce((sum, part) => sum + part.length, 0);
    // A complete line may have come with the one before it.
    let end = this.#parts.length === 1 ? this.#parts[0]!.indexOf(NEWLINE) : -1;
    while (end < 0) {
      if (length > maxBytes) throw new BadLineError(`Cannot read line: it is longer than ${maxBytes} bytes`);
      const buffer = new Uint8Array(64 * 1024);
      const count = await this.#socket.read(buffer).catch(() => null);
      if (count === null) return null;
      const part = buffer.subarray(0, count);
      const at = part.indexOf(NEWLINE);
      if (at >= 0) end = length + at;
      this.#parts.push(part);
      length += count;
    }
    if (end > maxBytes) throw new BadLineError(`Cannot read line: it is longer than ${maxBytes} bytes`);
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    const rest = all.slice(end + 1);
    this.#parts = rest.length > 0 ? [rest] : [];
    return new TextDecoder().decode(all.subarray(0, end));
  }

  /** Writes a line after those before it. A side that is gone is noticed by `read`. */
  write(value: unknown): Promise<void> {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    return this.#writing = this.#writing.then(async () => {
      try {
        for (let written = 0; written < bytes.length;) {
          written += await this.#socket.write(bytes.subarray(written));
        }
      } catch {
        // Nobody reads.
      }
    });
  }

  [Symbol.dispose](): void {
    try {
      this.#socket.close();
    } catch {
      // It is closed already.
    }
  }
}
