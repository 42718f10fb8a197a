/** The edge as a process: reads the environment, opens everything, serves, and stops in order. */
import { join } from "node:path";
import { keepFilesPrivate } from "shared/private_files.ts";
import { seedDemoSettings } from "./admin/demo_settings.ts";
import { embeddedSiteToken } from "./admin/embedded_site.ts";
import { createAgentHub } from "./sites/hub.ts";
import { createApp } from "./app.ts";
import { openOutside } from "./alerts/open_outside.ts";
import { openChainParts } from "./audit_log/audit_parts.ts";
import { openMarkKey } from "./audit_log/mark_key.ts";
import { AppKeyError, deriveKey, deriveKeys } from "./keys/app_key.ts";
import { createCallRate } from "./auth/call_rate.ts";
import { openPasswords } from "./auth/password.ts";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import type { EdgeContext } from "./context.ts";
import { errorFields, errorText } from "./error_fields.ts";
import { connectDatabase, DatabaseUrlError, filePathOf } from "./db/connect.ts";
import { markOpenFile } from "./db/file_mark.ts";
import { ChangedMigrationError, migrateDatabase, readSchema } from "./db/migrate.ts";
import { keepSecret, openDataDir } from "./data_dir.ts";
import { raiseReleases } from "./db/release.ts";
import { damageIn, needsPerson, toLibsqlError } from "./db/sqlite_error.ts";
import { openFileWatch } from "./db/watch_file.ts";
import { ListenError, serve } from "./http/serve.ts";
import { requestFields } from "./http/request_scope.ts";
import { createBrowserHub } from "./live/browser_hub.ts";
import { createTail } from "./live/tail.ts";
import { createLog, type LogFields } from "./log.ts";
import { noteFirstStart } from "./opening/first_start.ts";
import { openAppKeys } from "./opening/open_keys.ts";
import { refuseDatabase } from "./opening/refuse_database.ts";
import { refuseFile } from "./opening/refuse_file.ts";
import { DatabaseRefusedError } from "./opening/refused_error.ts";
import { createSteadyClock } from "./time/steady_clock.ts";
import { watchClockJumps } from "./operations/clock_jump.ts";
import { createEdgeMetrics } from "./operations/edge_metrics.ts";
import { watchLoopLag } from "./operations/loop_lag.ts";
import { beginStartWait, watchStartWait } from "./queue/start_wait.ts";
import { createReadiness } from "./operations/readiness.ts";
import { stopInOrder } from "./operations/stop_in_order.ts";
import { timeClient } from "./operations/timed_client.ts";
import { openFactorKeys, sealSecretsAnew } from "./auth/sealed_secret.ts";
import { countShownStills } from "./stills/shown_stills.ts";
import { createStillDesk } from "./stills/still_desk.ts";
import { sleep } from "./time/sleep.ts";
import { started } from "./started.ts";
import { runTicks } from "./ticks.ts";
import { type FirstLogin, makeFirstUsers } from "./users/first_start.ts";
import { dropStaleLogins, writeLogins } from "./users/logins_file.ts";
import { openClamd } from "./virus_scan/clamd.ts";

/** Errors that return at every start until somebody changes the cause. */
const REFUSALS = [
  ConfigError,
  AppKeyError,
  DatabaseUrlError,
  DatabaseRefusedError,
  ListenError,
  ChangedMigrationError,
];
const REFUSED = 1;
/** EX_SOFTWARE of sysexits(3): a supervisor starts it again, also when a database was out of reach. */
const CRASHED = 70;

/** As long as the edge collects events of a campaign. */
const FLEET_MAX_AGE_MS = 250;

const stopping = new AbortController();
// The runtime's own exit code for an uncaught error, 1, would mean that a new start is useless.
globalThis.addEventListener("error", ({ error }) => {
  print(Deno.stderr, error instanceof Error ? error.stack ?? String(error) : String(error));
  Deno.exit(CRASHED);
});
keepFilesPrivate();
const status = await main();
Deno.exit(status);

