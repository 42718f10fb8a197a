/** Runs `use` while fetch goes to a real server that answers with `answer`. */
export async function withServer(
  answer: (request: Request) => Response | Promise<Response>,
  use: () => Promise<void>,
) {
  const realFetch = globalThis.fetch;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  const base = `http://127.0.0.1:${server.addr.port}`;
  globalThis.fetch = (path, init) => realFetch(new URL(String(path), base), init);
  try {
    await use();
  } finally {
    globalThis.fetch = realFetch;
    await server.shutdown();
  }
}
