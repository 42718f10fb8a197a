import assert from "node:assert/strict";
import { openTestApp, PROOF, TEST_PASSWORD } from "../testing/test_app.ts";
import { weaknessOf } from "./new_password.ts";

const WEAK = [
  "password",
  "PassWord1",
  "12345678",
  "qwertyuiop",
  "iloveyou",
  "Bailey12",
  "sasha1998",
  "Shigur2026!",
  "שיגור-123",
  "dana.cohen1",
];
const STRONG = ["correct horse", "sisma-aruka-1", "דנה אוהבת ים", "shigur is what we use", "x7-Kq_92fLm"];

Deno.test("weaknessOf() recognises common passwords in any letter case, and names with added digits", () => {
  for (const password of WEAK) assert.match(weaknessOf("Dana.Cohen", password)!, /סיסמה אחרת\.$/, password);
  for (const password of STRONG) assert.equal(weaknessOf("Dana.Cohen", password), null, password);
});

Deno.test("every way to set a password refuses common ones, and none forces old ones to change", async () => {
  await using edge = await openTestApp();
  const admin = await edge.addPerson({ role: "admin" });
  const client = await edge.addPerson();
  const asks = (password: string) => [
    admin.ask("/api/users", { method: "POST", json: { username: "new", password } }),
    admin.ask(`/api/users/${client.id}`, { method: "PATCH", json: { proof: PROOF, password } }),
    client.ask("/api/auth/password", {
      method: "POST",
      json: { currentPassword: TEST_PASSWORD, newPassword: password },
    }),
  ];
  for (const password of ["iloveyou", "admin-2026"]) {
    for (const answer of await Promise.all(asks(password))) {
      assert.equal(answer.status, 400);
      assert.match((await answer.json()).error, /סיסמה אחרת/);
    }
  }
  const own = { method: "PATCH", json: { proof: PROOF, password: `${client.username}!` } };
  assert.equal((await admin.ask(`/api/users/${client.id}`, own)).status, 400);
  assert.equal((await client.ask("/api/auth/me")).status, 200, "nothing was changed");
});
