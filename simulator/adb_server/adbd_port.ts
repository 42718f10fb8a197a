/** The TCP port of one phone's adbd, as after `adb tcpip`: a real adb server connects here. */
import { AdbdTransport } from "./adbd_transport.ts";
import { acceptAll } from "./accept_all.ts";
import { isLeaving } from "./leaving.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

export class AdbdPort {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #transports = new Map<AdbdTransport, Promise<void>>();
  readonly #accepting: Promise<void>;
  #isCut = false;

  constructor(private readonly phone: VirtualPhone, private readonly log: (message: string) => void) {
    this.#accepting = acceptAll(this.#listener, (conn) => this.#accept(conn));
  }

  /** The address in the form of `adb connect`. */
  get address(): string {
    return `127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Closes only this path to the phone, or opens it again. */
  cut(isCut: boolean): void {
    this.#isCut = isCut;
    this.onAvailability();
  }

  /** Called after every change of the phone's availability. */
  onAvailability(): void {
    for (const transport of this.#transports.keys()) {
      if (this.#isAway) transport.close();
      else if (this.phone.availability === "device") transport.authorised().catch(() => transport.close());
    }
  }

  async shutdown(): Promise<void> {
    this.#listener.close();
    for (const transport of this.#transports.keys()) transport.close();
    await this.#accepting;
    await Promise.all(this.#transports.values());
  }

  get #isAway(): boolean {
    const { availability } = this.phone;
    return this.#isCut || availability === "unplugged" || availability === "offline";
  }

  #accept(conn: Deno.TcpConn): void {
    if (this.#isAway) return conn.close();
    const transport = new AdbdTransport(conn, this.phone, this.log);
    const serving = transport.serve().catch((error) => {
      if (!isLeaving(error)) this.log(`Transport ended: ${error instanceof Error ? error.message : error}`);
    }).finally(() => this.#transports.delete(transport));
    this.#transports.set(transport, serving);
  }
}
