import assert from "node:assert/strict";
import { AGENT_PERMISSIONS } from "shared/testing/permissions.ts";

const MAIN = new URL("../main.ts", import.meta.url).pathname;

async function simulate(env: Record<string, string>): Promise<{ code: number; errors: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...AGENT_PERMISSIONS, MAIN, "simulate"],
    env,
    stdin: "null",
  }).output();
  return { code, errors: new TextDecoder().decode(stderr) };
}

Deno.test("simulate refuses a taken port and a wrong setting with one clear sentence and exit code 2", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-simulate-" });
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  try {
    const cases: [Record<string, string>, string][] = [
      [{ SIMULATOR_PORT: `${port}` }, `Cannot start: SIMULATOR_PORT ${port} is taken\n`],
      [
        { SIMULATED_DEVICES: "many" },
        "Cannot start: SIMULATED_DEVICES must be a whole number, 0 to 1000\n",
      ],
      [
        { SIMULATED_LIES: "startIgnored=2" },
        "Cannot start: SIMULATED_LIES must list lies, each as name=rate with a rate from 0 to 1\n",
      ],
      [{ SIMULATED_SPEED: "0" }, "Cannot start: SIMULATED_SPEED must be a number above 0\n"],
    ];
    for (const [env, errors] of cases) {
      assert.deepEqual(await simulate({ DATA_DIR: dataDir, ...env }), { code: 2, errors });
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
