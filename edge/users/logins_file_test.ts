import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";
import { makeFirstUsers } from "./first_start.ts";
import { dropStaleLogins, writeLogins } from "./logins_file.ts";
import { setAdminPassword } from "./set_admin_password.ts";

Deno.test("dropStaleLogins() keeps logins that still work, and removes an empty file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using edge = await openTestApp();
    const { ctx, door: { passwords } } = edge;
    const path = `${folder}/logins.json`;
    const name = { username: "admin", password: undefined };
    const [admin, demo] = (await makeFirstUsers(ctx, passwords, name, { isDemonstration: true }))!;
    await writeLogins(path, [admin!, demo!]);
    const kept = async () => JSON.parse(await Deno.readTextFile(path));

    await dropStaleLogins(ctx, passwords, path);
    assert.deepEqual(await kept(), [admin, demo]);
    assert.equal(await setAdminPassword(ctx, passwords, "ADMIN", "a new password"), true);
    await dropStaleLogins(ctx, passwords, path);
    assert.deepEqual(await kept(), [demo]);
    await ctx.db.execute("UPDATE users SET disabled = 1 WHERE role = 'client'");
    await dropStaleLogins(ctx, passwords, path);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
    await dropStaleLogins(ctx, passwords, path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
