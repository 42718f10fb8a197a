/** A plain TCP balancer: each connection goes to the next edge that is ready and accepts it, or waits for one. */
import { pause } from "./wait.ts";

const LOOK_EVERY_MS = 100;

export class RoundRobin {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #edges: { port: number; isReady: boolean }[];
  readonly #open = new Set<Deno.TcpConn>();
  readonly #running: Promise<unknown>;
  #turn = 0;
  #isClosed = false;
  /** Connections that no edge accepted immediately: on a slow machine the database can make all edges unready. */
  waited = 0;

  constructor(urls: string[]) {
    this.#edges = urls.map((url) => ({ port: Number(new URL(url).port), isReady: true }));
    this.#running = Promise.all([this.#accept(), ...this.#edges.map((edge) => this.#watch(edge))]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listener.close();
    this.#open.forEach(shut);
    await this.#running;
  }

  async #accept(): Promise<void> {
    while (true) {
      const incoming = await this.#listener.accept().catch(() => null);
      if (incoming === null) return;
      this.#open.add(incoming);
      const outgoing = await this.#connect();
      if (outgoing === null) return;
      this.#open.add(outgoing);
      // Without it, the head and the body of a small request wait for each other's acknowledgement.
      for (const one of [incoming, outgoing]) one.setNoDelay(true);
      // When one side ends, both end.
      Promise.race([pipe(incoming, outgoing), pipe(outgoing, incoming)]).then(() => {
        for (const one of [incoming, outgoing]) {
          this.#open.delete(one);
          shut(one);
        }
      });
    }
  }

  /** Returns null when the balancer is closed. */
  async #connect(): Promise<Deno.TcpConn | null> {
    for (let tried = 0; !this.#isClosed; tried++) {
      if (tried > 0 && tried % this.#edges.length === 0) {
        if (tried === this.#edges.length) this.waited += 1;
        await pause(LOOK_EVERY_MS);
      }
      const { port, isReady } = this.#edges[this.#turn++ % this.#edges.length];
      if (!isReady) continue;
      const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
      if (connection !== null) return connection;
    }
    return null;
  }

  async #watch(edge: { port: number; isReady: boolean }): Promise<void> {
    while (!this.#isClosed) {
      const answer = await fetch(`http://127.0.0.1:${edge.port}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      edge.isReady = answer?.ok ?? false;
      await pause(LOOK_EVERY_MS);
    }
  }
}

async function pipe(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
  const bytes = new Uint8Array(64 * 1024);
  try {
    for (let count = await from.read(bytes); count !== null; count = await from.read(bytes)) {
      for (let sent = 0; sent < count;) sent += await to.write(bytes.subarray(sent, count));
    }
  } catch {
    // One of the two was closed already.
  }
}

function shut(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // It was closed already.
  }
}
