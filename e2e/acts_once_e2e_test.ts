/**
 * Calls with an Idempotency-Key over real edges on one file: killed with SIGKILL at any moment, or asked at two edges at
 * once. However that goes, a call acts at most once, and one that was answered or recorded is answered again.
 */
import assert from "node:assert/strict";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";
import { Caller } from "./caller.ts";
import { freePort } from "./product.ts";
import { Program } from "./program.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const PASSWORD = "olam-katan-2026";
/** Enough that kills fall before, into and after the effect. */
const ROUNDS = 16;

async function startEdge(dataDir: string): Promise<{ url: string; program: Program }> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, PORT: `${port}`, WEB_DIR: dataDir };
  const command = [Deno.execPath(), "run", "-q", ...EDGE_PERMISSIONS, "edge/main.ts"];
  const program = new Program("edge", command, env);
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false), PATIENCE_MS, "the edge");
  return { url, program };
}

function draft(name: string): FormData {
  const form = new FormData();
  form.set("name", name);
  form.set("message", "שלום");
  form.set("kind", "service");
  return form;
}

Deno.test("a draft is made at most once, though its edge is killed and another is asked; a key ends on both edges", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-once-" });
  let edges = [await startEdge(dataDir), await startEdge(dataDir)];
  try {
    const login = { username: "admin", role: "admin" as const, password: PASSWORD };
    const admin = await Caller.login(edges[0]!.url, login);
    const headers = { cookie: admin.cookie };
    const post = async (url: string, name: string) => {
      const answer = await fetch(`${url}/api/campaigns`, {
        method: "POST",
        body: draft(name),
        headers: { ...headers, origin: url, "idempotency-key": name },
      });
      const body = await answer.json();
      return { status: answer.status, id: body.id, isRepeated: answer.headers.has("idempotency-replayed") };
    };
    const made = async (url: string, name: string): Promise<number[]> => {
      const list = await (await fetch(`${url}/api/campaigns`, { headers })).json();
      return list.filter((campaign: { name: string }) => campaign.name === name).map((
        { id }: { id: number },
      ) => id);
    };

    const ends = { repeated: 0, stillRuns: 0, made: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const name = `round-${round}`;
      const [first, second] = edges as [typeof edges[0], typeof edges[0]];
      const lost = post(first!.url, name).catch(() => null);
      await new Promise((done) => setTimeout(done, round * 3));
      Deno.kill(first!.program.pid, "SIGKILL");
      const before = await lost;
      const again = await post(second!.url, name);
      const ids = await made(second!.url, name);
      if (again.status === 409) {
        ends.stillRuns += 1;
        assert.deepEqual(ids, [], "nothing was made, and nothing is until the run counts as dead");
      } else {
        assert.equal(again.status, 201);
        assert.deepEqual(ids, [again.id]);
        if (before !== null) assert.equal(before.id, again.id);
        ends[again.isRepeated ? "repeated" : "made"] += 1;
      }
      edges = [second!, await startEdge(dataDir)];
    }
    assert.ok(ends.made + ends.repeated > 0, JSON.stringify(ends));

    const [one, two] = edges.map(({ url }) => url) as [string, string];
    for (let round = 0; round < ROUNDS; round++) {
      const name = `both-${round}`;
      const answers = await Promise.all([post(one, name), post(two, name), post(one, name), post(two, name)]);
      assert.equal(answers.filter(({ status, isRepeated }) => status === 201 && !isRepeated).length, 1);
      assert.equal(answers.filter(({ status }) => status !== 201 && status !== 409).length, 0);
      assert.equal((await made(one, name)).length, 1);
      assert.ok((await post(two, name)).isRepeated);
    }

    const asks = (url: string, path: string, method: string, json?: unknown) =>
      fetch(url + path, {
        method,
        body: JSON.stringify(json),
        headers: { origin: url, "content-type": "application/json", ...headers },
      });
    const asked = { name: "CRM", mode: "live", scopes: ["admin:read"], proof: { password: PASSWORD } };
    const { key, secret } = await (await asks(one, "/api/keys", "POST", asked)).json();
    const byKey = async (url: string) => {
      const answer = await fetch(`${url}/api/admin/dashboard`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await byKey(two), 200, "made at one edge, used at the other");
    assert.equal((await asks(one, `/api/keys/${key.id}`, "DELETE")).status, 204);
    assert.equal(await byKey(two), 401, "and revoked there at once");
  } finally {
    for (const { program } of edges) {
      try {
        Deno.kill(program.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    await Deno.remove(dataDir, { recursive: true });
  }
});
