import assert from "node:assert/strict";
import { packAgent } from "../agent/shipping/pack.ts";

const WORLD = new URL("packed_agent_world.ts", import.meta.url).pathname;
/** Separate machines need mounts, and the service needs a user. */
const asRoot = Deno.uid() === 0 ? [] : ["sudo", "-n"];

Deno.test(
  "a packed agent is installed with one line, and runs where nothing else is, without a network",
  async () => {
    const packageDir = await Deno.makeTempDir({ prefix: "shigur-packed-" });
    try {
      await packAgent(packageDir);
      const inside = `ip link set lo up && exec "$@"`;
      const world = [Deno.execPath(), "run", "-A", "-q", WORLD, packageDir];
      const [command, ...args] = [
        ...asRoot,
        "unshare",
        "--mount",
        "--net",
        "sh",
        "-c",
        inside,
        "world",
        ...world,
      ];
      const { code, stdout, stderr } = await new Deno.Command(command!, { args }).output();
      const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assert.equal(code, 0, output.slice(-8_000));
      // Printed by the world after it verified everything: both sites, the kill, the stop, the sends, the update.
      assert.match(output, /\nall seen: 2 sites, 1 kill, 1 stop, 24 sent once each, 1 update\n/);
    } finally {
      await Deno.remove(packageDir, { recursive: true });
    }
  },
);

Deno.test("agent:compile bundles the agent, and says in one sentence why it cannot go on without the internet", async () => {
  const compile = new URL("../agent/shipping/compile.ts", import.meta.url).pathname;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", compile],
    // Isolate the download: it goes nowhere, and finds no earlier one in the cache.
    env: { DENO_DIR: await Deno.makeTempDir(), HTTPS_PROXY: "http://127.0.0.1:9" },
  }).output();
  assert.equal(code, 1);
  const [first, last, ...more] = new TextDecoder().decode(stderr).trim().split("\n");
  assert.match(first!, /^Compiling; the first time, Deno downloads denort/);
  assert.match(last!, /^Cannot compile: denort could not be downloaded from dl\.deno\.land\./);
  assert.deepEqual(more, []);
  const licences = await Deno.readTextFile(new URL("../agent/dist/LICENCES.txt", import.meta.url));
  assert.match(licences, /^cbor-x \d/m);
});
