/** The peer closed the connection before all expected bytes arrived. */
export class EndOfStreamError extends Error {
  override name = "EndOfStreamError";
}

/** The source of a ByteReader: the read half of a Deno.Conn, or a fake. */
export interface ByteSource {
  read(into: Uint8Array): Promise<number | null>;
}

/** The first size of a buffer for an answer without a length. */
const LONG_CHUNK_BYTES = 128 * 1024;

/** Buffers a socket, so that frames can be read by length. The socket's owner closes it. */
export class ByteReader {
  readonly #source: ByteSource;
  // Small, because every call has its own connection. Longer reads go directly into their target.
  readonly #chunk = new Uint8Array(2 * 1024);
  #pending = new Uint8Array(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns exactly `count` bytes in a new array. Throws EndOfStreamError when the peer closes first. */
  async readExactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    let filled = this.#take(bytes, 0);
    while (filled < count) {
      const read = await this.#readInto(bytes, filled);
      if (read === null) {
        throw new EndOfStreamError(`Cannot read ${count} bytes: the peer closed after ${filled}`);
      }
      filled += read;
    }
    return bytes;
  }

  /** Returns the next bytes, however few, or null when the peer has closed. */
  async readSome(): Promise<Uint8Array | null> {
    if (this.#pending.length === 0 && !(await this.#fill())) return null;
    const bytes = this.#pending.slice();
    this.#pending = new Uint8Array(0);
    return bytes;
  }

  /**
   * Returns all bytes until the peer closes, or null when there are more than `maxBytes`. Never holds more than three
   * times that.
   */
  async readToEnd(maxBytes: number): Promise<Uint8Array | null> {
    let bytes = new Uint8Array(Math.min(maxBytes, LONG_CHUNK_BYTES) + 1);
    let filled = this.#take(bytes, 0);
    while (filled <= maxBytes) {
      if (filled === bytes.length) {
        const longer = new Uint8Array(Math.min(2 * bytes.length, maxBytes + 1));
        longer.set(bytes);
        bytes = longer;
      }
      const read = await this.#source.read(bytes.subarray(filled));
      if (read === null) return bytes.subarray(0, filled);
      filled += read;
    }
    return null;
  }

  async #readInto(bytes: Uint8Array, at: number): Promise<number | null> {
    if (bytes.length - at >= this.#chunk.length) return await this.#source.read(bytes.subarray(at));
    return (await this.#fill()) ? this.#take(bytes, at) : null;
  }

  #take(into: Uint8Array, at: number): number {
    const count = Math.min(this.#pending.length, into.length - at);
    into.set(this.#pending.subarray(0, count), at);
    this.#pending = this.#pending.subarray(count);
    return count;
  }

  // Called only when nothing is pending, so that the one chunk buffer can be used again.
  async #fill(): Promise<boolean> {
    const count = await this.#source.read(this.#chunk);
    if (count === null) return false;
    this.#pending = this.#chunk.subarray(0, count);
    return true;
  }
}
