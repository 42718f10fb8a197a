/** Runs Debian's clamd on loopback, with a few own signatures instead of ClamAV's database. */
import { EICAR } from "../edge/testing/fake_clamd.ts";
import { freePort } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const CLAMD = "/usr/sbin/clamd";

export interface DebianClamd extends AsyncDisposable {
  port: number;
  /** Stops it like an operator's `systemctl stop`. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the same signatures. */
  start(): Promise<void>;
}

/**
 * Starts it with its own folder and port.
 *
 * @throws {Error} when clamav-daemon is not installed
 */
export async function startDebianClamd(settings: Record<string, string> = {}): Promise<DebianClamd> {
  if (!await Deno.stat(CLAMD).catch(() => null)) {
    throw new Error("clamd is not installed: run apt-get install --no-install-recommends clamav-daemon");
  }
  const dir = await Deno.makeTempDir({ prefix: "shigur-clamd-" });
  const port = freePort();
  await Deno.mkdir(`${dir}/signatures`);
  // Signature fields: name, any file type, any offset, the bytes of the test string.
  const hex = Array.from(new TextEncoder().encode(EICAR), (byte) => byte.toString(16).padStart(2, "0"));
  await Deno.writeTextFile(`${dir}/signatures/test.ndb`, `Test.Eicar:0:*:${hex.join("")}\n`);
  const config = {
    Foreground: "yes",
    TCPSocket: `${port}`,
    TCPAddr: "127.0.0.1",
    DatabaseDirectory: `${dir}/signatures`,
    TemporaryDirectory: dir,
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name} ${value}\n`);
  await Deno.writeTextFile(`${dir}/clamd.conf`, lines.join(""));

  let child: Deno.ChildProcess | null = null;
  async function stop(): Promise<void> {
    child?.kill("SIGTERM");
    await child?.status;
    child = null;
  }
  async function start(): Promise<void> {
    const started = new Deno.Command(CLAMD, {
      args: [`--config-file=${dir}/clamd.conf`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    let hasEnded = false;
    started.status.then(() => hasEnded = true);
    await until(async () => hasEnded || await answersPing(port), PATIENCE_MS, "clamd answers");
    if (hasEnded) throw new Error("clamd ended by itself");
    child = started;
  }
  await start();
  return {
    port,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function answersPing(port: number): Promise<boolean> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(new TextEncoder().encode("zPING\0"));
  const answer = new Uint8Array(16);
  const length = await conn.read(answer);
  return new TextDecoder().decode(answer.subarray(0, length ?? 0)) === "PONG\0";
}
