/** The edge as a process, started as `start` and an operator start it. */
import assert from "node:assert/strict";
import { EdgeProcess, withFolder } from "./testing/edge_process.ts";
import { cookiesOf } from "./testing/test_app.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { openTestDatabase } from "./testing/test_db.ts";

Deno.test("main.ts prints that it is ready, accepts the first logins, and stops on SIGTERM with sockets open", async () => {
  await withFolder(async (dataDir) => {
    const env = { DATA_DIR: dataDir, SHIGUR_PARENT_PIPE: "1", EMBEDDED_SITE: "1" };
    const edge = new EdgeProcess(env);
    const url = await edge.url;
    const file = `${dataDir}/logins.json`;
    const logins: { username: string; password: string; role: string }[] = JSON.parse(
      await Deno.readTextFile(file),
    );
    assert.deepEqual(logins.map(({ role }) => role), ["admin", "client"]);
    for (const name of ["logins.json", "app_key", "site_join_token"]) {
      assert.equal((await Deno.stat(`${dataDir}/${name}`)).mode! & 0o777, 0o600, name);
    }
    const { username, password } = logins[1]!;
    const answer = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ username, password }),
    });
    assert.equal(answer.status, 200);
    await answer.body?.cancel();

    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, {
      headers: { cookie: cookiesOf(answer), origin: url },
    } as unknown as string[]);
    const closed = new Promise<number>((done) => socket.onclose = ({ code }) => done(code));
    await new Promise((done) => socket.onopen = done);
    edge.kill("SIGTERM");
    assert.equal(await closed, 1001);
    assert.equal(await edge.ended(), 0);
    assert.ok(!edge.lines.join("\n").includes(password), "no password in the log");

    const again = new EdgeProcess(env);
    await again.url;
    assert.deepEqual(JSON.parse(await Deno.readTextFile(file)), logins, "the second start leaves them");
    await again.closeStdin();
    assert.equal(await again.ended(), 0);
  });
});

Deno.test("main.ts closes a person's sockets when they log out", async () => {
  await withFolder(async (dataDir) => {
    const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: "correct horse" });
    const url = await edge.url;
    const post = (path: string, headers: HeadersInit, body?: unknown) =>
      fetch(
        `${url}${path}`,
        {
          method: "POST",
          headers: { origin: url, ...headers },
          body: body && JSON.stringify(body),
        } as RequestInit,
      );
    const json = { "content-type": "application/json" };
    const login = await post("/api/auth/login", json, { username: "admin", password: "correct horse" });
    await login.body?.cancel();
    const cookie = cookiesOf(login);
    const socket = new WebSocket(
      `${url.replace("http", "ws")}/ws`,
      { headers: { cookie, origin: url } } as unknown as string[],
    );
    const closed = new Promise<number>((done) => socket.onclose = ({ code }) => done(code));
    await new Promise((done) => socket.onopen = done);
    await post("/api/auth/logout", { cookie });
    assert.equal(await closed, 4401);
    edge.kill("SIGINT");
    assert.equal(await edge.ended(), 0);
    assert.deepEqual(edge.lines.filter((line) => line.startsWith("First start.")), [
      "First start. admin admin, password: that in ADMIN_PASSWORD",
    ]);
  });
});

Deno.test("main.ts refuses an invalid Host instead of failing", async () => {
  await withFolder(async (dataDir) => {
    const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: "correct horse" });
    const { port } = new URL(await edge.url);
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    const head =
      "POST /api/auth/logout HTTP/1.1\r\nHost: a b<>\r\nOrigin: http://a\r\nConnection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(head));
    const answer = await new Response(connection.readable).text();
    assert.match(answer, /^HTTP\/1\.1 400 .*"code":"invalid_input"}$/s);
    edge.kill("SIGTERM");
    assert.equal(await edge.ended(), 0);
  });
});

Deno.test("main.ts refuses to start with one clear sentence", async () => {
  await withFolder(async (dataDir) => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    await Deno.writeTextFile(`${dataDir}/file`, "");
    await using changed = await openTestDatabase({ under: DISK });
    await changed.db.execute("UPDATE schema_migrations SET sha256 = 'another'");
    const cases: [Record<string, string>, RegExp][] = [
      [
        { PORT: String(taken.addr.port) },
        /^Cannot listen on 127\.0\.0\.1 port \d+: the port is taken; set PORT to another one\.$/,
      ],
      [{ PORT: "many" }, /^PORT must be a whole number from 0 to 65535\.$/],
      [
        { DATA_DIR: `${dataDir}/file` },
        /^DATA_DIR \S+\/file must be a folder in which this user may write\.$/,
      ],
      [{ DATABASE_URL: "file:?" }, /^The edge cannot start: Cannot use "file:" as a database/],
      [{ DATABASE_URL: changed.url }, /^The edge cannot start: Cannot migrate: \S+ has changed since/],
    ];
    for (const [env, sentence] of cases) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: "correct horse", ...env });
      assert.equal(await edge.ended(), 1);
      const last = edge.lines.at(-1)!;
      assert.match(last, sentence);
      assert.ok(!edge.lines.some((line) => /^\s+at /.test(line)), "no stack");
    }
    taken.close();
  });
});

Deno.test("main.ts exits with a code for another start when the database cannot be reached", async () => {
  await withFolder(async (dataDir) => {
    const remote = { APP_KEY: "a key of tests, long enough to be one" };
    // The system never assigns this port to a request for any port.
    const env = { DATABASE_URL: "http://127.0.0.1:1", ...remote };
    const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: "correct horse", ...env });
    assert.equal(await edge.ended(), 70);
    assert.match(edge.lines.at(-1)!, /^The edge cannot start: /);
    assert.ok(!edge.lines.some((line) => /^\s+at /.test(line)), "no stack");
  });
});

Deno.test("main.ts closes the files it writes to other users, also files that were open before", async () => {
  await withFolder(async (dataDir) => {
    await Deno.chmod(dataDir, 0o755);
    const tightened: boolean[] = [];
    for (const _start of [1, 2]) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir });
      await edge.url;
      const files = [...Deno.readDirSync(dataDir)].filter(({ isFile }) => isFile);
      assert.ok(files.some(({ name }) => name === "shigur.db-wal"));
      for (const { name } of files) {
        assert.equal(Deno.statSync(`${dataDir}/${name}`).mode! & 0o077, 0, name);
      }
      assert.equal(Deno.statSync(dataDir).mode! & 0o777, 0o700);
      edge.kill("SIGTERM");
      await edge.ended();
      tightened.push(edge.lines.some((line) => line.includes("data_dir_tightened")));
    }
    assert.deepEqual(tightened, [true, false]);
  });
});

Deno.test("main.ts started twice at once on one database creates the first users once", async () => {
  await withFolder(async (dataDir) => {
    const both = [1, 2].map(() => new EdgeProcess({ DATA_DIR: dataDir }));
    await Promise.all(both.map((edge) => edge.url));
    for (const edge of both) edge.kill("SIGTERM");
    assert.deepEqual(await Promise.all(both.map((edge) => edge.ended())), [0, 0]);
    const firstStarts = both.flatMap((edge) => edge.lines.filter((line) => line.startsWith("First start.")));
    assert.equal(firstStarts.length, 1, firstStarts.join("\n"));
    assert.match(firstStarts[0]!, /^First start\. admin admin, password: \S{16} /);
  });
});
