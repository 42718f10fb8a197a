import assert from "node:assert/strict";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

const ON_A_DATABASE = ["app_key.ts", "audit.ts", "audit_log.ts", "restored.ts", "admin_password.ts"];

Deno.test("no command creates a database where there is none: a wrong DATA_DIR is reported", async () => {
  for (const command of ON_A_DATABASE) await refuses(command, [], /no database at elsewhere\/shigur\.db/);
});

Deno.test("a command with an unknown argument does nothing: `restored` is not `restore` and takes no folder", async () => {
  for (const command of ON_A_DATABASE) await refuses(command, ["--help"], /takes no arguments/);
  for (const command of ["backup.ts", "seed.ts"]) {
    await refuses(command, ["--help"], /deno task (backup|seed) /);
  }
});

/** Runs a command in an empty folder: it exits with 1, prints why, and leaves the folder empty. */
async function refuses(command: string, args: string[], why: RegExp): Promise<void> {
  const cwd = await Deno.makeTempDir({ prefix: "shigur-refused-" });
  try {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...EDGE_PERMISSIONS, new URL(command, import.meta.url).pathname, ...args],
      env: { DATA_DIR: "elsewhere", APP_KEY: "a key of tests, long enough to be one" },
      cwd,
    }).output();
    assert.equal(code, 1, command);
    assert.match(new TextDecoder().decode(stdout), why, command);
    assert.deepEqual([...Deno.readDirSync(cwd)], [], command);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}
