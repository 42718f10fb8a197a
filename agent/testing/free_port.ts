/** Given to somebody who may not listen there yet. */
const given = new Set<number>();

/**
 * A port below those that the kernel gives to whoever asks for any, and to outgoing connections: nobody else takes it
 * while whoever listens there is away.
 */
export function freePort(): number {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (given.has(port)) continue;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      given.add(port);
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error("No free port");
}
