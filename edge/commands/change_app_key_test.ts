/** A change of APP_KEY as an operator makes it, with edges and the command as processes. */
import { TOTP } from "otpauth";
import assert from "node:assert/strict";
import { connectExisting } from "../db/connect.ts";
import { EdgeProcess, withFolder } from "../testing/edge_process.ts";
import { cookiesOf } from "../testing/test_app.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

const OLD = "the key of before, of this test alone";
const NEXT = "the key of afterwards, of this test alone";
const PASSWORD = "correct horse";
const ERASED = "0543710968";

/** Returns a function that sends requests to the edge at `url` as its own page does. */
function asker(url: string, cookie = "") {
  return async (path: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const headers = { origin: url, cookie, ...(isForm ? {} : { "content-type": "application/json" }) };
    const init = { method: "POST", headers, body: isForm ? body : body && JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, init as RequestInit);
    const text = await answer.text();
    assert.ok(answer.ok, `POST ${path}: ${answer.status} ${text}`);
    return { cookie: cookiesOf(answer), json: text === "" ? null : JSON.parse(text) };
  };
}

async function logIn(url: string, username: string, password: string, code?: string) {
  return asker(url, (await asker(url)("/api/auth/login", { username, password, code })).cookie);
}

/** Runs a command of the edge and returns its output. */
async function run(command: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...EDGE_PERMISSIONS, new URL(`./${command}`, import.meta.url).pathname],
    env,
    stderr: "inherit",
  }).output();
  return { code, output: new TextDecoder().decode(stdout).trim() };
}

Deno.test("a change of APP_KEY loses nothing: codes, erasure marks and the audit log move to the next key", async () => {
  await withFolder(async (dataDir) => {
    const output: string[] = [];
    async function withEdge(keys: Record<string, string>, act: (url: string, edge: EdgeProcess) => unknown) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...keys });
      try {
        await act(await edge.url, edge);
      } finally {
        edge.kill("SIGTERM");
        assert.equal(await edge.ended(), 0);
        output.push(...edge.lines);
      }
    }
    async function refused(keys: Record<string, string>) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir, ...keys });
      assert.equal(await edge.ended(), 1);
      assert.match(edge.lines.at(-1)!, /^This database was used with another APP_KEY\./);
      output.push(...edge.lines);
    }

    let totp!: TOTP;
    let cookie = "";
    await withEdge({ APP_KEY: OLD }, async (url) => {
      const admin = await asker(url)("/api/auth/login", { username: "admin", password: PASSWORD });
      const ask = asker(url, admin.cookie);
      await ask("/api/users", { username: "dana", password: PASSWORD, role: "client" });
      await ask("/api/admin/erasures", { phone: ERASED, reason: "בקשה של בעל המספר", block: true });
      const { json } = await ask("/api/auth/second-factor", { password: PASSWORD });
      totp = new TOTP({ secret: json.secret });
      cookie = (await ask("/api/auth/second-factor/confirm", { code: totp.generate() })).cookie;
      assert.equal((await asker(url, cookie)("/api/admin/audit/check")).json.open, 0, "all is sealed");
    });

    await refused({ APP_KEY: NEXT });
    const both = { APP_KEY: NEXT, APP_KEY_BESIDE: OLD };
    const before = await run("app_key.ts", { DATA_DIR: dataDir, ...both });
    assert.deepEqual(before, {
      code: 1,
      output: "APP_KEY alone does not open: 1 second factors, the mark key, the audit log from row 1 on.",
    });
    await withEdge(both, async (url) => {
      assert.equal((await asker(url, cookie)("/api/admin/audit/check")).json.fault, null);
    });
    assert.equal((await run("app_key.ts", { DATA_DIR: dataDir, APP_KEY: NEXT })).code, 0);

    await withEdge({ APP_KEY: NEXT }, async (url) => {
      // Use the code of the next half minute, because the current one may have been used.
      const code = totp.generate({ timestamp: Date.now() + 30_000 });
      const admin = await logIn(url, "admin", PASSWORD, code);
      assert.equal((await admin("/api/admin/audit/check")).json.fault, null);
      const client = await logIn(url, "dana", PASSWORD);
      const form = new FormData();
      for (const [name, value] of [["name", "מבצע"], ["message", "שלום"], ["status", "draft"]] as const) {
        form.append(name, value);
      }
      const { json: { id } } = await client("/api/campaigns", form);
      const { json } = await client(`/api/campaigns/${id}/contacts/manual`, { numbers: ERASED });
      assert.deepEqual([json.total, json.suppressed], [0, 1], "who was erased is known");
    });
    await refused({ APP_KEY: OLD });
    const everything = output.join("\n");
    assert.ok(!everything.includes(OLD) && !everything.includes(NEXT));
  });
});

