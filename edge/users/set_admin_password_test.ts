import assert from "node:assert/strict";
import { turnOnSecondFactor } from "../testing/second_factor.ts";
import { openTestApp } from "../testing/test_app.ts";
import { setAdminPassword } from "./set_admin_password.ts";

Deno.test("setAdminPassword() enables an administrator, removes the second factor, and ends old sessions", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin", username: "admin" });
  await turnOnSecondFactor(edge, admin);
  await edge.ctx.db.execute("UPDATE users SET disabled = 1");
  assert.equal(await setAdminPassword(edge.ctx, edge.door.passwords, "Admin", "a new password"), true);
  assert.equal((await admin.ask("/api/auth/me")).status, 401);
  const answer = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: "admin", password: "a new password" },
  });
  assert.equal(answer.status, 200);
});

Deno.test("setAdminPassword() changes no client and creates no user", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  for (const name of [client.username, "nobody"]) {
    assert.equal(await setAdminPassword(edge.ctx, edge.door.passwords, name, "a new password"), false);
  }
  assert.equal((await client.ask("/api/auth/me")).status, 200);
});

Deno.test("admin_password.ts prints a random password that works, or uses ADMIN_PASSWORD silently", async () => {
  await using edge = await openTestApp();
  // The command uses the machine's clock, and its password is valid for seven days.
  edge.clock.now = Date.now();
  await edge.addPerson({ role: "admin", username: "admin" });
  async function run(env: Record<string, string>) {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", new URL("../commands/admin_password.ts", import.meta.url).pathname],
      env: { DATABASE_URL: edge.database.url, ...env },
    }).output();
    return { code, text: new TextDecoder().decode(stdout).trim() };
  }
  const logIn = async (password: string) =>
    (await edge.visitor.ask("/api/auth/login", { method: "POST", json: { username: "admin", password } }))
      .status;
  const random = await run({});
  assert.equal(await logIn(/^admin: the new password is (\S{16})\n/.exec(random.text)![1]!), 200);
  const given = await run({ ADMIN_PASSWORD: "from the environment" });
  assert.equal(given.code, 0);
  assert.match(given.text, /^admin: the new password is that in ADMIN_PASSWORD\nIt works for 7 days/);
  assert.equal(await logIn("from the environment"), 200);
  const guessed = await run({ ADMIN_PASSWORD: "Shigur2026!" });
  assert.deepEqual([guessed.code, guessed.text.includes("ADMIN_PASSWORD must be none")], [1, true]);
  const missing = await run({ ADMIN_USERNAME: "boss" });
  assert.deepEqual([missing.code, missing.text.startsWith('There is no administrator "boss"')], [1, true]);
});
