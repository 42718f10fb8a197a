/**
 * Two sites with the packed agent, in an isolated network. One machine is installed with the line that an
 * administrator copies; the other root has only the archive, a shell and the C library. Run it inside `unshare
 * --mount --net`, so that the mounts end with it.
 */
import assert from "node:assert/strict";
import { packageName } from "shared/install_line.ts";
import { changeSettings } from "./head_office.ts";
import { Caller, type Login, makeReadyCampaign } from "./caller.ts";
import { freePort } from "./product.ts";
import { PATIENCE_MS, pause, until } from "./wait.ts";
import { readTaps } from "./read_taps.ts";
import { AGENT_PERMISSIONS } from "shared/testing/permissions.ts";

const root = new URL("../", import.meta.url).pathname;
const MESSAGES = 24;

const [packageDir] = Deno.args;
const work = await Deno.makeTempDir({ prefix: "shigur-packed-world-" });
const children: Deno.ChildProcess[] = [];
let isOver = false;
async function seeBothSites(): Promise<void> {
  const edgePort = freePort();
  const url = `http://127.0.0.1:${edgePort}`;
  const edgeDir = `${work}/edge`;
  launch(["edge/main.ts"], { DATA_DIR: edgeDir, PORT: `${edgePort}`, AGENT_PACKAGE_DIR: packageDir! });
  await until(async () => (await fetch(`${url}/readyz`)).ok, PATIENCE_MS, "the edge answers");
  const given: Login[] = JSON.parse(await Deno.readTextFile(`${edgeDir}/logins.json`));
  assert.deepEqual(given.map(({ role }) => role), ["admin"]);
  const adminLogin = await choosePassword(url, given[0]!, "correct horse");
  const admin = await Caller.login(url, adminLogin);
  await changeSettings(admin, { rateLimit: 0.2, unconfirmedPerDay: 10_000 });

  const [machine, bare] = await Promise.all([
    Site.make("machine", await provision(url, adminLogin, "תל אביב"), installedMachine),
    Site.make("bare", await provision(url, adminLogin, "חיפה"), bareRoot),
  ]);
  await seeProvisionRefuse(url, adminLogin);
  machine.keepRunning();
  bare.keepRunning();
  const areOnline = async () => {
    const { summary } = await admin.read<{ summary: { online: number } }>("GET", "/api/devices/adb-status");
    return summary.online === 4;
  };
  await until(areOnline, PATIENCE_MS, "four phones online");

  const client = await addClient(admin);
  const id = await makeReadyCampaign(client, "ארוז", MESSAGES);
  await client.read("POST", `/api/campaigns/${id}/send`);
  const sent = async () =>
    (await client.read<{ sentCount: number }>("GET", `/api/campaigns/${id}`)).sentCount;
  const haveBothSent = () => [machine, bare].every((site) => site.taps().length > 0);
  await until(async () => haveBothSent() && await sent() >= 4, PATIENCE_MS, "both sites sent some");
  await machine.kill();
  await until(async () => await sent() >= 10, PATIENCE_MS, "more are sent");
  assert.equal(await bare.stop(), 0);
  await until(async () => await sent() === MESSAGES, 2 * PATIENCE_MS, "all are sent");

  const taps = [machine, bare].map((site) => site.taps());
  assert.equal(new Set(taps.flat()).size, MESSAGES);
  assert.equal(taps.flat().length, MESSAGES);
  for (const site of [machine, bare]) {
    // The other site may send the rest before the restarted agent can use its phone: wait for it.
    await site.becomesWell();
    const doctor = await site.command("doctor", "--lang", "en");
    assert.equal(doctor.code, 0, doctor.text);
  }
  assert.deepEqual([machine.starts, bare.starts], [2, 2]);
  // Commands of root must write files as the service's user.
  const stateDir = `${machine.root}/var/lib/shigur-agent`;
  const { uid } = await Deno.stat(stateDir);
  for await (const { name } of Deno.readDir(stateDir)) {
    // Every few seconds the status is written to a temporary file and renamed.
    if (name.endsWith(".part")) continue;
    assert.equal((await Deno.stat(`${stateDir}/${name}`)).uid, uid, name);
  }
  await seeUpdate(machine, url);
  print(`all seen: 2 sites, 1 kill, 1 stop, ${taps.flat().length} sent once each, 1 update`);
}

/** Runs the install line again, without a token: files are replaced, the site and its settings stay. */
async function seeUpdate(machine: Site, url: string): Promise<void> {
  const settings = `${machine.root}/var/lib/shigur-agent/agent.json`;
  const before = await Deno.readTextFile(settings);
  const program = `${machine.root}/opt/shigur-agent/agent.js`;
  await Deno.writeTextFile(program, "an older one");
  const line = `curl -fsS ${url}/agent/install.sh | sh -s -- --no-adb`;
  await run("/usr/sbin/chroot", machine.root, "/bin/sh", "-c", line);
  assert.equal(await Deno.readTextFile(settings), before);
  assert.notEqual(await Deno.readTextFile(program), "an older one");
  await machine.becomesWell();
}

