/** A server that speaks clamd's protocol (clamd(8)) on a real socket, and servers that only claim to. */
import type { ClamdAddress } from "../config.ts";

/** The 68 harmless bytes that every scanner reports (eicar.org). */
export const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`;

export const CLEAN = "stream: OK\0";
export const INFECTED = "stream: Eicar-Test-Signature FOUND\0";

export interface FakeClamd extends AsyncDisposable {
  address: ClamdAddress;
  /** Connections that were opened and not yet closed. */
  readonly open: number;
}

/** Serves each connection with `talk`, and closes it after that; with `tls`, by TLS from its first byte. */
export function startPeer(
  talk: (conn: Deno.Conn) => Promise<void>,
  tls?: { cert: string; key: string },
): FakeClamd {
  const where = { hostname: "127.0.0.1", port: 0 };
  const listener: Deno.Listener<Deno.Conn, Deno.NetAddr> = tls
    ? Deno.listenTls({ ...where, ...tls })
    : Deno.listen(where);
  const conns = new Set<Deno.Conn>();
  const serve = async (conn: Deno.Conn) => {
    conns.add(conn);
    // The caller may be gone.
    await talk(conn).catch(() => {});
    conn[Symbol.dispose]();
    conns.delete(conn);
  };
  const served: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const conn of listener) served.push(serve(conn));
  })();
  return {
    address: { hostname: "127.0.0.1", port: listener.addr.port },
    get open() {
      return conns.size;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      conns.forEach((conn) => conn[Symbol.dispose]());
      await Promise.all(served);
    },
  };
}

/** Starts a clamd; `answer` gets each file after all of it has arrived. */
export function startFakeClamd(
  answer: (file: Uint8Array) => string | Promise<string> = lookForEicar,
): FakeClamd {
  return startPeer(async (conn) => {
    const file = await readFile(conn);
    await conn.write(new TextEncoder().encode(await answer(file)));
  });
}

/** Returns clamd's answer about a file; the test string anywhere means infected. */
function lookForEicar(file: Uint8Array): string {
  return new TextDecoder("latin1").decode(file).includes(EICAR) ? INFECTED : CLEAN;
}

/** Reads a file sent as zINSTREAM. @throws {Error} when it is cut or not that command */
async function readFile(conn: Deno.Conn): Promise<Uint8Array> {
  const command = new TextDecoder().decode(await readExactly(conn, 10));
  if (command !== "zINSTREAM\0") throw new Error(`Cannot serve ${JSON.stringify(command)}`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const length = new DataView((await readExactly(conn, 4)).buffer).getUint32(0);
    if (length === 0) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(await readExactly(conn, length));
  }
}

async function readExactly(conn: Deno.Conn, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const read = await conn.read(bytes.subarray(at));
    if (read === null) throw new Error("Cannot read on: the peer closed");
    at += read;
  }
  return bytes;
}
