import { type AdbDevice, parseDeviceList } from "./device_list.ts";
import { AdbProtocolError, AdbRefusedError } from "./adb_error.ts";
import { runExec } from "./exec.ts";
import { runShell, type ShellResult } from "./shell.ts";
import {
  type AdbServerAddress,
  type AdbSocket,
  openAdbSocket,
  readHexFrame,
  type SocketOptions,
  withAdbSocket,
} from "./socket.ts";
import { pullFile, pushFile, type RemoteStat, statFile } from "./sync.ts";

/** A command on a phone always has a time limit, because a hung phone never answers. */
export interface PhoneOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * The calls of an ADB server that the agent uses. Each call opens one connection and always closes it. Each throws an
 * AdbError (adb_error.ts) or, when its signal aborts, the signal's reason. Starting the server, retries and deliveries
 * are outside it.
 */
export interface AdbClient {
  /** The server's protocol version, 41 for every adb since 2019. */
  version(signal?: AbortSignal): Promise<number>;
  devices(signal?: AbortSignal): Promise<AdbDevice[]>;
  /** Yields the whole list now and at every change. Never ends by itself; throws when the server goes away. */
  trackDevices(signal: AbortSignal): AsyncIterable<AdbDevice[]>;
  /**
   * Makes the server connect to a phone on the network, "host:port".
   * The server says OKAY even when it could not connect: its words are then thrown as AdbRefusedError.
   */
  connect(address: string, signal?: AbortSignal): Promise<void>;
  /** Runs a command line in the phone's sh; see runShell(). */
  shell(serial: string, command: string, options: PhoneOptions): Promise<ShellResult>;
  /** Runs a command line in the phone's sh and returns its output of at most `maxBytes`; see runExec(). */
  exec(serial: string, command: string, options: PhoneOptions & { maxBytes: number }): Promise<Uint8Array>;
  /** Writes a file. `mode` is its permission bits, 0o644 by default. */
  push(
    serial: string,
    bytes: Uint8Array,
    remotePath: string,
    options: PhoneOptions & { mode?: number },
  ): Promise<void>;
  /** Reads a file of at most `maxBytes` (16 MB by default). */
  pull(
    serial: string,
    remotePath: string,
    options: PhoneOptions & { maxBytes?: number },
  ): Promise<Uint8Array>;
  /** Returns null when nothing is at the path. */
  stat(serial: string, remotePath: string, options: PhoneOptions): Promise<RemoteStat | null>;
}

const HOST_TIMEOUT_MS = 5_000;
const DEFAULT_PULL_BYTES = 16 * 1024 * 1024;

/** Returns a client of the ADB server at `address`, over the smart-socket protocol. It connects at each call only. */
export function createAdbClient(address: AdbServerAddress): AdbClient {
  const host = (service: string, signal?: AbortSignal) =>
    withAdbSocket(address, { signal, timeoutMs: HOST_TIMEOUT_MS }, async (socket) => {
      await socket.request(service);
      return await readHexFrame(socket.reader);
    });
  const onPhone = <T>(serial: string, options: SocketOptions, use: (socket: AdbSocket) => Promise<T>) =>
    withAdbSocket(address, options, async (socket) => {
      await socket.request(`host:transport:${serial}`);
      return await use(socket);
    });

  return {
    version: async (signal) => parseVersion(await host("host:version", signal)),
    devices: async (signal) => parseDeviceList(await host("host:devices-l", signal)),
    trackDevices: (signal) => trackDevices(address, signal),
    async connect(phone, signal) {
      const words = await host(`host:connect:${phone}`, signal);
      if (!/^(already )?connected to /.test(words)) {
        throw new AdbRefusedError(`Cannot connect to ${phone}: ${words.trim()}`);
      }
    },
    shell: (serial, command, options) => onPhone(serial, options, (socket) => runShell(socket, command)),
    exec: (serial, command, options) =>
      onPhone(serial, options, (socket) => runExec(socket, command, options.maxBytes)),
    push: (serial, bytes, remotePath, options) =>
      onPhone(serial, options, (socket) => {
        const mtime = Math.floor(Date.now() / 1000);
        return pushFile(socket, bytes, remotePath, { mode: options.mode ?? 0o644, mtime });
      }),
    pull: (serial, remotePath, options) =>
      onPhone(
        serial,
        options,
        (socket) => pullFile(socket, remotePath, options.maxBytes ?? DEFAULT_PULL_BYTES),
      ),
    stat: (serial, remotePath, options) => onPhone(serial, options, (socket) => statFile(socket, remotePath)),
  };
}

function parseVersion(text: string): number {
  if (!/^[0-9a-f]{4}$/i.test(text)) {
    throw new AdbProtocolError(`Cannot read the version: ${JSON.stringify(text)}`);
  }
  return parseInt(text, 16);
}

async function* trackDevices(address: AdbServerAddress, signal: AbortSignal): AsyncGenerator<AdbDevice[]> {
  const socket = await openAdbSocket(address, { signal });
  try {
    await socket.request("host:track-devices-l");
    while (true) yield parseDeviceList(await readHexFrame(socket.reader));
  } catch (error) {
    throw socket.explain(error);
  } finally {
    socket.close();
  }
}
