/** The edge as a process: reads the environment, opens everything, serves, and stops in order. */
import { access, constants, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { embeddedSiteToken } from "./admin/embedded_site.ts";
import { createAgentHub } from "./agents/hub.ts";
import { createApp } from "./app.ts";
import { deriveKey, keepAppKey } from "./auth/app_key.ts";
import { openPasswords } from "./auth/password.ts";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import type { EdgeContext } from "./context.ts";
import { connectDatabase } from "./db/connect.ts";
import { migrateDatabase, readMigrations } from "./db/migrate.ts";
import { ListenError, serve } from "./http/serve.ts";
import { createBrowserHub } from "./live/browser_hub.ts";
import { createTail } from "./live/tail.ts";
import { createLog } from "./log.ts";
import { runDueTicks } from "./queue/ticks.ts";
import { sleep } from "./sleep.ts";
import { runTicks } from "./ticks.ts";
import { type FirstLogin, makeFirstUsers } from "./users/first_start.ts";
import { dropStaleLogins, writeLogins } from "./users/logins_file.ts";

/** Of the 5 seconds a platform gives between SIGTERM and SIGKILL. */
const STOP_GRACE_MS = 3_000;
/** EX_SOFTWARE of sysexits(3): whoever supervises may start it again; 1 = it refused to start. */
const CRASHED = 70;

const stopping = new AbortController();
const status = await main();
Deno.exit(status);

async function main(): Promise<number> {
  try {
    await run(parseConfig(Deno.env.toObject()));
    return 0;
  } catch (error) {
    print(Deno.stderr, explain(error));
    return 1;
  }
}

async function run(config: Config): Promise<void> {
  await openDataDir(config.dataDir);
  const appKey = config.appKey ?? await keepAppKey(config.dataDir, randomBytes);
  const db = await connectDatabase(config.databaseUrl, config.databaseAuthToken);
  await migrateDatabase(db, await readMigrations());

  const log = createLog(config.logLevel, Date.now, (line) => print(Deno.stdout, line));
  const browsers = createBrowserHub(Date.now);
  const agents = createAgentHub();
  const tail = createTail({ db, log, sleep, browsers, deliverToAgents: agents.deliver });
  const ctx: EdgeContext = { db, now: Date.now, randomBytes, wakeOutbox: tail.wake, log };
  const passwords = openPasswords();
  const door = { passwords, throttleKey: await deriveKey(appKey, "login-throttle") };

  const admin = { username: config.adminUsername, password: config.adminPassword };
  const logins = await makeFirstUsers(ctx, passwords, admin);
  const loginsFile = join(config.dataDir, "logins.json");
  if (logins && config.endsWithParent) await writeLogins(loginsFile, logins);
  else if (logins) printLogins(config, logins);
  if (config.embeddedSite) {
    await keepSecret(config, "site_join_token", await embeddedSiteToken(ctx));
  }

  const sockets = { browsers, agents, tail };
  const app = createApp({ ctx, door, sockets, publicUrl: config.publicUrl, webDir: config.webDir });
  const listener = serve(config, app.fetch);
  stopOnSignals(config);
  globalThis.addEventListener("unhandledrejection", (event) => {
    log.error("crashed", { error: String(event.reason), stack: String(event.reason?.stack) });
    Deno.exit(CRASHED);
  });
  print(Deno.stdout, JSON.stringify({ event: "edge_ready", url: listener.url }));

  // A platform that puts idle instances to sleep wakes one a minute; elsewhere there is no Deno.cron.
  if ("cron" in Deno) Deno.cron("duties", "* * * * *", () => runDueTicks(ctx));
  if (config.endsWithParent) {
    dropStaleLogins(ctx, passwords, loginsFile).catch((error) => {
      log.warn("logins_file_unreadable", { error: String(error) });
    });
  }
  const loops = [tail.run(stopping.signal), runTicks(ctx, sleep, stopping.signal)];
  await aborted(stopping.signal);
  log.info("edge_stopping");
  browsers.closeAll();
  agents.closeAll();
  await listener.stop(STOP_GRACE_MS);
  await Promise.all(loops);
  passwords.close();
  db.close();
}

async function openDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(`DATA_DIR ${path} must be a folder in which this user may write.`);
  }
}

/** Only where no parent shows them, and only this once. */
function printLogins(config: Config, logins: FirstLogin[]): void {
  for (const { role, username, password } of logins) {
    const shown = password === config.adminPassword ? "that in ADMIN_PASSWORD" : password;
    print(Deno.stdout, `First start. ${role} ${username}, password: ${shown}`);
  }
}

/** Writes a file of `dataDir` that only its owner reads; null removes it. */
async function keepSecret(config: Config, name: string, text: string | null): Promise<void> {
  const path = join(config.dataDir, name);
  if (text !== null) await Deno.writeTextFile(path, text, { mode: 0o600 });
  else await rm(path, { force: true });
}

function stopOnSignals(config: Config): void {
  const stop = () => stopping.abort();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGHUP", "SIGTERM"];
  for (const signal of signals) {
    // A terminal's Ctrl+C or end reaches all its processes at once; a parent knows who has to end first.
    const isParents = config.endsWithParent && signal !== "SIGTERM";
    Deno.addSignalListener(signal, isParents ? () => {} : stop);
  }
  if (config.endsWithParent) drain(Deno.stdin.readable).then(stop, stop);
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message;
  return `The edge cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

function print(stream: { writeSync(bytes: Uint8Array): number }, line: string): void {
  try {
    stream.writeSync(new TextEncoder().encode(`${line}\n`));
  } catch {
    // Whoever read this is gone; that ends no delivery.
  }
}
