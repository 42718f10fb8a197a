import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { sleep } from "../time/sleep.ts";
import { HRANA_REQUEST, HranaStream } from "./hrana_stream.ts";

export interface HranaServerOptions {
  /** Path of the SQLite file that is served. */
  path: string;
  /** Milliseconds added to every request, in place of a network; default 0. */
  delayMs?: number;
  /** Default: any free port. */
  port?: number;
  /** If given, every request must carry it. */
  authToken?: string;
  /** Milliseconds after which an unused stream and its transaction end; default 10 s as in sqld. */
  streamExpiryMs?: number;
  /** Receives every statement that changed rows, before the answer is sent. */
  onChange?(sql: string, rows: number): void;
}

export interface HranaServer {
  /** The URL for `connectDatabase()`. */
  url: string;
  close(): Promise<void>;
}

const PIPELINE = z.object({ baton: z.string().nullish(), requests: z.array(HRANA_REQUEST) });

/**
 * Serves a SQLite file as a remote libSQL database, so that the real `@libsql/client/web` can be tested. It is a
 * stand-in that runs plain SQLite. It speaks the part of Hrana 2 and 3 over HTTP (JSON pipelines, batons) that this
 * client uses. It is not sqld or Turso: no cursors, no protobuf, no WebSocket, no `describe`. It shows nothing about
 * their limits, latency, replicas or SQL parser.
 */
export function startHranaServer(options: HranaServerOptions): HranaServer {
  const { path, delayMs = 0, port = 0, authToken, streamExpiryMs = 10_000, onChange } = options;
  const streams = new Map<string, HranaStream>();
  const closing = new AbortController();
  turnToWal(path);

  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "GET" && /^\/v[23]$/.test(pathname)) return new Response();
    if (request.method !== "POST" || !/^\/v[23]\/pipeline$/.test(pathname)) {
      return new Response("not found", { status: 404 });
    }
    if (authToken !== undefined && request.headers.get("authorization") !== `Bearer ${authToken}`) {
      return new Response("wrong token", { status: 401 });
    }
    const pipeline = PIPELINE.safeParse(await request.json());
    if (!pipeline.success) return new Response(z.prettifyError(pipeline.error), { status: 400 });
    const { baton, requests } = pipeline.data;
    if (delayMs > 0) await sleep(delayMs, closing.signal);
    const stream = baton ? take(baton) : new HranaStream(path, onChange);
    if (stream === undefined) {
      return Response.json({ message: "The stream has expired", code: "STREAM_EXPIRED" }, { status: 400 });
    }
    const results = [];
    for (const part of requests) results.push(await stream.answer(part));
    return Response.json({ baton: stream.isOpen ? keep(stream) : null, base_url: null, results });
  });

  /** Each answer returns a new baton, valid for one request. */
  function keep(stream: HranaStream): string {
    const baton = crypto.randomUUID();
    streams.set(baton, stream);
    sleep(streamExpiryMs, closing.signal).then(() => take(baton)?.close());
    return baton;
  }

  function take(baton: string): HranaStream | undefined {
    const stream = streams.get(baton);
    streams.delete(baton);
    return stream;
  }

  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    async close() {
      await server.shutdown();
      closing.abort();
    },
  };
}

function turnToWal(path: string): void {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
}
