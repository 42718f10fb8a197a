/**
 * Calls with an Idempotency-Key whose edge is killed between the effect and the answer. The database of two real edges is
 * reached through a door that kills the edge once the effect is committed, before it answers the edge. The same call
 * at the other edge then answers what the first would have, and acts no second time.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { startHranaServer } from "../edge/testing/hrana_server.ts";
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { freePort } from "./product.ts";
import { Program } from "./program.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const PASSWORD = "olam-katan-2026";
/** A list is there when its import has ended; a dead edge's part of one is removed. */
const LOADED = "SELECT count(*) FROM imports WHERE status = 'completed'";

interface Edge {
  url: string;
  program: Program;
}

async function startEdge(folder: string, database: string): Promise<Edge> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await Deno.makeTempDir({ dir: folder });
  const env = {
    ...{ DATA_DIR: dataDir, WEB_DIR: dataDir, PORT: `${port}`, DATABASE_URL: database },
    ...{ ADMIN_PASSWORD: PASSWORD, APP_KEY: "the same on every edge of this installation" },
  };
  const command = [Deno.execPath(), "run", "-q", ...EDGE_PERMISSIONS, "edge/main.ts"];
  const program = new Program("edge", command, env);
  await until(() => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false), PATIENCE_MS, "the edge");
  return { url, program };
}

/** A way to the database that can keep one answer to itself. */
function openDoor(path: string) {
  const server = startHranaServer({ path });
  let keep: (() => boolean) | undefined;
  const door = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const answer = await fetch(server.url + pathname, {
      method: request.method,
      headers: { "content-type": "application/json" },
      body,
    });
    const text = await answer.text();
    if (keep?.()) {
      keep = undefined;
      return await new Promise<never>(() => {});
    }
    return new Response(text, { status: answer.status, headers: { "content-type": "application/json" } });
  });
  return {
    url: `http://127.0.0.1:${door.addr.port}`,
    /** Asks `isDone` before each answer; once it is true, does `act` instead of that answer. */
    actInsteadOfAnswer(isDone: () => boolean, act: () => void): void {
      keep = () => {
        if (!isDone()) return false;
        act();
        return true;
      };
    },
    async close() {
      await server.close();
      // One answer was kept: its connection never ends by itself.
      door.unref();
    },
  };
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
  const folder = await Deno.makeTempDir({ prefix: "shigur-killed-" });
  const door = openDoor(`${folder}/shigur.db`);
  let [first, second] = [await startEdge(folder, door.url), await startEdge(folder, door.url)];
  const database = new DatabaseSync(`${folder}/shigur.db`, { readOnly: true });
  const numberOf = (sql: string) => Number(Object.values(database.prepare(sql).get()!)[0]);
  try {
    const admin = await Caller.login(first.url, { username: "admin", role: "admin", password: PASSWORD });
    const login = { username: "owner", password: "correct horse", role: "client" as const };
    const { id: client } = await admin.read<{ id: number }>("POST", "/api/users", {
      json: { ...login, messageQuota: 1_000, proof: admin.proof },
    });
    const owner = await Caller.login(first.url, login);
    const makeOne = (name: string) => makeReadyCampaign(owner, name, 5);

    const post = (path: string, json: unknown, figure: string, grows = 1) =>
      ({ method: "POST", path, json, figure, grows }) as const;
    const [sent, copied, filled, paused] = [
      await makeOne("send"),
      await makeOne("copy"),
      await makeOne("more"),
      await makeOne("paused"),
    ];
    await owner.read("POST", `/api/campaigns/${paused}/send`, { json: {} });
    await owner.read("POST", `/api/campaigns/${paused}/pause`);
    const kept = (table: string, condition = "1") => `SELECT count(*) FROM ${table} WHERE ${condition}`;
    const quota = `SELECT message_quota FROM users WHERE id = ${client}`;
    const acts: [string, { who: Caller; act: Act }][] = [
      ["a send", {
        who: owner,
        act: post(`/api/campaigns/${sent}/send`, {}, kept("quota_ledger", "kind = 'reserve'")),
      }],
      ["a copy", {
        who: owner,
        act: post(`/api/campaigns/${copied}/duplicate`, { contacts: "all" }, LOADED),
      }],
      ["numbers", {
        who: owner,
        act: post(`/api/campaigns/${filled}/contacts/manual`, { numbers: "0501234567" }, LOADED),
      }],
      ["a resume", {
        who: owner,
        act: post(`/api/campaigns/${paused}/resume`, {}, kept("audit_log", "kind = 'campaign_resumed'")),
      }],
      ["a correction", {
        who: admin,
        act: post(`/api/users/${client}/quota/corrections`, { delta: 7, reason: "תיקון של טעות" }, quota, 7),
      }],
      ["a list", { who: owner, act: post("/api/lists", { name: "לקוחות" }, kept("lists")) }],
    ];
    // A balance that is set again to what it was would undo what was sent meanwhile.
    const balance = numberOf(quota);
    acts.push(["a balance", {
      who: admin,
      act: {
        method: "PATCH",
        path: `/api/users/${client}/quota`,
        json: { messageQuota: balance + 500 },
        figure: kept("quota_ledger", "kind = 'grant'"),
        grows: 1,
      },
    }]);
    for (const [name, { who, act }] of acts) {
      const { method, path, json, figure, grows } = act;
      const key = crypto.randomUUID();
      const before = numberOf(figure);
      const call = async ({ url }: Edge) =>
        await fetch(url + path, {
          method,
          body: JSON.stringify(json),
          headers: {
            ...{ cookie: who.cookie, origin: url },
            ...{ "content-type": "application/json", "idempotency-key": key },
          },
        });
      const { pid } = first.program;
      door.actInsteadOfAnswer(() => numberOf(figure) !== before, () => Deno.kill(pid, "SIGKILL"));
      const lost = await call(first).then(
        async (answer) => `${answer.status} ${await answer.text()}`,
        () => null,
      );
      assert.equal(lost, null, `${name}: no answer came`);
      assert.equal(numberOf(figure), before + grows, name);
      const again = await call(second);
      const text = await again.text();
      assert.ok(again.ok, `${name}: ${again.status} ${text}`);
      assert.equal(again.headers.get("idempotency-replayed"), "true", name);
      assert.equal(numberOf(figure), before + grows, `${name}, again`);
      const third = await call(second);
      assert.equal(await third.text(), text, `${name}: the same answer each time`);
      [first, second] = [second, await startEdge(folder, door.url)];
    }
  } finally {
    database.close();
    await Promise.all([first, second].map(({ program }) => program.kill()));
    await door.close();
    await Deno.remove(folder, { recursive: true });
  }
});