async function main(): Promise<number> {
  try {
    return await run(parseConfig(Deno.env.toObject()));
  } catch (error) {
    print(Deno.stderr, explain(error));
    const isRefused = REFUSALS.some((refusal) => error instanceof refusal) || needsPerson(error) ||
      errorFields(error).cause === "token_refused";
    return isRefused ? REFUSED : CRASHED;
  }
}

/** Serves until a signal stops it; returns the exit code. */
async function run(config: Config): Promise<number> {
  const dataDir = config.keepsFiles ? await openDataDir(config.dataDir, config.embeddedSite) : null;
  await refuseFile(config);
  const browsers = createBrowserHub(Date.now);
  const agents = createAgentHub();
  const databasePath = filePathOf(config.databaseUrl);
  const files = dataDir && databasePath !== null ? { databasePath, dataDir: config.dataDir } : null;
  const metrics = createEdgeMetrics({ now: Date.now, clock, sleep, browsers, agents, files });
  const client = await connectDatabase(config.databaseUrl, config.databaseAuthToken);
  const watchFile = databasePath === null ? null : await openFileWatch(databasePath, sleep);
  const damage = Promise.withResolvers<string>();
  const db = timeClient(client, clock, metrics.watchDatabase, (error) => {
    const code = damageIn(error);
    if (code !== null) damage.resolve(code);
  });
  const keys = await openAppKeys(db, config, randomBytes);
  const chain = openChainParts(keys, config);
  await refuseDatabase(db, chain);
  await markOpenFile(client, databasePath);
  const schema = await readSchema();
  await migrateDatabase(db, schema);
  await raiseReleases(db);

  const write = (line: string) => print(Deno.stdout, line);
  const log = createLog({ level: config.logLevel, now: Date.now, write, scope: requestFields });
  const deliverToAgents = agents.deliver;
  const tail = createTail({ db, log, sleep, browsers, deliverToAgents, onEvent: metrics.sawEvent });
  if (dataDir?.wasOpen) log.warn("data_dir_tightened", { path: config.dataDir, mode: "0700" });
  if (dataDir?.exposedBy) log.warn("data_dir_exposed", { path: config.dataDir, by: dataDir.exposedBy.path });
  const audit = {
    ...chain,
    markKey: await openMarkKey({ db, randomBytes }, keys),
  };
  const ctx: EdgeContext = {
    db,
    now: Date.now,
    steadyNow: createSteadyClock({ now: Date.now, monotonic: clock }),
    randomBytes,
    wakeOutbox: tail.wake,
    log,
    audit,
    databaseMarkKeys: deriveKeys(keys, "database-mark"),
    startWait: await beginStartWait({ db, now: Date.now }),
    fleetMaxAgeMs: FLEET_MAX_AGE_MS,
    scan: config.clamd && openClamd(config.clamd, { sleep, onResult: metrics.countScan }),
    outside: openOutside(config),
    linkOrigin: config.publicUrl?.origin,
  };
  const passwords = openPasswords();
  const door = {
    passwords,
    throttleKey: await deriveKey(keys[0], "login-throttle"),
    factorKeys: await openFactorKeys(keys),
  };
  if (keys.length > 1) {
    log.info("app_key_changing", { secondFactorsSealedAnew: await sealSecretsAnew(ctx, door.factorKeys) });
  }

  const admin = { username: config.adminUsername, password: config.adminPassword };
  const logins = await makeFirstUsers(ctx, passwords, admin, { isDemonstration: config.embeddedSite });
  const loginsFile = join(config.dataDir, "logins.json");
  if (logins && config.endsWithParent) await writeLogins(loginsFile, logins);
  else if (logins) printLogins(config, logins);
  if (config.embeddedSite) {
    await seedDemoSettings(ctx);
    await keepSecret(join(config.dataDir, "site_join_token"), await embeddedSiteToken(ctx));
  }

  const sockets = { browsers, agents, tail };
  const readiness = createReadiness({ db, schema, clock, sleep });
  const operations = { metrics, readiness, metricsToken: config.metricsToken, host: config.host };
  const { publicUrl, webDir, packageDir } = config;
  const callRate = createCallRate(clock);
  const stills = { desk: createStillDesk({ clock, sleep }), shown: countShownStills(ctx) };
  const app = createApp({ ctx, door, callRate, sockets, stills, operations, publicUrl, webDir, packageDir });
  const listener = serve(config, app.fetch);
  stopOnSignals(config);
  let exitCode = 0;
  const endRefused = (event: string, fields: LogFields) => {
    log.error(event, fields);
    exitCode = REFUSED;
    stopping.abort();
  };
  const refuseMovedFile = () => endRefused("database_moved", { path: databasePath });
  // Each write to a damaged file may damage more of it, and its reads may be wrong.
  damage.promise.then((code) => endRefused("database_damaged", { code }));
  globalThis.addEventListener("unhandledrejection", (event) => {
    log.error("crashed", { error: String(event.reason), stack: String(event.reason?.stack) });
    Deno.exit(CRASHED);
  });
  await noteFirstStart(config);
  print(Deno.stdout, JSON.stringify({ event: "edge_ready", url: listener.url }));

  started.resolve(ctx);
  if (config.endsWithParent) {
    dropStaleLogins(ctx, passwords, loginsFile).catch((error) => {
      log.warn("logins_file_unreadable", { error: String(error) });
    });
  }
  const { signal } = stopping;
  const lag = { sleep, clock, observe: metrics.sawLoopLag };
  const loops = [
    tail.run(signal),
    runTicks(ctx, sleep, signal),
    stills.shown.run(sleep, signal),
    watchLoopLag(lag, signal),
    watchClockJumps({ now: Date.now, clock, sleep, log }, signal),
    watchStartWait(ctx, { clock, sleep }, signal),
    ...watchFile === null ? [] : [watchFile(refuseMovedFile, signal)],
  ];
  await aborted(signal);
  log.info("edge_stopping");
  await stopInOrder({
    readiness,
    hubs: [browsers, agents],
    listener,
    loops,
    sleep,
    drainMs: config.stopDrainMs,
  });
  passwords.close();
  db.close();
  return exitCode;
}

