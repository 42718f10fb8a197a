import assert from "node:assert/strict";

const MAIN = new URL("../main.ts", import.meta.url).pathname;
const GOOD = { username: "admin", password: "sod-gadol", code: "123456" };

const NEXT_CODE = "654321";

/** Starts an edge for one administrator with a second factor. `asked` holds the request bodies. */
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
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("provision sends the code after the password when the edge asks, from the input or the environment", async () => {
  const { url, asked, stop } = startDoor();
  try {
    const { username, password, code } = GOOD;
    const byInput = await provision(url, `${password}\n${code}\n${NEXT_CODE}\n`);
    assert.equal(byInput.code, 0, byInput.output);
    assert.match(byInput.output, /t{43}/);
    const proof = { password, code: NEXT_CODE };
    const all = [{ username, password }, GOOD, { name: "חיפה", proof }];
    assert.deepEqual(asked.splice(0), all, "nothing is told before it is asked");
    const env = { ADMIN_PASSWORD: password, ADMIN_CODE: code, ADMIN_NEXT_CODE: NEXT_CODE };
    const byEnvironment = await provision(url, "", env);
    assert.equal(byEnvironment.code, 0, byEnvironment.output);
    assert.deepEqual(asked.splice(0), all);
    const wrong = await provision(url, `${password}\n000000\n`);
    assert.deepEqual([wrong.code, wrong.output.trim()], [
      1,
      "Cannot provision: the code is wrong or used up; wait for the next one, or give a recovery code (wrong_code)",
    ]);
  } finally {
    await stop();
  }
});

/** Starts an edge whose administrator has a first password, with or without a second factor. */
function startNewDoor({ hasFactor = false, takes = true, lacks = false } = {}) {
  const asked: [string, unknown][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/auth/logout") return new Response(null, { status: 204 });
    const body = await request.json();
    asked.push([pathname, body]);
    const refuse = (code: string, status: number) => Response.json({ error: "לא", code }, { status });
    switch (pathname) {
      case "/api/auth/login":
        if (hasFactor && body.code === undefined) return refuse("second_factor_needed", 401);
        return Response.json({ firstPassword: true, lacksSecondFactor: lacks }, {
          headers: { "set-cookie": "shigur_session=first" },
        });
      case "/api/auth/password":
        if (!takes) return refuse("invalid_input", 400);
        return new Response(null, { status: 204, headers: { "set-cookie": "shigur_session=own" } });
    }
    if (request.headers.get("cookie") !== "shigur_session=own") return refuse("new_password_required", 403);
    return Response.json({ joinToken: "t".repeat(43), expiresAt: 0 }, { status: 201 });
  });
  return { asked, url: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
}

Deno.test("provision with a first password sets another from the input or the environment, also with a second factor", async () => {
  for (const hasFactor of [false, true]) {
    const { url, asked, stop } = startNewDoor({ hasFactor });
    try {
      const codes = hasFactor ? [GOOD.code] : [];
      const next = hasFactor ? [NEXT_CODE] : [];
      const change = { currentPassword: "given-first", newPassword: "my own choice" };
      const proof = { password: "my own choice", ...(hasFactor ? { code: NEXT_CODE } : {}) };
      const ends = [["/api/auth/password", change], ["/api/admin/sites", { name: "חיפה", proof }]];
      const typed = ["given-first", ...codes, "my own choice", ...next].map((line) => `${line}\n`).join("");
      const byInput = await provision(url, typed);
      assert.equal(byInput.code, 0, byInput.output);
      assert.match(byInput.output, /--token t{43}\n/);
      assert.match(byInput.output, /^The new password is set/m);
      assert.ok(!byInput.output.includes("my own choice"));
      assert.deepEqual(asked.splice(0).slice(-2), ends);
      const byEnvironment = await provision(url, "", {
        ADMIN_PASSWORD: "given-first",
        ADMIN_NEW_PASSWORD: "my own choice",
        ADMIN_CODE: GOOD.code,
        ADMIN_NEXT_CODE: NEXT_CODE,
      });
      assert.equal(byEnvironment.code, 0, byEnvironment.output);
      assert.deepEqual(asked.slice(-2), ends);
    } finally {
      await stop();
    }
  }
});

Deno.test("provision with a first password says what to do when no other is given, taken, or enough", async () => {
  const cases: [Parameters<typeof startNewDoor>[0], string, RegExp][] = [
    [{}, "", /can only be used to choose another \(new_password_required\); .*ADMIN_NEW_PASSWORD$/],
    [{}, "short\n", /refused: it needs 8 to 200 characters; run this again$/],
    [{ takes: false }, "admin-2026\n", /refused: it equals the first one, is a name, or is easily guessed/],
    [{ lacks: true }, "my own choice\n", /turn on a second factor first \(second_factor_required\)$/],
  ];
  for (const [options, typed, sentence] of cases) {
    const { url, asked, stop } = startNewDoor(options);
    const { code, output } = await provision(url, `given-first\n${typed}`);
    await stop();
    assert.equal(code, 1, output);
    assert.match(output.trim(), sentence);
    assert.ok(!asked.some(([path]) => path === "/api/admin/sites"));
  }
});
