import { ByteReader, EndOfStreamError } from "../../agent/adb/byte_reader.ts";
import { concatBytes, encodeHexFrame, parseHex4 } from "../../agent/adb/wire.ts";

const encoder = new TextEncoder();
const OKAY = encoder.encode("OKAY");

/** What a service of a phone is spoken over: a client's socket, or a stream of the phone's own transport. */
export interface PhoneConnection {
  readonly reader: ByteReader;
  write(...parts: Uint8Array[]): Promise<void>;
  /** Takes the service on; fail() refuses it. */
  okay(): Promise<void>;
  fail(message: string): Promise<void>;
  /** Says there is no more to come. */
  finish(): Promise<void>;
}

/** The server's end of one client's socket, in the words of the smart-socket protocol. */
export class HostConnection implements PhoneConnection {
  readonly reader: ByteReader;

  constructor(readonly conn: Deno.Conn) {
    this.reader = new ByteReader(conn);
  }

  /** The next service asked for, or null when the client has closed. */
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
   * Says there is no more to come and waits for the client to close: closing with bytes unread would make the
   * kernel reset the connection, and the client could lose the end of its answer.
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
