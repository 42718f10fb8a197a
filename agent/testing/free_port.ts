/** Below the ports that the kernel gives to programs without a fixed port, and to outgoing connections. */
const FIRST = 20_000;
const BLOCK = 100;
const BLOCKS = 120;

/** Ports given to callers that may not listen yet. */
const given = new Set<number>();
let block: number | null = null;

/** How long a process that is being started may still hold a closed port. */
const HELD_MS = 10_000;
const stillness = new Int32Array(new SharedArrayBuffer(4));

/**
 * Returns a port that no other program takes while its user starts or is away. The kernel does not give it out. Every
 * other test file, in this process or another, takes its ports from its own block.
 */
export function freePort(): number {
  const first = block ??= takeBlock();
  if (given.size === BLOCK - 1) given.clear();
  for (const offset of fromAnywhere(BLOCK - 1)) {
    const port = first + 1 + offset;
    if (given.has(port)) continue;
    const listener = listen(port);
    if (!listener) continue;
    listener.close();
    given.add(port);
    return port;
  }
  throw new Error("No free port");
}

/**
 * Returns the result of `listen` as soon as its port is free. While another test file starts a process, that process
 * holds every port that was open when its start began, even closed ones. (Measured beside such starts: one port of a
 * hundred.) Throws as `listen` does, and when the port is still taken after 10 s.
 */
export function whenFree<T>(listen: () => T): T {
  for (const giveUpAt = performance.now() + HELD_MS;;) {
    try {
      return listen();
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || performance.now() > giveUpAt) throw error;
      Atomics.wait(stillness, 0, 0, 1);
    }
  }
}

/** Returns the first port of a block that is ours until the end: the process that listens there owns the block. */
function takeBlock(): number {
  for (const offset of fromAnywhere(BLOCKS)) {
    const first = FIRST + offset * BLOCK;
    const listener = listen(first);
    if (!listener) continue;
    listener.unref();
    return first;
  }
  throw new Error("No free block of ports");
}

function listen(port: number): Deno.TcpListener | null {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return null;
    throw error;
  }
}

function* fromAnywhere(count: number): Generator<number> {
  const start = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step++) yield (start + step) % count;
}
