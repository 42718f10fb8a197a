/** Listens, and stops within a time limit. */
import { sleep } from "../time/sleep.ts";

export interface Listener {
  /** The edge's address as seen from this machine. */
  url: string;
  /** Accepts no more requests, waits for the current ones, and gives up on them after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Listening on the address failed; `message` is a sentence for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Listens on `host`:`port` (0 = any free port). @throws ListenError */
export function serve(
  { host, port }: { host: string; port: number },
  handle: (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>,
): Listener {
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = Deno.serve({ hostname: host, port, onListen: () => {} }, handle);
  } catch (error) {
    throw new ListenError(`Cannot listen on ${host} port ${port}: ${reasonOf(error)}`, { cause: error });
  }
  const shownHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    url: `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${server.addr.port}`,
    async stop(graceMs) {
      const given = new AbortController();
      const ended = server.shutdown().then(() => given.abort());
      await Promise.race([ended, sleep(graceMs, given.signal)]);
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "the port is taken; set PORT to another one.";
  if (error instanceof Deno.errors.PermissionDenied) return "this user may not listen there.";
  return error instanceof Error ? error.message : String(error);
}
