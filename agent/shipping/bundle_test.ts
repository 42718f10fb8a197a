import assert from "node:assert/strict";
import { AGENT_VERSION } from "../version.ts";
import { bundleAgent } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

Deno.test("bundleAgent() writes one file that runs without packages, and licencesOf() has a text for each package", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const packages = await bundleAgent(`${folder}/agent.js`);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-q",
        "--no-config",
        "--no-remote",
        "--no-npm",
        "--allow-env",
        `${folder}/agent.js`,
        "help",
      ],
      cwd: folder,
      clearEnv: true,
      env: { DENO_DIR: folder },
    }).output();
    assert.equal(code, 0);
    assert.ok(new TextDecoder().decode(stdout).startsWith(`shigur-agent ${AGENT_VERSION} `));
    // The release's recordings are in the bundle too.
    const banned = { source: "made for this test", seen: false, names: ["Conversation"] };
    const file = { name: "hostile", language: "any", appVersions: null, activities: { banned } };
    await Deno.writeTextFile(`${folder}/hostile.json`, JSON.stringify(file));
    const added = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-q",
        "--no-config",
        "--no-remote",
        "--no-npm",
        "--no-prompt",
        "--allow-env",
        `--allow-read=${folder}`,
        `--allow-write=${folder}`,
        `${folder}/agent.js`,
        "screens",
        "add",
        `${folder}/hostile.json`,
      ],
      cwd: folder,
      clearEnv: true,
      env: { DENO_DIR: folder, AGENT_DIR: folder },
    }).output();
    assert.match(new TextDecoder().decode(added.stderr), /recordings do not pass: .+ and is banned/);
    assert.equal(added.code, 1);
    const licences = await licencesOf(packages);
    for (const name of ["Deno", "cbor-x", "jose", "zod"]) {
      assert.match(licences, new RegExp(`^${name} \\d`, "m"));
    }
    assert.doesNotMatch(licences, /GNU (Lesser |Affero )?General Public License/i);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the shell scripts of the archive are whole", async () => {
  for (const name of ["install.sh", "shigur-agent"]) {
    const path = new URL(`files/${name}`, import.meta.url).pathname;
    const { code, stderr } = await new Deno.Command("sh", { args: ["-n", path] }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  }
});
