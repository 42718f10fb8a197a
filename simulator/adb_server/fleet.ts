import type { Availability, VirtualPhone } from "../phone/virtual_phone.ts";

/** A connection that is closed when its phone becomes unreachable. */
export interface Closable {
  close(): void;
}

/** One path to a phone: its USB cable, or its address on the network. */
export interface Port {
  readonly phone: VirtualPhone;
  readonly isNetwork: boolean;
  /** The serial under which adb lists it. */
  readonly address: string;
  readonly availability: Availability;
}

/** The server's knowledge of its phones: which are listed, under which transport, and with which open sockets. */
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

  /**
   * Ends every connection to a phone that is no longer reachable. A phone that is plugged in again gets a new
   * transport.
   */
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

  /** Returns any phone by its serial, listed or not. */
  bySerial(serial: string): VirtualPhone | undefined {
    return this.#bySerial.get(serial);
  }

  /** Returns a listed path to a phone by its address in adb's list. */
  byAddress(address: string): Port | undefined {
    return this.listed().find((port) => port.address === address);
  }

  /** Connects to an address, and returns the result in the words of `adb connect`. */
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

  /** Binds a socket to a phone: it is closed when the phone becomes unreachable on this path. */
  bind(port: Port, socket: Closable): void {
    this.#sockets.get(port)?.add(socket);
  }

  unbind(port: Port, socket: Closable): void {
    this.#sockets.get(port)?.delete(socket);
  }

  /** Returns the list as `host:devices` prints it or, with properties, `host:devices-l`. */
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
