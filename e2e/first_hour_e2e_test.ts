/** Runs docs/first_hour.md as written: the first password, the first site in another folder, the first message. */
import assert from "node:assert/strict";
import { packAgent } from "../agent/shipping/pack.ts";
import config from "../deno.json" with { type: "json" };
import { freePort } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const root = new URL("../", import.meta.url).pathname;
const OWN = "a password of my own";

Deno.test("the first hour's page leads from a first password to a site, a phone and a sent message", async () => {
  const dir = await Deno.makeTempDir({ prefix: "shigur-first-hour-" });
  const [port, phones] = [freePort(), freePort()];
  const page = (await Deno.readTextFile(`${root}docs/first_hour.md`))
    .replaceAll("127.0.0.1:8001", `127.0.0.1:${port}`).replaceAll("5038", `${phones}`);
  /** Returns the last commands of a step. */
  const commands = (step: number) => {
    const [, text] = new RegExp(`^## ${step}\\.([^]*?)(?=^## |$(?![^]))`, "m").exec(page)!;
    return [...text!.matchAll(/^```sh\n([^]*?)^```$/gm)].at(-1)![1]!;
  };
  const env = { HOME: dir, DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno` };
  await packAgent(`${dir}/package`);
  const [, ...words] = config.tasks.edge.split(" ");
  const edge = new Deno.Command(Deno.execPath(), {
    args: words,
    cwd: root,
    env: { PORT: `${port}`, DATA_DIR: `${dir}/edge`, AGENT_PACKAGE_DIR: `${dir}/package`, WEB_DIR: dir },
    stdout: "piped",
  }).spawn();
  let printed = "";
  const reading = edge.stdout.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void (printed += text) }));
  try {
    const ready = () => Promise.resolve(printed.includes('"edge_ready"'));
    await until(ready, PATIENCE_MS, "the edge is ready");
    const logins = printed.split("\n").filter((line) => line.startsWith("First start."));
    assert.equal(logins.length, 1, "no client is made");
    const given = /^First start\. admin admin, password: (\S+) \(good for 7 days/.exec(logins[0]!)![1]!;

    const provision = `edge=http://127.0.0.1:${port}\n${commands(5)}`;
    const site = await bash(provision, [given, OWN], { cwd: root, env });
    assert.match(site, /^The new password is set. It is also your password for the screens\.$/m);
    const token = /--token (\S{43})\nValid once, until /.exec(site)![1]!;

    const joined = await bash(commands(6), [token], { cwd: dir, env });
    assert.match(joined, /^Enrolled as site 1 "First site"$/m);
    assert.match(joined, /well: running, connected, and a phone is ready$/m);
    assert.match(joined, /phones: +1 online\n +accounts: +1 ok$/m);

    const sent = await bash(commands(7), [OWN, "another of the client"], { cwd: dir, env });
    assert.match(sent, /"counts":\{"queued":0,"leased":0,"sent":1,[^}]*\}\s*$/);
    const taps = (await Deno.readTextFile(`${dir}/rehearsal/simulator/taps.jsonl`)).trim().split("\n");
    assert.equal(taps.length, 1);
  } finally {
    // End the rehearsal as the page does, the site first.
    for (const name of ["site.pid", "simulate.pid"]) await end(`${dir}/${name}`);
    edge.kill("SIGTERM");
    await edge.status;
    await reading;
    await Deno.remove(dir, { recursive: true });
  }
});

/** Runs commands like a person at a terminal, with `typed` as input; returns the output. */
async function bash(
  script: string,
  typed: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<string> {
  const output = await Deno.makeTempFile();
  // A file, not a pipe: background processes would keep a pipe open.
  const child = new Deno.Command("bash", {
    args: ["-c", `exec >"${output}" 2>&1\n${script}`],
    cwd,
    env: { ...env, PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:${Deno.env.get("PATH")}` },
    stdin: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(typed.map((line) => `${line}\n`).join("")));
  await input.close();
  const { code } = await child.status;
  const text = await Deno.readTextFile(output);
  await Deno.remove(output);
  assert.equal(code, 0, text);
  return text;
}

async function end(pidFile: string): Promise<void> {
  const pid = Number(await Deno.readTextFile(pidFile).catch(() => ""));
  if (pid === 0) return;
  const isThere = () => Deno.stat(`/proc/${pid}/cmdline`).then(() => true, () => false);
  if (await isThere()) Deno.kill(pid, "SIGTERM");
  await until(async () => !await isThere(), PATIENCE_MS, `${pidFile} has ended`);
}
