/** The device side of one adb transport: the part of adbd that serves the connection of an adb server. */
import { ByteReader } from "../../agent/adb/byte_reader.ts";
import {
  type AdbdCommand,
  type AdbdPacket,
  AUTH,
  encodePacket,
  MAX_PAYLOAD_BYTES,
  readPacket,
  VERSION_SKIP_CHECKSUM,
} from "./adbd_packet.ts";
import { AdbdStream } from "./adbd_stream.ts";
import { ProcessKilledError } from "../phone/clock.ts";
import { isLeaving } from "./leaving.ts";
import { FEATURES, servePhone } from "./services.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

const TOKEN_BYTES = 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class AdbdTransport {
  readonly #reader: ByteReader;
  readonly #streams = new Map<number, AdbdStream>();
  readonly #serving = new Set<Promise<void>>();
  #writing: Promise<void> = Promise.resolve();
  #lastId = 0;
  /** The lower of the two sides' versions, known after the server has sent its own. */
  #version: number | undefined;
  #maxBytes = 4096;
  #isOnline = false;

  constructor(
    private readonly conn: Deno.Conn,
    private readonly phone: VirtualPhone,
    private readonly log: (message: string) => void,
  ) {
    this.#reader = new ByteReader(conn);
  }

  /** Serves until either side closes. Resolves when no part of it still runs. */
  async serve(): Promise<void> {
    try {
      while (true) await this.#handle(await readPacket(this.#reader, this.#version));
    } finally {
      this.close();
      for (const stream of this.#streams.values()) stream.ended();
      await Promise.all(this.#serving);
    }
  }

  /** Called when a person accepts this computer on the phone's screen: a server that offered its key gets access. */
  async authorised(): Promise<void> {
    if (this.#version !== undefined && !this.#isOnline) await this.#letIn();
  }

  close(): void {
    try {
      this.conn.close();
    } catch {
      // Closed already: Deno.Conn throws on the second close.
    }
  }

  async #handle(packet: AdbdPacket): Promise<void> {
    const { command, arg0, arg1, data } = packet;
    if (command === "CNXN") return await this.#connect(arg0, arg1);
    if (command === "AUTH") return await this.#authenticate(arg0);
    if (!this.#isOnline) return;
    if (command === "OPEN") return this.#open(arg0, decoder.decode(data).replace(/\0$/, ""));
    const stream = this.#streams.get(arg1);
    // A packet for a stream that has just ended is normal.
    if (command === "OKAY") stream?.acknowledged();
    else if (command === "CLSE") this.#closed(stream);
    else if (stream) stream.received(data);
    else await this.#send("CLSE", 0, arg0);
  }

  async #connect(version: number, maxBytes: number): Promise<void> {
    this.#version = Math.min(version, VERSION_SKIP_CHECKSUM);
    this.#maxBytes = Math.min(maxBytes, MAX_PAYLOAD_BYTES);
    if (this.phone.availability === "device") await this.#letIn();
    else await this.#askForSignature();
  }

  /** No key was accepted on the phone yet: every signature is refused, and a public key waits for a person. */
  async #authenticate(kind: number): Promise<void> {
    if (this.phone.availability === "device") await this.#letIn();
    else if (kind === AUTH.signature) await this.#askForSignature();
  }

  async #askForSignature(): Promise<void> {
    await this.#send("AUTH", AUTH.token, 0, crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  }

  async #letIn(): Promise<void> {
    this.#isOnline = true;
    const model = this.phone.traits.model.replaceAll(/\W/g, "_");
    const banner = `device::ro.product.name=${model};ro.product.model=${model};ro.product.device=${model};` +
      `features=${FEATURES}`;
    await this.#send("CNXN", VERSION_SKIP_CHECKSUM, MAX_PAYLOAD_BYTES, encoder.encode(banner));
  }

  #open(remoteId: number, service: string): void {
    const send = (command: AdbdCommand, localId: number, data?: Uint8Array) =>
      this.#send(command, localId, remoteId, data);
    const stream = new AdbdStream(++this.#lastId, remoteId, send, this.#maxBytes);
    this.#streams.set(stream.localId, stream);
    const served = this.#serve(stream, service).finally(() => {
      this.#streams.delete(stream.localId);
      this.#serving.delete(served);
    });
    this.#serving.add(served);
  }

  async #serve(stream: AdbdStream, service: string): Promise<void> {
    try {
      await servePhone(stream, this.phone, service);
      await stream.finish();
    } catch (error) {
      // A service may have stopped in the middle of a record, and a phone that restarts sends nothing more.
      if (error instanceof ProcessKilledError) return this.close();
      if (!isLeaving(error)) this.log(`Service ended: ${error instanceof Error ? error.message : error}`);
    }
  }

  #closed(stream: AdbdStream | undefined): void {
    if (!stream) return;
    stream.ended();
    this.#streams.delete(stream.localId);
  }

  /** Sends packets of several streams one after the other, each as a whole. */
  #send(
    command: AdbdCommand,
    arg0: number,
    arg1: number,
    data: Uint8Array = new Uint8Array(),
  ): Promise<void> {
    const isHandshake = command === "CNXN" || command === "AUTH";
    const bytes = encodePacket({ command, arg0, arg1, data }, isHandshake ? undefined : this.#version);
    this.#writing = this.#writing.then(async () => {
      for (let at = 0; at < bytes.length;) at += await this.conn.write(bytes.subarray(at));
    });
    return this.#writing;
  }
}
