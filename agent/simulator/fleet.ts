import type { HostConnection } from "./host_connection.ts";
import type { VirtualPhone } from "./virtual_phone.ts";

/** What the server knows of its phones: who is listed, under which transport, and which sockets lead to whom. */
export class Fleet {
  readonly phones: VirtualPhone[] = [];
  readonly #bySerial = new Map<string, VirtualPhone>();
  readonly #transportIds = new Map<VirtualPhone, number>();
  readonly #sockets = new Map<VirtualPhone, Set<HostConnection>>();
  #lastTransportId = 0;
  #change = Promise.withResolvers<void>();

  add(phone: VirtualPhone): void {
    this.phones.push(phone);
    this.#bySerial.set(phone.serial, phone);
    this.#transportIds.set(phone, ++this.#lastTransportId);
    this.#sockets.set(phone, new Set());
  }

  /** Every connection to a phone ends when it stops being reachable; one plugged in again is a new transport. */
  onAvailability(phone: VirtualPhone): void {
    if (phone.availability === "unplugged") this.#transportIds.delete(phone);
    else if (!this.#transportIds.has(phone)) this.#transportIds.set(phone, ++this.#lastTransportId);
    if (phone.availability !== "device") this.#sockets.get(phone)?.forEach((socket) => socket.close());
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Resolves at the next change of any phone's availability. */
  changed(): Promise<void> {
    return this.#change.promise;
  }

  listed(): VirtualPhone[] {
    return this.phones.filter((phone) => phone.availability !== "unplugged");
  }

  /** Any phone by its serial, listed or not. */
  bySerial(serial: string): VirtualPhone | undefined {
    return this.#bySerial.get(serial);
  }

  byTransportId(id: number): VirtualPhone | undefined {
    return this.listed().find((phone) => this.#transportIds.get(phone) === id);
  }

  transportIdOf(phone: VirtualPhone): number {
    return this.#transportIds.get(phone) ?? 0;
  }

  /** Ties a socket to a phone: it is closed when the phone becomes unreachable. */
  bind(phone: VirtualPhone, socket: HostConnection): void {
    this.#sockets.get(phone)?.add(socket);
  }

  unbind(phone: VirtualPhone, socket: HostConnection): void {
    this.#sockets.get(phone)?.delete(socket);
  }

  /** The list as `host:devices` or, with properties, `host:devices-l` answers it. */
  listText(isLong: boolean): string {
    return this.listed().map((phone) => {
      if (!isLong) return `${phone.serial}\t${phone.availability}\n`;
      const model = phone.traits.model.replaceAll(/\W/g, "_");
      const product = phone.availability === "device"
        ? `product:${model} model:${model} device:${model} `
        : "";
      const transport = this.transportIdOf(phone);
      return `${
        phone.serial.padEnd(22)
      } ${phone.availability} usb:1-${transport} ${product}transport_id:${transport}\n`;
    }).join("");
  }
}
