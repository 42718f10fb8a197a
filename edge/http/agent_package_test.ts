import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";

Deno.test("agentPackage() serves the install script and the packed agents, and nothing else of the folder", async () => {
  const packageDir = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${packageDir}/install.sh`, "echo installs\n");
    await Deno.writeTextFile(`${packageDir}/shigur-agent-linux-x86_64.tar.gz`, "archive");
    await Deno.writeTextFile(`${packageDir}/notes.txt`, "secret");
    await using edge = await openTestApp({ packageDir });
    const ask = (path: string) => edge.app.request(path);
    const script = await ask("/agent/install.sh");
    assert.equal(script.headers.get("content-type"), "text/x-shellscript; charset=utf-8");
    assert.equal(await script.text(), "echo installs\n");
    const archive = await ask("/agent/package/shigur-agent-linux-x86_64.tar.gz");
    assert.equal(await archive.text(), "archive");
    for (const path of ["notes.txt", "shigur-agent-linux-riscv64.tar.gz", "%2e%2e/notes.txt", "install.sh"]) {
      assert.equal((await ask(`/agent/package/${path}`)).status, 404, path);
    }
  } finally {
    await Deno.remove(packageDir, { recursive: true });
  }
});

Deno.test("agentPackage() serves a script that explains why when no agent was packed", async () => {
  await using edge = await openTestApp({ packageDir: "nothing-here" });
  const answer = await edge.app.request("/agent/install.sh");
  assert.equal(answer.status, 200);
  const shell = new Deno.Command("sh", { args: ["-c", await answer.text()] });
  const { code, stderr } = await shell.output();
  assert.equal(code, 1);
  assert.match(new TextDecoder().decode(stderr), /agent:pack/);
});