/** Prints logins only when no parent process shows them, and only once. */
function printLogins(config: Config, logins: FirstLogin[]): void {
  for (const { role, username, password } of logins) {
    // The logins of a demonstration stay valid.
    const isGoodFor = config.embeddedSite ? "" : " (good for 7 days, to choose another)";
    const shown = password === config.adminPassword ? "that in ADMIN_PASSWORD" : `${password}${isGoodFor}`;
    print(Deno.stdout, `First start. ${role} ${username}, password: ${shown}`);
  }
}

function stopOnSignals(config: Config): void {
  const stop = () => stopping.abort();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGHUP", "SIGTERM"];
  for (const signal of signals) {
    // A terminal's Ctrl+C or end reaches all its processes at once; the parent decides which one ends first.
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

function clock(): number {
  return performance.now();
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function explain(error: unknown): string {
  const isOurs = [ConfigError, AppKeyError, DatabaseRefusedError, ListenError].some((one) =>
    error instanceof one
  );
  if (isOurs) return (error as Error).message;
  const seen = toLibsqlError(error);
  const { cause, status } = errorFields(seen);
  if (cause === "token_refused") {
    return `The edge cannot start: the database refuses its token (HTTP ${status}, token_refused). Set ` +
      "DATABASE_AUTH_TOKEN to one that is valid, and of the database in DATABASE_URL.";
  }
  const of = cause === undefined ? "" : `the database could not be asked (${cause}): `;
  return `The edge cannot start: ${of}${errorText(seen)}`;
}

function print(stream: { writeSync(bytes: Uint8Array): number }, line: string): void {
  try {
    stream.writeSync(new TextEncoder().encode(`${line}\n`));
  } catch {
    // The reader of the output has gone; that must not end deliveries.
  }
}
