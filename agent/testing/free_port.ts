/** Below the ports that the kernel gives to whoever asks for any, and to outgoing connections. */
const FIRST = 20_000;
const BLOCK = 100;
const BLOCKS = 120;

/** Given to somebody who may not listen there yet. */
const given = new Set<number>();
let block: number | null = null;

/** How long what was closed may still be held by a process that is being started. */
const HELD_MS = 10_000;
const stillness = new Int32Array(new SharedArrayBuffer(4));

/**
 * A port that nobody else takes while whoever listens there starts or is away: not the kernel, and not another test
 * file, in this process or in another, which takes its ports from a block of its own.
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
 * What `listen` answers as soon as its port is free. Until a process runs that another test file starts, it holds what
 * listened when its start began, closed or not (measured beside such starts: one port of a hundred). Throws what
 * `listen` throws, and that the port is taken after 10 s.
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

/** The first port of a block that is ours until the end: whoever listens there has the block. */
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
