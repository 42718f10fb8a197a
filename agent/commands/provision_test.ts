import assert from "node:assert/strict";

const MAIN = new URL("../main.ts", import.meta.url).pathname;
const GOOD = { username: "admin", password: "sod-gadol", code: "123456" };

const NEXT_CODE = "654321";

/** An edge's answers to one administrator, who has a second factor; `asked` are the bodies it was sent. */
function startDoor() {
  const asked: unknown[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/admin/sites") {
      assert.equal(request.headers.get("cookie"), "shigur_session=x");
      asked.push(await request.json());
      return Response.json({ joinToken: "t".repeat(43), expiresAt: 0 }, { status: 201 });
    }
    if (pathname !== "/api/auth/login") return new Response(null, { status: 204 });
    const body = await request.json();
    asked.push(body);
    if (body.code === GOOD.code) return Response.json({}, { headers: { "set-cookie": "shigur_session=x" } });
    const code = body.code === undefined ? "second_factor_needed" : "wrong_code";
    return Response.json({ error: "לא", code }, { status: 401 });
  });
  return { asked, url: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
}

async function provision(edgeUrl: string, typed: string, env: Record<string, string> = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", MAIN, "provision", "admin", "--site", "חיפה"],
    env: { ...env, EDGE_URL: edgeUrl },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(typed));
  await input.close();
  const { code, stdout, stderr } = await child.output();
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("provision gives the code behind the password once the edge asks for it, from the input or the environment", async () => {
  const { url, asked, stop } = startDoor();
  try {
    const { username, password, code } = GOOD;
    const byInput = await provision(url, `${password}\n${code}\n${NEXT_CODE}\n`);
    assert.equal(byInput.code, 0, byInput.said);
    assert.match(byInput.said, /t{43}/);
    const proof = { password, code: NEXT_CODE };
    const all = [{ username, password }, GOOD, { name: "חיפה", proof }];
    assert.deepEqual(asked.splice(0), all, "nothing is told before it is asked");
    const env = { ADMIN_PASSWORD: password, ADMIN_CODE: code, ADMIN_NEXT_CODE: NEXT_CODE };
    const byEnvironment = await provision(url, "", env);
    assert.equal(byEnvironment.code, 0, byEnvironment.said);
    assert.deepEqual(asked.splice(0), all);
    const wrong = await provision(url, `${password}\n000000\n`);
    assert.deepEqual([wrong.code, wrong.said.trim()], [1, "Cannot provision: לא (wrong_code)"]);
  } finally {
    await stop();
  }
});
