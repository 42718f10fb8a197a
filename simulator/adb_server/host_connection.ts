import { ByteReader, EndOfStreamError } from "../../agent/adb/byte_reader.ts";
import { concatBytes, encodeHexFrame, parseHex4 } from "../../agent/adb/wire.ts";

const encoder = new TextEncoder();
const OKAY = encoder.encode("OKAY");

/** The carrier of a phone's service: a client's socket, or a stream of the phone's own transport. */
export interface PhoneConnection {
  readonly reader: ByteReader;
  write(...parts: Uint8Array[]): Promise<void>;
  /** Accepts the service; fail() refuses it. */
  okay(): Promise<void>;
  fail(message: string): Promise<void>;
  /** Signals the end of the data. */
  finish(): Promise<void>;
}

/** The server's end of one client's socket. It speaks the smart-socket protocol. */
export class HostConnection implements PhoneConnection {
  readonly reader: ByteReader;

  constructor(readonly conn: Deno.Conn) {
    this.reader = new ByteReader(conn);
  }

  /** Returns the next requested service, or null when the client has closed. */
  async readRequest(): Promise<string | null> {
    try {
      const length = parseHex4(await this.reader.readExactly(4));
      return new TextDecoder().decode(await this.reader.readExactly(length));
    } catch (error) {
      if (error instanceof EndOfStreamError) return null;
      throw error;
    }
  }

  async write(...parts: Uint8Array[]): Promise<void> {
    const bytes = parts.length === 1 ? parts[0]! : concatBytes(parts);
    for (let at = 0; at < bytes.length;) at += await this.conn.write(bytes.subarray(at));
  }

  async okay(...parts: Uint8Array[]): Promise<void> {
    await this.write(OKAY, ...parts);
  }

  async okayText(text: string): Promise<void> {
    await this.okay(encodeHexFrame(text));
  }

  async fail(message: string): Promise<void> {
    await this.write(encoder.encode("FAIL"), encodeHexFrame(message));
  }

  /**
   * Signals the end of the data and waits until the client closes. Closing with unread bytes would make the kernel
   * reset the connection, and the client could lose the end of its answer.
   */
  async finish(): Promise<void> {
    await this.conn.closeWrite();
    while (await this.reader.readSome());
  }

  close(): void {
    try {
      this.conn.close();
    } catch {
      // Closed already when its phone was unplugged: Deno.Conn throws on the second close.
    }
  }
}
