/** Servers on loopback with their own data folder and port; they end when the stack is unwound. */
import { freePort } from "../../e2e/product.ts";
import { until } from "../../e2e/wait.ts";
import { ensureServers } from "./debian.ts";
import { output } from "./scratch.ts";

export interface Server {
  port: number;
  serverPid: number;
}

export type AppendFsync = "everysec" | "always";

/** Starts a Redis that writes every change to its append-only file. */
export async function startRedis(stack: AsyncDisposableStack, appendfsync: AppendFsync): Promise<Server> {
  await ensureServers();
  const dir = await Deno.makeTempDir({ prefix: "shigur-redis-" });
  stack.defer(() => Deno.remove(dir, { recursive: true }));
  const port = freePort();
  const settings = {
    bind: "127.0.0.1",
    port,
    dir,
    appendonly: "yes",
    appendfsync,
    save: "",
    "maxmemory-policy": "noeviction",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const command = new Deno.Command("redis-server", { args, ...QUIET });
  return await serve(stack, command, { port, end: "SIGTERM", isReady: () => listens(port) });
}

/** Starts a PostgreSQL with Debian's settings; those about durability are given explicitly. */
export async function startPostgres(stack: AsyncDisposableStack): Promise<Server> {
  const { postgresBin } = await ensureServers();
  const dir = await Deno.makeTempDir({ prefix: "shigur-postgres-" });
  stack.defer(() => Deno.remove(dir, { recursive: true }));
  const as = await whoRuns(dir);
  const initdb = ["-D", `${dir}/data`, "-U", "bench", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await output(`${postgresBin}/initdb`, { args: initdb, cwd: dir, ...as });
  const port = freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 150,
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = new Deno.Command(`${postgresBin}/postgres`, {
    args: ["-D", `${dir}/data`, ...args],
    cwd: dir,
    ...as,
    ...QUIET,
  });
  const ask = new Deno.Command(`${postgresBin}/pg_isready`, {
    args: ["-q", "-h", "127.0.0.1", "-p", `${port}`],
  });
  const isReady = async () => (await ask.output()).success;
  return await serve(stack, command, { port, end: "SIGINT", isReady });
}

const QUIET = { stdin: "null", stdout: "null", stderr: "null" } as const;

/** Returns the user for PostgreSQL, which refuses to run as root: Debian's `postgres` user. */
async function whoRuns(dir: string): Promise<{ uid?: number; gid?: number }> {
  if (Deno.uid() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (which) => Number(await output("id", { args: [which, "postgres"] }))),
  );
  await Deno.chown(dir, uid, gid);
  return { uid, gid };
}

async function serve(
  stack: AsyncDisposableStack,
  command: Deno.Command,
  { port, end, isReady }: { port: number; end: Deno.Signal; isReady(): Promise<boolean> },
): Promise<Server> {
  const child = command.spawn();
  let hasEnded = false;
  child.status.then(() => hasEnded = true);
  stack.defer(async () => {
    if (!hasEnded) child.kill(end);
    await child.status;
  });
  await until(async () => hasEnded || await isReady(), 30_000, "a peer's server answers");
  if (hasEnded) throw new Error("A peer's server ended by itself");
  return { port, serverPid: child.pid };
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
