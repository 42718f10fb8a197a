import assert from "node:assert/strict";
import { LibsqlError } from "@libsql/client/web";
import { FaultyServers, NO_NAME, NOBODY } from "shared/testing/faulty_servers.ts";
import { openRemote } from "./db/remote_client.ts";
import { errorFields, errorText } from "./error_fields.ts";
import { createLog } from "./log.ts";
import { createReadiness } from "./operations/readiness.ts";
import { operationsRoutes } from "./operations/routes.ts";
import { runDueTicks } from "./queue/ticks.ts";
import { sleep } from "./time/sleep.ts";

Deno.test("errorFields() names why a remote database did not answer, for reads and writes", async () => {
  await using servers = new FaultyServers();
  const late = Promise.withResolvers<void>();
  const addresses: [string, string | undefined][] = [
    [NOBODY, "refused"],
    [NO_NAME, "dns"],
    [servers.tls("good"), "tls_untrusted"],
    [servers.tls("expired"), "tls_expired"],
    [servers.status(200).replace("http:", "https:"), "tls"],
    [servers.tls("good").replace("https:", "http:"), "not_http"],
    [servers.silent(late.promise), "timeout"],
    [servers.status(401), "token_refused"],
    [servers.status(403), "token_refused"],
    [servers.status(404), "http_status"],
    [servers.status(302), "http_status"],
    [servers.status(502), "server_error"],
  ];
  for (const [url, cause] of addresses) {
    const db = openRemote(url, "token", () => AbortSignal.timeout(url.includes("localhost") ? 200 : 5_000));
    const failures = [
      await db.execute("SELECT 1").catch((error) => error),
      await db.batch(["DELETE FROM events"], "write").catch((error) => error),
    ];
    db.close();
    for (const error of failures) assert.equal(errorFields(error).cause, cause, `${url}: ${error}`);
  }
  late.resolve();
});

Deno.test("errorFields() adds the reason that fetch hides, and adds none to an SQL error", async () => {
  const error = await fetch(NOBODY).catch((error) => error);
  assert.equal(errorText(error), "fetch failed (tcp connect error: Connection refused (os error 111))");
  const sql = new LibsqlError("no such column: connection_refused timeout", "SQLITE_ERROR");
  assert.deepEqual(errorFields(sql), { error: String(sql) });
});

Deno.test("tick_failed and not_ready include why the remote database did not answer", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: "info", now: Date.now, write: (line) => lines.push(JSON.parse(line)) });
  const db = openRemote(NOBODY);
  const ctx = { db, now: Date.now, log } as unknown as Parameters<typeof runDueTicks>[0];
  await runDueTicks(ctx);
  const readiness = createReadiness({ db, schema: [], clock: () => 0, sleep } as never);
  const routes = operationsRoutes(ctx, { readiness } as Parameters<typeof operationsRoutes>[1]);
  routes.onError(() => new Response(null, { status: 503 }));
  await routes.request("/readyz");
  db.close();
  assert.deepEqual(
    lines.map(({ event, duty, detail, cause }) => ({ event, of: duty ?? detail, cause })),
    [
      { event: "tick_failed", of: "start_sends", cause: "refused" },
      { event: "not_ready", of: "database", cause: "refused" },
    ],
  );
});
