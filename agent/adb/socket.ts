import {
  AdbDisconnectedError,
  AdbError,
  AdbProtocolError,
  AdbServerUnreachableError,
  AdbTimeoutError,
  errorOfFailure,
  nameOf,
} from "./adb_error.ts";
import { ByteReader, EndOfStreamError } from "./byte_reader.ts";
import { encodeRequest, parseHex4 } from "./wire.ts";

/** The address of an ADB server. */
export interface AdbServerAddress {
  hostname: string;
  port: number;
}

export interface SocketOptions {
  /** Limits the whole exchange, connecting included. Unset = wait until `signal` or the peer ends it. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** One connection to the server: the protocol has one exchange per connection. */
export interface AdbSocket {
  readonly reader: ByteReader;
  write(bytes: Uint8Array): Promise<void>;
  /** Sends one service and reads its OKAY. On FAIL, throws the error of errorOfFailure(). */
  request(service: string): Promise<void>;
}

/** An AdbSocket that its holder closes. */
export interface OpenAdbSocket extends AdbSocket {
  /**
   * Returns the error to throw for one met on this socket.
   * It is the timeout or the signal's reason that closed the socket, else an AdbError.
   */
  explain(error: unknown): unknown;
  close(): void;
}

/**
 * Opens a connection, passes it to `use` and always closes it. Throws AdbTimeoutError after `timeoutMs`, the signal's
 * reason when it aborts, and AdbError otherwise.
 */
export async function withAdbSocket<T>(
  address: AdbServerAddress,
  options: SocketOptions,
  use: (socket: AdbSocket) => Promise<T>,
): Promise<T> {
  const socket = await openAdbSocket(address, options);
  try {
    return await use(socket);
  } catch (error) {
    throw socket.explain(error);
  } finally {
    socket.close();
  }
}

/** Opens a connection that stays open until close(). Throws as withAdbSocket() does. */
export async function openAdbSocket(
  address: AdbServerAddress,
  options: SocketOptions,
): Promise<OpenAdbSocket> {
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const connecting = new AbortController();
  let conn: Deno.TcpConn | undefined;
  let ended: { reason: unknown } | undefined;
  const end = (reason: unknown) => {
    ended ??= { reason };
    connecting.abort(reason);
    closeQuietly(conn);
  };
  const onAbort = () => end(signal!.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = timeoutMs === undefined ? undefined : setTimeout(
    () => end(new AdbTimeoutError(`No answer from the ADB server in ${timeoutMs} ms`)),
    timeoutMs,
  );
  const explain = (error: unknown) => ended ? ended.reason : asAdbError(error);
  const close = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    closeQuietly(conn);
  };
  try {
    conn = await connect(address, connecting.signal);
    if (ended) throw ended.reason;
  } catch (error) {
    close();
    throw explain(error);
  }
  return { ...socketOf(conn), explain, close };
}

/** Reads a text that follows its length in four hex digits. */
export async function readHexFrame(reader: ByteReader): Promise<string> {
  const length = parseHex4(await reader.readExactly(4));
  return new TextDecoder().decode(await reader.readExactly(length));
}

async function connect(address: AdbServerAddress, signal: AbortSignal): Promise<Deno.TcpConn> {
  try {
    const conn = await Deno.connect({ ...address, transport: "tcp", signal });
    conn.setNoDelay(true);
    return conn;
  } catch (error) {
    throw new AdbServerUnreachableError(
      `Cannot reach the ADB server at ${address.hostname}:${address.port}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function socketOf(conn: Deno.TcpConn): AdbSocket {
  const reader = new ByteReader(conn);
  const write = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
  };
  return {
    reader,
    write,
    async request(service) {
      await write(encodeRequest(service));
      const status = new TextDecoder().decode(await reader.readExactly(4));
      if (status === "OKAY") return;
      if (status === "FAIL") throw errorOfFailure(service, await readHexFrame(reader));
      throw new AdbProtocolError(
        `Cannot read the answer to ${nameOf(service)}: status is ${JSON.stringify(status)}`,
      );
    },
  };
}

function asAdbError(error: unknown): AdbError {
  if (error instanceof AdbError) return error;
  if (error instanceof EndOfStreamError || isConnectionLoss(error)) {
    return new AdbDisconnectedError(`The ADB connection ended early: ${messageOf(error)}`, { cause: error });
  }
  return new AdbProtocolError(`Cannot read the ADB answer: ${messageOf(error)}`, { cause: error });
}

function isConnectionLoss(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted || error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.TimedOut;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function closeQuietly(conn: Deno.Conn | undefined): void {
  try {
    conn?.close();
  } catch {
    // A timeout or an abort has closed it already: Deno.Conn throws on the second close.
  }
}
