/**
 * Runs the entry of Deno Deploy under that platform's conditions, as far as one machine allows: a remote database,
 * no file writes, no arguments, its cron, SIGINT. The platform itself is not tested here.
 */
import assert from "node:assert/strict";
import { openTestDatabase } from "../edge/testing/test_db.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { LiveChannel } from "./two_edges_browser.ts";

const ROOT = new URL("../", import.meta.url).pathname;
/** The platform's Deno may be older than ours; DEPLOY_DENO names another one. */
const DENO = Deno.env.get("DEPLOY_DENO") ?? Deno.execPath();
const AUTH_TOKEN = "token of the remote database";
const ADMIN = { username: "admin", role: "admin", password: "correct horse" } as const;
const GOING_AWAY = 1001;

Deno.test("the entry of Deno Deploy serves without writing a file, does due work by cron, and ends at SIGINT", async () => {
  await using database = await openTestDatabase({ remote: true, delayMs: 5, authToken: AUTH_TOKEN });
  const edge = new Deno.Command(DENO, {
    args: ["run", "-q", "--no-prompt", "--allow-net", "--allow-read", "--allow-env", "--allow-sys"].concat(
      ["--preload", "e2e/deploy_platform.ts", "edge/deploy.ts"],
    ),
    cwd: ROOT,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: Deno.env.get("HOME") ?? "",
      PORT: "0",
      DATA_DIR: "none",
      DATABASE_URL: database.url,
      DATABASE_AUTH_TOKEN: AUTH_TOKEN,
      APP_KEY: "the same on every instance of this app",
      ADMIN_PASSWORD: ADMIN.password,
    },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  // Stop the edge even when the test fails.
  await using _ = { [Symbol.asyncDispose]: () => stop(edge) };
  const lines = readLines(edge.stdout);
  const events: Record<string, string>[] = [];
  const until = async (event: string) => {
    while (!events.some((one) => one.event === event)) {
      const { value, done } = await lines.next();
      assert.ok(!done, `ended before ${event}: ${JSON.stringify(events)}`);
      if (value.startsWith("{")) events.push(JSON.parse(value));
    }
    return events.find((one) => one.event === event)!;
  };
  const { url } = await until("edge_ready");
  assert.equal(events[0].event, "cron_registered", "the cron stands before anything serves");
  assert.equal(events[0].schedule, "* * * * *");
  await until("cron_ran");
  const { rows } = await database.db.execute("SELECT count(*) AS duties FROM ticks");
  assert.ok(Number(rows[0].duties) > 10);

  const admin = await Caller.login(url, ADMIN);
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", {
    json: { username: "client", password: "correct horse", role: "client" },
  });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 10 } });
  const client = await Caller.login(url, { username: "client", role: "client", password: "correct horse" });
  const channel = await LiveChannel.open(client);
  const campaign = await makeReadyCampaign(client, "בענן", 3);
  await client.read("POST", `/api/campaigns/${campaign}/send`);
  await channel.next(({ data }) => "campaignId" in data && data.campaignId === campaign);

  edge.kill("SIGINT");
  assert.equal((await channel.closed).code, GOING_AWAY);
  while (!(await lines.next()).done);
  assert.equal((await edge.status).code, 0);
});

async function stop(edge: Deno.ChildProcess): Promise<void> {
  try {
    edge.kill("SIGKILL");
  } catch {
    // The process has ended.
  }
  await edge.status;
}

async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
}
