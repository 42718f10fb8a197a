/** A change of APP_KEY as an operator makes it, with edges and the command as processes. */
import { TOTP } from "otpauth";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { EdgeProcess, FLAGS, withFolder } from "../testing/edge_process.ts";
import { cookiesOf } from "../testing/test_app.ts";

const OLD = "the key of before, of this test alone";
const NEXT = "the key of afterwards, of this test alone";
const PASSWORD = "correct horse";
const ERASED = "0543710968";

/** Asks the edge at `url` as its own page does. */
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

/** What `deno task app:key` says. */
async function look(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", ...FLAGS, new URL("../app_key.ts", import.meta.url).pathname],
    env,
    stderr: "inherit",
  }).output();
  return { code, said: new TextDecoder().decode(stdout).trim() };
}

Deno.test("a change of APP_KEY loses nothing: codes, marks of the erased and the audit log go over to the next key", async () => {
  await withFolder(async (dataDir) => {
    const said: string[] = [];
    async function withEdge(keys: Record<string, string>, act: (url: string, edge: EdgeProcess) => unknown) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...keys });
      try {
        await act(await edge.url, edge);
      } finally {
        edge.kill("SIGTERM");
        assert.equal(await edge.ended(), 0);
        said.push(...edge.lines);
      }
    }
    async function refused(keys: Record<string, string>) {
      const edge = new EdgeProcess({ DATA_DIR: dataDir, ...keys });
      assert.equal(await edge.ended(), 1);
      assert.match(edge.lines.at(-1)!, /^This database was used with another APP_KEY\./);
      said.push(...edge.lines);
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
    const before = await look({ DATA_DIR: dataDir, ...both });
    assert.deepEqual(before, {
      code: 1,
      said:
        "APP_KEY alone does not open: 1 second factors, the key of marks, the audit log, until the next check has " +
        "sealed it.",
    });
    assert.match(
      await whileForged(dataDir, () => look({ DATA_DIR: dataDir, ...both })),
      /the audit log \(edited, row 1\)/,
    );
    await withEdge(both, async (url) => {
      assert.equal((await asker(url, cookie)("/api/admin/audit/check")).json.fault, null);
    });
    assert.equal((await look({ DATA_DIR: dataDir, APP_KEY: NEXT })).code, 0);

    await withEdge({ APP_KEY: NEXT }, async (url) => {
      // Of the next half minute, for this one's may have been used.
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
    const everything = said.join("\n");
    assert.ok(!everything.includes(OLD) && !everything.includes(NEXT));
  });
});

/** What a look says while a row of the audit log is not what was sealed. */
async function whileForged(dataDir: string, look: () => Promise<{ said: string }>): Promise<string> {
  using db = new DatabaseSync(`${dataDir}/shigur.db`);
  db.exec("DROP TRIGGER audit_log_written_once");
  const { data } = db.prepare("SELECT data FROM audit_log WHERE id = 1").get()!;
  const write = db.prepare("UPDATE audit_log SET data = ? WHERE id = 1");
  write.run('{"forged":true}');
  const { said } = await look();
  write.run(data!);
  return said;
}
