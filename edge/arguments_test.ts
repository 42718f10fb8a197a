import assert from "node:assert/strict";

const COMMANDS = [
  "app_key.ts",
  "audit.ts",
  "audit_log.ts",
  "restored.ts",
  "users/admin_password.ts",
  "backup.ts",
  "seed.ts",
];
const FLAGS = ["--allow-net", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

Deno.test("a command that is given what it does not know does nothing: restored is no restore, and asks nobody for a folder", async () => {
  for (const command of COMMANDS) {
    const cwd = await Deno.makeTempDir({ prefix: "shigur-arguments-" });
    try {
      const { code, stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-q", ...FLAGS, new URL(command, import.meta.url).pathname, "--help"],
        env: { DATA_DIR: "elsewhere" },
        cwd,
      }).output();
      assert.equal(code, 1, command);
      assert.match(new TextDecoder().decode(stdout), /takes no arguments|deno task (backup|seed) /, command);
      assert.deepEqual([...Deno.readDirSync(cwd)], [], command);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  }
});
