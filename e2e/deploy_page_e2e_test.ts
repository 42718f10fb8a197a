/** docs/deploy.md on one server: systemd accepts its units, and its Caddy proxies edges that run by them. */
import assert from "node:assert/strict";
import { readDeployFile, UNITS } from "./deploy_page.ts";
import { freePort } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const WORLD = new URL("deploy_page_world.ts", import.meta.url).pathname;
/** Replace paths that do not exist on this machine. */
const atHome = (unit: string) =>
  unit.replaceAll(/\/usr\/local\/bin\/deno|\/opt\/shigur-agent\/bin\/shigur-agent/g, Deno.execPath());

Deno.test("systemd-analyze reports nothing about the units of deploy/systemd", async () => {
  const dir = await Deno.makeTempDir();
  // systemd verifies a template unit only as an instance.
  const paths = Object.values(UNITS).map((name) => `${dir}/${name.replace("@", "@8001")}`);
  for (const [index, name] of Object.values(UNITS).entries()) {
    await Deno.writeTextFile(paths[index]!, atHome(readDeployFile(`systemd/${name}`)));
  }
  // Ignore its messages about other units of this machine.
  const verify = async () => {
    const command = new Deno.Command("systemd-analyze", { args: ["verify", "--man=no", ...paths] });
    const output = new TextDecoder().decode((await command.output()).stderr);
    return output.split("\n").filter((line) => line.includes("shigur-"));
  };
  assert.deepEqual(await verify(), []);
  const timer = readDeployFile(`systemd/${UNITS.backupTimer}`);
  await Deno.writeTextFile(`${dir}/${UNITS.backupTimer}`, timer.replace("OnCalendar", "OnCalender"));
  assert.match((await verify()).join(), /OnCalender/);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("two edges run by the page's unit behind its Caddy, over TLS, and restart as the page says", async () => {
  const dir = await Deno.makeTempDir({ prefix: "shigur-deploy-page-" });
  const [https, http, ...edges] = Array.from({ length: 4 }, freePort);
  // A certificate of Caddy's own authority, which this machine does not trust, and ports that need no root.
  const local = `{
	admin off
	skip_install_trust
	https_port ${https}
	http_port ${http}`;
  const caddyfile = readDeployFile("caddy/Caddyfile")
    .replace("{", () => local)
    .replace("shigur.example", `localhost:${https}`)
    .replace("127.0.0.1:8001 127.0.0.1:8002", edges.map((port) => `127.0.0.1:${port}`).join(" "));
  await Deno.writeTextFile(`${dir}/Caddyfile`, caddyfile);
  const caddy = new Deno.Command("setpriv", {
    args: ["--pdeathsig", "KILL", "caddy", "run", "--config", `${dir}/Caddyfile`],
    env: { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const authority = `${dir}/caddy/pki/authorities/local/root.crt`;
    await until(() => Deno.stat(authority), PATIENCE_MS, "Caddy has an authority of its own");
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", WORLD, dir, `https://localhost:${https}`, `${http}`, ...edges.map(String)],
      env: { DENO_CERT: authority },
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, output.slice(-8_000));
    // Printed by the world once it has verified everything.
    Deno.stdout.writeSync(stdout);
    assert.match(output, /\nall seen: 2 edges, 2 restarts, 60 sent once each\n/);
  } finally {
    caddy.kill("SIGTERM");
    await caddy.status;
    await Deno.remove(dir, { recursive: true });
  }
});
