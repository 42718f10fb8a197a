/** Loopback servers that fail, each in its own way. */
const TLS = new URL("../testdata/tls/", import.meta.url);
const CERTIFICATES = ["good", "other_name", "expired", "not_yet"] as const;
export type Certificate = (typeof CERTIFICATES)[number];

/** The certificate authority that signed them all; trusted only by programs that receive this path. */
export const AUTHORITY_PATH = new URL("authority.pem", TLS).pathname;

/** Returns a certificate for `localhost` with its key, as PEM. */
export function certificateOf(certificate: Certificate): { cert: string; key: string } {
  const [cert, key] = [certificate, "key"].map((name) => Deno.readTextFileSync(new URL(`${name}.pem`, TLS)));
  return { cert: cert!, key: key! };
}

export class FaultyServers {
  readonly #servers: Deno.HttpServer[] = [];
  readonly #listeners: Deno.Listener[] = [];

  /** Answers every request with this status. */
  status(status: number): string {
    return this.#serve(() => new Response(status === 204 ? null : "{}", { status }));
  }

  /** Accepts requests and does not respond before `end` settles. */
  silent(end: Promise<unknown>): string {
    return this.#serve(() => end.then(() => new Response("late")));
  }

  /** Serves https with a certificate of testdata/tls. */
  tls(certificate: Certificate): string {
    return this.#serve(() => new Response("ok"), certificateOf(certificate));
  }

  /** Accepts connections and ends each immediately. */
  cut(): string {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#listeners.push(listener);
    closeAll(listener);
    return `http://localhost:${listener.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listener of this.#listeners) listener.close();
    await Promise.all(this.#servers.map((server) => server.shutdown()));
  }

  #serve(answer: () => Response | Promise<Response>, tls?: { cert: string; key: string }): string {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {}, ...tls }, answer);
    this.#servers.push(server);
    return `${tls ? "https" : "http"}://localhost:${server.addr.port}`;
  }
}

/**
 * An address without a listener; the system never assigns such a low port. Port 1 is not usable: fetch itself
 * refuses it.
 */
export const NOBODY = "http://127.0.0.1:2";

/** A label of 64 letters is invalid (RFC 1035 section 2.3.4): it fails without a request to a name server. */
export const NO_NAME = `http://${"a".repeat(64)}.invalid`;

async function closeAll(listener: Deno.Listener): Promise<void> {
  for await (const connection of listener) connection.close();
}