type Keys = { APP_KEY: string; APP_KEY_BESIDE?: string };

Deno.test("a change of APP_KEY in the documented order, on two edges, never reports forgery", async () => {
  await withFolder(async (dataDir) => {
    const edges: EdgeProcess[] = [];
    const output: string[] = [];
    const starting: Keys[] = [{ APP_KEY: OLD }, { APP_KEY: OLD }];
    async function start(which: number, keys: Keys) {
      edges[which] = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...keys });
      await edges[which].url;
    }
    async function stop(which: number) {
      edges[which]!.kill("SIGTERM");
      assert.equal(await edges[which]!.ended(), 0);
      output.push(...edges[which]!.lines);
    }
    /** Reads both screens, and runs both commands with these keys. */
    async function lookAtAll(keys: Keys) {
      for (const edge of edges) {
        const admin = await logIn(await edge.url, "admin", PASSWORD);
        assert.equal((await admin("/api/admin/audit/check")).json.fault, null);
      }
      const command = (name: string) => run(name, { DATA_DIR: dataDir, ...keys });
      const [ofLog, ofKey] = [await command("audit_log.ts"), await command("app_key.ts")];
      output.push(ofLog.output, ofKey.output);
      assert.equal(ofLog.code, 0, ofLog.output);
      return ofKey;
    }

    for (const [which, keys] of starting.entries()) await start(which, keys);
    await lookAtAll({ APP_KEY: OLD });
    const steps: Keys[] = [
      { APP_KEY: OLD, APP_KEY_BESIDE: NEXT },
      { APP_KEY: NEXT, APP_KEY_BESIDE: OLD },
      { APP_KEY: NEXT },
    ];
    for (const keys of steps) {
      let ofKey: Awaited<ReturnType<typeof run>>;
      for (const which of edges.keys()) {
        await stop(which);
        const before = await run("app_key.ts", { DATA_DIR: dataDir, ...keys });
        output.push(before.output);
        await start(which, keys);
        ofKey = await lookAtAll(keys);
      }
      assert.equal(ofKey!.code, 0, ofKey!.output);
    }
    for (const which of edges.keys()) await stop(which);
    const everything = output.join("\n");
    assert.doesNotMatch(everything, /forged|without the key|audit_log_broken|bad_mark/);
  });
});

Deno.test("app:key and audit:log detect and report a real forgery while APP_KEY is changed", async () => {
  await withFolder(async (dataDir) => {
    const keys = { APP_KEY: NEXT, APP_KEY_BESIDE: OLD };
    const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, APP_KEY: OLD });
    const admin = await logIn(await edge.url, "admin", PASSWORD);
    assert.equal((await admin("/api/admin/audit/check")).json.fault, null);
    edge.kill("SIGTERM");
    await edge.ended();
    const look = (name: string) => run(name, { DATA_DIR: dataDir, ...keys });
    const whole = await look("app_key.ts");
    assert.match(whole.output, /the audit log from row 1 on/);
    assert.doesNotMatch(whole.output, /forged/);

    const db = await connectExisting(`file:${dataDir}/shigur.db`);
    await db.execute("DROP TRIGGER audit_log_written_once");
    await db.execute("UPDATE audit_log SET seal = 'of no key' WHERE id = 2");
    db.close();
    const [ofKey, ofLog] = [await look("app_key.ts"), await look("audit_log.ts")];
    assert.equal(ofKey.code, 1);
    assert.match(ofKey.output, /The audit log has a fault under all given keys/);
    assert.equal(ofLog.code, 1);
    assert.match(ofLog.output, /Row 2 was sealed again without the key/);
  });
});

Deno.test("audit:log asks for the other key before it reports rows as forged that one key does not open", async () => {
  await withFolder(async (dataDir) => {
    const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, APP_KEY: OLD });
    const admin = await logIn(await edge.url, "admin", PASSWORD);
    await admin("/api/admin/audit/check");
    edge.kill("SIGTERM");
    await edge.ended();
    const { code, output } = await run("audit_log.ts", { DATA_DIR: dataDir, APP_KEY: NEXT });
    assert.equal(code, 1);
    assert.match(output, /Row 1 is not sealed with this APP_KEY.*APP_KEY_BESIDE/);
    assert.doesNotMatch(output, /without the key/);
  });
});
