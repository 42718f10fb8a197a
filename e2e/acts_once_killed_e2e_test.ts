/**
 * Calls with an Idempotency-Key whose edge is killed between the effect and the answer: a real edge, SIGKILL the moment
 * another program sees the effect in the database. The same call at another edge answers what the first would have, and
 * acts no second time.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { freePort } from "./product.ts";
import { Program } from "./program.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const PASSWORD = "olam-katan-2026";
/** Kills for each act: the scheduler lets some answers out first. */
const KILLS = 3;
const EFFECT_WITHIN_MS = 20_000;

interface Edge {
  port: number;
  url: string;
  program: Program;
}

async function startEdge(dataDir: string): Promise<Edge> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, PORT: `${port}`, WEB_DIR: dataDir };
  const command = [Deno.execPath(), "run", "-q", ...EDGE_PERMISSIONS, "edge/main.ts"];
  const program = new Program("edge", command, env);
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false), PATIENCE_MS, "the edge");
  return { port, url, program };
}

interface Act {
  method: "POST" | "PATCH";
  path: string;
  json: unknown;
  /** What the act changes, as one number: it grows by `grows` once. */
  figure: string;
  grows: number;
}

Deno.test("an act whose edge is killed before its answer is answered by another edge, and acts once", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-killed-" });
  let [first, second] = [await startEdge(dataDir), await startEdge(dataDir)];
  const database = new DatabaseSync(`${dataDir}/shigur.db`, { readOnly: true });
  const numberOf = (sql: string) => Number(Object.values(database.prepare(sql).get()!)[0]);
  try {
    const admin = await Caller.login(first.url, { username: "admin", role: "admin", password: PASSWORD });
    const login = { username: "owner", password: "correct horse", role: "client" as const };
    const { id: client } = await admin.read<{ id: number }>("POST", "/api/users", {
      json: { ...login, messageQuota: 1_000, proof: admin.proof },
    });
    const owner = await Caller.login(first.url, login);
    const makeOne = (name: string) => makeReadyCampaign(owner.at(second.url), name, 5);

    const acts: Record<string, (round: number) => Promise<{ who: Caller; act: Act }>> = {
      send: async (round) => ({
        who: owner,
        act: {
          method: "POST",
          path: `/api/campaigns/${await makeOne(`send ${round}`)}/send`,
          json: {},
          figure: "SELECT count(*) FROM quota_ledger WHERE kind = 'reserve'",
          grows: 1,
        },
      }),
      duplicate: async (round) => ({
        who: owner,
        act: {
          method: "POST",
          path: `/api/campaigns/${await makeOne(`copy ${round}`)}/duplicate`,
          json: { contacts: "all" },
          figure: "SELECT count(*) FROM campaigns",
          grows: 1,
        },
      }),
      numbers: async (round) => ({
        who: owner,
        act: {
          method: "POST",
          path: `/api/campaigns/${await makeOne(`more ${round}`)}/contacts/manual`,
          json: { numbers: "0501234567" },
          figure: "SELECT count(*) FROM imports",
          grows: 1,
        },
      }),
      correction: () =>
        Promise.resolve({
          who: admin,
          act: {
            method: "POST",
            path: `/api/users/${client}/quota/corrections`,
            json: { delta: 7, reason: "תיקון של טעות" },
            figure: `SELECT message_quota FROM users WHERE id = ${client}`,
            grows: 7,
          },
        }),
    };

    const between: Record<string, number> = {};
    for (const [name, prepare] of Object.entries(acts)) {
      for (let round = 0; round < KILLS; round++) {
        const { who, act } = await prepare(round);
        const key = `${name}-${round}`;
        const before = numberOf(act.figure);
        const text = await killAfterEffect(
          first,
          who.cookie,
          act,
          key,
          () => numberOf(act.figure) !== before,
        );
        if (text === "") between[name] = (between[name] ?? 0) + 1;
        assert.equal(numberOf(act.figure), before + act.grows, name);
        const again = await fetch(second.url + act.path, {
          method: act.method,
          body: JSON.stringify(act.json),
          headers: {
            ...{ cookie: who.cookie, origin: second.url },
            ...{ "content-type": "application/json", "idempotency-key": key },
          },
        });
        assert.ok(again.ok, `${name}: ${again.status} ${await again.clone().text()}`);
        assert.equal(again.headers.get("idempotency-replayed"), "true", name);
        const answer = await again.json();
        if (text !== "") {
          assert.deepEqual(answer, JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
        }
        assert.equal(numberOf(act.figure), before + act.grows, `${name}, again`);
        [first, second] = [second, await startEdge(dataDir)];
      }
    }
    assert.deepEqual(Object.keys(between), Object.keys(acts), "some kill fell between effect and answer");
  } finally {
    database.close();
    await Promise.all([first, second].map(({ program }) => program.kill()));
    await Deno.remove(dataDir, { recursive: true });
  }
});

/**
 * Sends the call, kills the edge as soon as `isDone`, and returns what of the answer had left it: "" = nothing. It looks
 * without giving way to anything else in this program, so the kill comes within a fraction of a millisecond.
 */
async function killAfterEffect(
  { port, url, program }: Edge,
  cookie: string,
  { method, path, json }: Act,
  key: string,
  isDone: () => boolean,
): Promise<string> {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `origin: ${url}`,
    `cookie: ${cookie}`,
    `idempotency-key: ${key}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    "connection: close",
    "",
    "",
  ].join("\r\n");
  using line = await Deno.connect({ hostname: "127.0.0.1", port });
  await line.write(new Uint8Array([...new TextEncoder().encode(head), ...body]));
  const latest = performance.now() + EFFECT_WITHIN_MS;
  while (!isDone()) if (performance.now() > latest) throw new Error(`No effect of ${path}`);
  Deno.kill(program.pid, "SIGKILL");
  try {
    return await new Response(line.readable).text();
  } catch {
    // The line was reset: nothing more comes.
    return "";
  }
}
