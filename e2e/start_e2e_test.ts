import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const ROOT = new URL("../", import.meta.url).pathname;

Deno.test("start restarts each part that is killed, at the same address", async () => {
  await using product = await Started.open();
  const admin = await Caller.login(product.url, product.login("admin"));
  const isFleetOnline = async () => {
    const { summary } = await admin.read<{ summary: { online: number } }>("GET", "/api/devices/adb-status");
    return summary.online === 3;
  };
  await until(isFleetOnline, PATIENCE_MS, "three phones online");
  for (const part of ["agent/main.ts simulate", "agent/main.ts run", "edge/main.ts"]) {
    const { pid } = (await product.parts()).find(({ command }) => command.endsWith(part))!;
    Deno.kill(pid, "SIGKILL");
    await until(
      async () => (await product.parts()).some((one) => one.command.endsWith(part) && one.pid !== pid),
      PATIENCE_MS,
      `${part} runs again`,
    );
  }
  const login = product.login("client");
  const client = await until(() => Caller.login(product.url, login), PATIENCE_MS, "the edge answers again");
  const id = await makeReadyCampaign(client, "אחרי הנפילה", 6);
  await client.read("POST", `/api/campaigns/${id}/send`);
  const isSent = async () =>
    (await client.read<{ status: string }>("GET", `/api/campaigns/${id}`)).status === "completed";
  await until(isSent, 2 * PATIENCE_MS, "the campaign completes");
});

for (const signal of ["SIGINT", "SIGHUP"] as const) {
  Deno.test(`start lets the agent finish before the edge goes when the terminal sends ${signal}`, async () => {
    await using product = await Started.open();
    await sendSome(product, "באמצע");
    await product.end(signal);
    const order = ["site_ended", "edge_stopping"].map((event) => product.text.indexOf(`"event":"${event}"`));
    assert.ok(order[0]! > 0 && order[1]! > order[0]!, product.text.slice(-2_000));
    assert.ok(!product.text.includes("edge_lost"));
  });
}

Deno.test("neither a first nor a second start logs a warning, with a campaign under way and a restarted edge", async () => {
  await using first = await Started.open();
  await sendSome(first, "ראשון");
  await first.end("SIGINT");
  await using second = await Started.open(first.dataDir);
  await sendSome(second, "שני");
  await restartEdge(second);
  await second.end("SIGINT");
  const warnings = `${first.text}${second.text}`.match(/^.*"level":"(?:warn|error)".*$/gm) ?? [];
  assert.deepEqual(warnings, []);
});

Deno.test("start that is killed leaves no process behind", async () => {
  await using product = await Started.open();
  const parts = await product.parts();
  assert.equal(parts.length, 3);
  Deno.kill(product.pid, "SIGKILL");
  const areGone = async () =>
    (await Promise.all(parts.map(({ pid }) => isAlive(pid)))).every((alive) => !alive);
  await until(areGone, PATIENCE_MS, "its parts end");
});

/** Stops the edge like an update; `start` starts it again. */
async function restartEdge(product: Started): Promise<void> {
  const connections = () => product.text.split('"event":"edge_connected"').length;
  const before = connections();
  const { pid } = (await product.parts()).find(({ command }) => command.endsWith("edge/main.ts"))!;
  Deno.kill(pid, "SIGTERM");
  await until(() => Promise.resolve(connections() > before), PATIENCE_MS, "the agent is back");
}

/** Sends a campaign, and waits until some messages are sent and most are not. */
async function sendSome(product: Started, name: string): Promise<void> {
  const client = await Caller.login(product.url, product.login("client"));
  const id = await makeReadyCampaign(client, name, 40);
  await client.read("POST", `/api/campaigns/${id}/send`);
  const isUnderWay = async () =>
    (await client.read<{ sentCount: number }>("GET", `/api/campaigns/${id}`)).sentCount > 2;
  await until(isUnderWay, PATIENCE_MS, "some are sent");
}

/** Runs `start` as the leader of a process group, like a terminal. */
class Started {
  text = "";
  url = "";
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<void>;

  private constructor(readonly dataDir: string) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "start.ts"],
      cwd: ROOT,
      env: { DATA_DIR: dataDir, PORT: "0", SIMULATED_DEVICES: "3" },
      detached: true,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#read = this.#keep(this.#child.stdout);
  }

  /** Starts it on the folder of an earlier start, or on a new one. */
  static async open(dataDir?: string): Promise<Started> {
    const product = new Started(dataDir ?? await Deno.makeTempDir({ prefix: "shigur-start-" }));
    await until(() => Promise.resolve(product.text.includes("Ctrl+C")), PATIENCE_MS, "the printed block");
    product.url = /http:\/\/127\.0\.0\.1:\d+/.exec(product.text)![0];
    return product;
  }

  get pid(): number {
    return this.#child.pid;
  }

  login(role: "admin" | "client") {
    const logins = JSON.parse(Deno.readTextFileSync(`${this.dataDir}/logins.json`));
    return logins.find((login: { role: string }) => login.role === role);
  }

  async parts(): Promise<{ pid: number; command: string }[]> {
    const { stdout } = await new Deno.Command("ps", {
      args: ["--ppid", `${this.pid}`, "-ww", "-o", "pid=,args="],
    }).output();
    return Array.from(new TextDecoder().decode(stdout).matchAll(/^\s*(\d+) (.*)$/gm), ([, pid, command]) => (
      { pid: Number(pid), command: command!.trim() }
    ));
  }

  /** Signals the whole group, and waits until `start` has ended. */
  async end(signal: Deno.Signal): Promise<void> {
    Deno.kill(-this.pid, signal);
    await this.#child.status;
    await this.#read;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (await isAlive(this.pid)) await this.end("SIGINT");
    await this.#child.status;
    // A part that runs a moment longer may still write.
    const isRemoved = () => rm(this.dataDir, { recursive: true, force: true }).then(() => true);
    await until(isRemoved, PATIENCE_MS, "its folder is let go");
  }

  async #keep(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) this.text += text;
  }
}

/** Returns whether a process runs; a zombie counts as ended. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "Z");
  return !/\) Z |^Z$/.test(stat);
}
