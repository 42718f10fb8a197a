import type { Availability, VirtualPhone } from "../phone/virtual_phone.ts";

/** What ends when its phone becomes unreachable. */
export interface Closable {
  close(): void;
}

/** One way to a phone: its USB cable, or its address on the network. */
export interface Port {
  readonly phone: VirtualPhone;
  readonly isNetwork: boolean;
  /** The serial adb lists it under. */
  readonly address: string;
  readonly availability: Availability;
}

/** What the server knows of its phones: who is listed, under which transport, and which sockets lead to whom. */
export class Fleet {
  readonly phones: VirtualPhone[] = [];
  readonly #ports: Port[] = [];
  readonly #bySerial = new Map<string, VirtualPhone>();
  readonly #transportIds = new Map<Port, number>();
  readonly #sockets = new Map<Port, Set<Closable>>();
  #lastTransportId = 0;
  #change = Promise.withResolvers<void>();

  add(phone: VirtualPhone): void {
    this.phones.push(phone);
    this.#bySerial.set(phone.serial, phone);
    const usb: Port = {
      phone,
      isNetwork: false,
      address: phone.serial,
      get availability() {
        return phone.availability;
      },
    };
    const network: Port = {
      phone,
      isNetwork: true,
      get address() {
        return phone.network.address;
      },
      get availability() {
        return phone.network.availability;
      },
    };
    for (const port of [usb, network]) {
      this.#ports.push(port);
      this.#sockets.set(port, new Set());
      if (port.availability !== "unplugged") this.#transportIds.set(port, ++this.#lastTransportId);
    }
  }

  /** Every connection to a phone ends when it stops being reachable; one plugged in again is a new transport. */
  onAvailability(phone: VirtualPhone): void {
    for (const port of this.#ports.filter((each) => each.phone === phone)) {
      if (port.availability === "unplugged") this.#transportIds.delete(port);
      else if (!this.#transportIds.has(port)) this.#transportIds.set(port, ++this.#lastTransportId);
      if (port.availability !== "device") this.#sockets.get(port)?.forEach((socket) => socket.close());
    }
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Resolves at the next change of any phone's availability. */
  changed(): Promise<void> {
    return this.#change.promise;
  }

  listed(): Port[] {
    return this.#ports.filter((port) => port.availability !== "unplugged");
  }

  /** Any phone by its serial, listed or not. */
  bySerial(serial: string): VirtualPhone | undefined {
    return this.#bySerial.get(serial);
  }

  /** A listed way to a phone, by what adb lists it under. */
  byAddress(address: string): Port | undefined {
    return this.listed().find((port) => port.address === address);
  }

  /** What `adb connect` makes of an address, in adb's own words. */
  connect(address: string): string {
    const port = this.#ports.find((each) => each.isNetwork && each.address === address);
    if (!port) return `failed to connect to ${address}`;
    if (port.availability !== "unplugged") return `already connected to ${address}`;
    port.phone.setNetwork(address);
    return `connected to ${address}`;
  }

  byTransportId(id: number): Port | undefined {
    return this.listed().find((port) => this.#transportIds.get(port) === id);
  }

  transportIdOf(port: Port): number {
    return this.#transportIds.get(port) ?? 0;
  }

  /** Ties a socket to a phone: it is closed when the phone becomes unreachable this way. */
  bind(port: Port, socket: Closable): void {
    this.#sockets.get(port)?.add(socket);
  }

  unbind(port: Port, socket: Closable): void {
    this.#sockets.get(port)?.delete(socket);
  }

  /** The list as `host:devices` or, with properties, `host:devices-l` answers it. */
  listText(isLong: boolean): string {
    return this.listed().map((port) => {
      const { address, availability, isNetwork, phone } = port;
      if (!isLong) return `${address}\t${availability}\n`;
      const model = phone.traits.model.replaceAll(/\W/g, "_");
      const product = availability === "device" ? `product:${model} model:${model} device:${model} ` : "";
      const transport = this.transportIdOf(port);
      const path = isNetwork ? "" : `usb:1-${transport} `;
      return `${address.padEnd(22)} ${availability} ${path}${product}transport_id:${transport}\n`;
    }).join("");
  }
}
