import assert from "node:assert/strict";

const COMMANDS = ["app_key.ts", "audit.ts", "audit_log.ts", "restored.ts", "users/admin_password.ts"];
const FLAGS = ["--allow-net", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

Deno.test("no command makes a database where none stands: a wrong DATA_DIR is told", async () => {
  for (const command of COMMANDS) {
    const cwd = await Deno.makeTempDir({ prefix: "shigur-no-database-" });
    try {
      const { code, stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-q", ...FLAGS, new URL(command, import.meta.url).pathname],
        env: { DATA_DIR: "elsewhere", APP_KEY: "a key of tests, long enough to be one" },
        cwd,
      }).output();
      assert.equal(code, 1, command);
      assert.match(new TextDecoder().decode(stdout), /no database at elsewhere\/shigur\.db/, command);
      assert.deepEqual([...Deno.readDirSync(cwd)], [], command);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  }
});