/** Returns the install line that the command line prints for an administrator. */
async function provision(url: string, login: Login, site: string): Promise<string> {
  const { code, out, errors } = await askProvision(url, login, "--site", site);
  assert.equal(code, 0, errors);
  return out.split("\n")[0]!;
}

async function seeProvisionRefuse(url: string, login: Login): Promise<void> {
  const wrong = await askProvision(url, { ...login, password: "not the password" }, "--site", "רעננה");
  assert.deepEqual([wrong.code, wrong.out], [1, ""]);
  assert.match(wrong.errors, /^Cannot provision: .*\(wrong_credentials\)\n$/);
  await provision(url, login, "נתניה");
  const taken = await askProvision(url, login, "--site", "נתניה");
  assert.equal(taken.code, 1);
  const again = await askProvision(url, login, "--site", "נתניה", "--again");
  assert.equal(again.code, 0, again.errors);
  assert.match(again.out, /^curl -fsS .* --token [\w-]{43}\nValid once, until /);
  assert.equal((await askProvision(url, login, "--site", "אין כזה", "--again")).code, 1);
}

async function askProvision(
  url: string,
  { username, password }: Login,
  ...words: string[]
): Promise<{ code: number; out: string; errors: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...AGENT_PERMISSIONS, "agent/main.ts", "provision", username, ...words],
    cwd: root,
    env: { EDGE_URL: url },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${password}\n`));
  await input.close();
  const { code, stdout, stderr } = await child.output();
  return { code, out: new TextDecoder().decode(stdout), errors: new TextDecoder().decode(stderr) };
}

/** An installed site: its root, and the command prefix of its agent. */
interface Made {
  root: string;
  /** Command line before the agent's own arguments. */
  command: string[];
  env: Record<string, string>;
  agentDir: string;
}

class Site {
  starts = 0;
  #agent: Deno.ChildProcess | null = null;

  private constructor(readonly made: Made, readonly simulatorDir: string) {}

  static async make(name: string, line: string, how: (line: string) => Promise<Made>): Promise<Site> {
    const simulatorDir = `${work}/${name}-phones`;
    const port = freePort();
    const simulated = { SIMULATED_DEVICES: "2", SIMULATED_SPEED: "10", SIMULATOR_PORT: `${port}` };
    launch(["agent/main.ts", "simulate", "--seed", name], { DATA_DIR: simulatorDir, ...simulated });
    const made = await how(line);
    // Both machines simulate the same serials, so change them: real machines have different phones.
    const path = `${made.root}${made.agentDir}/agent.json`;
    const settings = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(path, JSON.stringify({ ...settings, adbServer: `127.0.0.1:${port}` }));
    return new Site(made, simulatorDir);
  }

  get root(): string {
    return this.made.root;
  }

  /** Starts the agent, and restarts it whenever it ends, like the service. */
  async keepRunning(): Promise<void> {
    while (!isOver) {
      this.starts++;
      this.#agent = this.#command("run").spawn();
      children.push(this.#agent);
      await this.#agent.status;
      await pause(500);
    }
  }

  /** Kills the agent itself, not its shell. */
  async kill(): Promise<void> {
    const { pid } = JSON.parse(await Deno.readTextFile(`${this.made.root}${this.made.agentDir}/status.json`));
    Deno.kill(pid, "SIGKILL");
  }

  /** Asks the agent to end, like the service, and returns its exit code. */
  async stop(): Promise<number> {
    const agent = this.#agent!;
    agent.kill("SIGTERM");
    return (await agent.status).code;
  }

  async command(...words: string[]): Promise<{ code: number; text: string }> {
    const { code, stdout, stderr } = await this.#command(...words).output();
    return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  }

  /**
   * Waits until the agent reports that it can send.
   *
   * @throws {Error} with its last status
   */
  async becomesWell(): Promise<void> {
    const isWell = async () => {
      const { code, text } = await this.command("status");
      if (code !== 0) throw new Error(text);
      return true;
    };
    await until(isWell, PATIENCE_MS, "the site is well");
  }

  taps(): string[] {
    return readTaps(this.simulatorDir).map(({ phone }) => phone);
  }

  #command(...words: string[]): Deno.Command {
    const { root, command, env } = this.made;
    return new Deno.Command("/usr/sbin/chroot", {
      args: [root, ...command, ...words],
      clearEnv: true,
      env,
      stdin: "null",
      stdout: words[0] === "run" ? "inherit" : "piped",
      stderr: words[0] === "run" ? "inherit" : "piped",
    });
  }
}

/** Makes a machine from this system: a private writable layer, without the repository, its packages and its Deno. */
async function installedMachine(line: string): Promise<Made> {
  const machine = `${work}/machine`;
  const layers = `${work}/machine-layers`;
  await Deno.mkdir(machine);
  await Deno.mkdir(layers);
  await run("mount", "-t", "tmpfs", "tmpfs", layers);
  await Deno.mkdir(`${layers}/upper`);
  await Deno.mkdir(`${layers}/work`);
  const overlay = `lowerdir=/,upperdir=${layers}/upper,workdir=${layers}/work`;
  await run("mount", "-t", "overlay", "overlay", "-o", overlay, machine);
  await mountBasics(machine);
  const deno = await Deno.realPath(Deno.execPath());
  for (const hidden of [root, deno.slice(0, deno.lastIndexOf("/")), Deno.env.get("HOME") ?? "/root"]) {
    await run("mount", "-t", "tmpfs", "tmpfs", `${machine}${hidden}`);
  }
  // The test is root already, and sudo may be missing.
  const script = line.replace("| sudo sh", "| sh");
  assert.notEqual(script, line);
  await run("/usr/sbin/chroot", machine, "/bin/sh", "-c", `${script} --no-adb`);
  return {
    root: machine,
    command: ["/usr/local/bin/shigur-agent"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    agentDir: "/var/lib/shigur-agent",
  };
}

/**
 * Makes a root with the archive, a shell, and the libraries of both; settings are in the form that a person
 * writes.
 */
async function bareRoot(line: string): Promise<Made> {
  const bare = `${work}/bare`;
  await Deno.mkdir(`${bare}/bin`, { recursive: true });
  await Deno.mkdir(`${bare}/site`, { mode: 0o700 });
  await Deno.mkdir(`${bare}/proc`);
  await Deno.mkdir(`${bare}/dev`);
  await run("tar", "-C", bare, "-xzf", `${packageDir}/${packageName(Deno.build.arch)}`);
  await Deno.copyFile("/bin/sh", `${bare}/bin/sh`);
  const linked = await run("ldd", `${bare}/shigur-agent/bin/deno`, "/bin/sh");
  for (const library of new Set(linked.match(/\/lib\S*/g))) {
    await Deno.mkdir(`${bare}${library.slice(0, library.lastIndexOf("/"))}`, { recursive: true });
    await Deno.copyFile(library, `${bare}${library}`);
  }
  await mountBasics(bare);
  const [, edgeUrl, joinToken] = /--edge (\S+) --token (\S+)/.exec(line)!;
  await Deno.writeTextFile(`${bare}/site/agent.json`, JSON.stringify({ edgeUrl }));
  await Deno.writeTextFile(`${bare}/site/site_join_token`, joinToken!);
  return {
    root: bare,
    command: ["/shigur-agent/bin/shigur-agent"],
    env: { AGENT_DIR: "/site" },
    agentDir: "/site",
  };
}

async function mountBasics(at: string): Promise<void> {
  await run("mount", "-t", "proc", "proc", `${at}/proc`);
  await run("mount", "--bind", "/dev", `${at}/dev`);
}

function launch(words: string[], env: Record<string, string>): void {
  children.push(
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...AGENT_PERMISSIONS, ...words],
      cwd: root,
      env: { ...env, SHIGUR_PARENT_PIPE: "1" },
      stdin: "piped",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn(),
  );
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGTERM");
  } catch {
    // It ended by itself.
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await child.status;
  clearTimeout(timer);
}

/**
 * Runs a program to its end and returns its output.
 *
 * @throws {Error} with the output when it failed
 */
async function run(program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, stdin: "null" }).output();
  const output = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`${program} ${args.join(" ")}\n${output}${new TextDecoder().decode(stderr)}`);
  return output;
}

/** Creates a client with a quota through the administrator's calls. */
async function addClient(admin: Caller): Promise<Caller> {
  const login: Login = { username: "dana", password: "correct horse", role: "client" };
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 1_000 } });
  return await Caller.login(admin.url, login);
}

/** Chooses a new password after a first login, and returns the new login. */
async function choosePassword(url: string, given: Login, password: string): Promise<Login> {
  const caller = await Caller.login(url, given);
  const json = { currentPassword: given.password, newPassword: password };
  const { status } = await caller.call("POST", "/api/auth/password", { json });
  if (status !== 204) throw new Error(`Cannot choose a password: ${status}`);
  return { ...given, password };
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

try {
  await seeBothSites();
} finally {
  isOver = true;
  for (const child of children.toReversed()) await end(child);
  await run("sh", "-c", `grep -o ' ${work}[^ ]*' /proc/mounts | tac | xargs -r umount -l`);
  await Deno.remove(work, { recursive: true });
}
