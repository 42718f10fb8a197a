import { ByteReader, type ByteSource } from "../../agent/adb/byte_reader.ts";
import { concatBytes } from "../../agent/adb/wire.ts";
import type { AdbdCommand } from "./adbd_packet.ts";
import type { PhoneConnection } from "./host_connection.ts";
import { StreamClosedError } from "./leaving.ts";

/** One service opened on a phone's transport. At most one WRTE is on its way in each direction. */
export class AdbdStream implements PhoneConnection, ByteSource {
  readonly reader = new ByteReader(this);
  readonly #waiting: Uint8Array[] = [];
  #arrived = Promise.withResolvers<void>();
  #acknowledged = Promise.withResolvers<void>();
  #isClosed = false;
  #isTakenOn = false;

  constructor(
    readonly localId: number,
    readonly remoteId: number,
    private readonly send: (command: AdbdCommand, localId: number, data?: Uint8Array) => Promise<void>,
    private readonly maxBytes: number,
  ) {
    // When the stream ends while no write waits, the rejection would otherwise be unhandled.
    this.#acknowledged.promise.catch(() => {});
  }

  async okay(): Promise<void> {
    this.#isTakenOn = true;
    await this.send("OKAY", this.localId);
  }

  /** A refused service is closed before it was opened: its id was never given out. */
  async fail(_message: string): Promise<void> {
    if (this.#isClosed) return;
    this.ended();
    await this.send("CLSE", this.#isTakenOn ? this.localId : 0);
  }

  async write(...parts: Uint8Array[]): Promise<void> {
    const bytes = concatBytes(parts);
    for (let at = 0; at < bytes.length; at += this.maxBytes) {
      if (this.#isClosed) throw new StreamClosedError("The stream is closed");
      this.#acknowledged = Promise.withResolvers();
      this.#acknowledged.promise.catch(() => {});
      await this.send("WRTE", this.localId, bytes.subarray(at, at + this.maxBytes));
      await this.#acknowledged.promise;
    }
  }

  async finish(): Promise<void> {
    await this.fail("");
  }

  /** Returns the data that has arrived, and signals that there is room for more. */
  async read(into: Uint8Array): Promise<number | null> {
    while (this.#waiting.length === 0) {
      if (this.#isClosed) return null;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    const [first = new Uint8Array()] = this.#waiting;
    const taken = first.subarray(0, into.length);
    into.set(taken);
    if (taken.length < first.length) this.#waiting[0] = first.subarray(taken.length);
    else {
      this.#waiting.shift();
      if (!this.#isClosed) await this.send("OKAY", this.localId);
    }
    return taken.length;
  }

  /** Called when a WRTE came. */
  received(data: Uint8Array): void {
    if (data.length > 0) this.#waiting.push(data);
    else void this.send("OKAY", this.localId).catch(() => {});
    this.#arrived.resolve();
  }

  /** Called when an OKAY came: the last WRTE was taken. */
  acknowledged(): void {
    this.#acknowledged.resolve();
  }

  /** Called when a CLSE came, or the transport has ended. */
  ended(): void {
    this.#isClosed = true;
    this.#arrived.resolve();
    this.#acknowledged.reject(new StreamClosedError("The stream is closed"));
  }
}
