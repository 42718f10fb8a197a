/**
 * Which events each person gets on the live channel, over real sockets of the whole application: no client gets
 * another's.
 */
import assert from "node:assert/strict";
import { liveEventSchema, type LiveEventType } from "shared/live_event.ts";
import { endExpiredSessions, SESSION_IDLE_MS } from "../auth/sessions.ts";
import { serve } from "../http/serve.ts";
import { openLiveSocket } from "../testing/live_socket.ts";
import { cookiesOf, openTestApp, PROOF, TEST_PASSWORD, type TestApp } from "../testing/test_app.ts";
import { BROWSER_CLOSE } from "./browser_hub.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };
const TYPES = liveEventSchema.options.map((option) => option.shape.type.value);
/** Written for administrators and for no client. */
const FOR_ADMINS: readonly LiveEventType[] = [
  "device_changed",
  "account_changed",
  "activity",
  "alert",
  "alerts_changed",
];
/** Never written: the hub makes it from a client's event, for administrators. */
const MADE_BY_HUB: LiveEventType = "client_campaign";
/** Written after all others: when it has arrived, all earlier ones have arrived. */
const LAST: LiveEventType = "quota_changed";

Deno.test(
  "/ws sends a client no event of another client and none for administrators, of any type",
  strict,
  async () => {
    await using edge = await openTestApp();
    await using live = openLive(edge);
    const dana = await edge.addPerson();
    const yossi = await edge.addPerson();
    const admin = await edge.addPerson({ role: "admin" });
    const danas = await live.open(dana.cookie);
    const yossis = await live.open(yossi.cookie);
    const admins = await live.open(admin.cookie);
    const written = TYPES.filter((type) => type !== MADE_BY_HUB && type !== LAST);
    for (const type of written) {
      const isForAdmins = FOR_ADMINS.includes(type);
      await write(edge, type, isForAdmins ? null : dana.id, isForAdmins);
    }
    // The last event for each of them: when it has arrived, all earlier ones have arrived.
    for (const { id } of [dana, yossi]) await write(edge, LAST, id, true);

    const own = written.filter((type) => !FOR_ADMINS.includes(type));
    const heard = (await danas.heard(own.length + 1)).map(typeOf);
    assert.deepEqual([...heard].sort(), [...own, LAST].sort());
    assert.deepEqual((await yossis.heard(1)).map(typeOf), [LAST]);
    const toAdmins = await admins.heard(FOR_ADMINS.length + 2);
    assert.deepEqual(FOR_ADMINS.filter((type) => !toAdmins.map(typeOf).includes(type)), []);
    await Promise.all([danas.end(), yossis.end(), admins.end()]);
  },
);

const ENDINGS: Record<string, (world: EndingWorld) => Promise<unknown>> = {
  "logs out": ({ dana }) => dana.ask("/api/auth/logout", { method: "POST" }),
  "ends their other sessions elsewhere": ({ elsewhere }) =>
    elsewhere("/api/auth/sessions", { method: "DELETE", json: { password: TEST_PASSWORD } }),
  "changes their password elsewhere": ({ elsewhere }) =>
    elsewhere("/api/auth/password", {
      method: "POST",
      json: { currentPassword: TEST_PASSWORD, newPassword: "a new password" },
    }),
  "is disabled": ({ admin, dana }) =>
    admin.ask(`/api/users/${dana.id}`, { method: "PATCH", json: { disabled: true } }),
  "is given a new password": ({ admin, dana }) =>
    admin.ask(`/api/users/${dana.id}`, {
      method: "PATCH",
      json: { proof: PROOF, password: "a new password" },
    }),
  "does nothing for twelve hours": async ({ edge, yossi }) => {
    edge.clock.now += SESSION_IDLE_MS;
    await edge.ctx.db.execute({
      sql: "UPDATE sessions SET last_seen_at = ? WHERE user = ?",
      args: [edge.clock.now, yossi.id],
    });
    await endExpiredSessions(edge.ctx);
  },
};
for (const [ending, end] of Object.entries(ENDINGS)) {
  Deno.test(`/ws closes only the sockets of a user who ${ending}`, strict, async () => {
    await using edge = await openTestApp();
    await using live = openLive(edge);
    const dana = await edge.addPerson();
    const yossi = await edge.addPerson();
    const admin = await edge.addPerson({ role: "admin" });
    const json = { username: dana.username, password: TEST_PASSWORD };
    const there = cookiesOf(await edge.visitor.ask("/api/auth/login", { method: "POST", json }));
    const elsewhere: EndingWorld["elsewhere"] = (path, init) =>
      edge.visitor.ask(path, { ...init, headers: { cookie: there } });
    const danas = await live.open(dana.cookie);
    const yossis = await live.open(yossi.cookie);

    await end({ edge, dana, yossi, admin, elsewhere });
    assert.equal(await danas.closed, BROWSER_CLOSE.sessionEnded);
    await assert.rejects(live.open(dana.cookie), /Cannot open/, "nor is it opened again");
    await write(edge, LAST, dana.id, false);
    await write(edge, LAST, yossi.id, false);
    assert.equal((await yossis.heard(1)).length, 1);
    assert.equal((await danas.heard(0)).length, 0);
    await yossis.end();
  });
}

Deno.test(
  "/ws keeps the socket of a user who changes their password, and closes it when that session ends",
  strict,
  async () => {
    await using edge = await openTestApp();
    await using live = openLive(edge);
    const dana = await edge.addPerson();
    const danas = await live.open(dana.cookie);
    const json = { currentPassword: TEST_PASSWORD, newPassword: "a new password" };
    const changed = await dana.ask("/api/auth/password", { method: "POST", json });
    await write(edge, LAST, dana.id, false);
    assert.deepEqual((await danas.heard(1)).map(typeOf), [LAST]);
    const headers = { cookie: cookiesOf(changed) };
    await edge.visitor.ask("/api/auth/logout", { method: "POST", headers });
    assert.equal(await danas.closed, BROWSER_CLOSE.sessionEnded);
  },
);

type Person = Awaited<ReturnType<TestApp["addPerson"]>>;

interface EndingWorld {
  edge: TestApp;
  dana: Person;
  yossi: Person;
  admin: Person;
  /** Sends a request in another session of dana's. */
  elsewhere: Person["ask"];
}

/** Serves the application on a real port, with the outbox followed. */
function openLive(edge: TestApp) {
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const stop = new AbortController();
  const followed = edge.tail.run(stop.signal);
  return {
    open: (cookie: string) => openLiveSocket(listener.url, cookie),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([followed, listener.stop(5_000)]);
    },
  };
}

/**
 * Writes an event. Each campaign event has its own campaign: newer figures replace held-back ones of the same campaign.
 */
async function write(edge: TestApp, type: LiveEventType, client: number | null, forAdmins: boolean) {
  const line = { id: 1, kind: "info", code: "user_enabled", data: { username: "x" }, at: 1 };
  const data = JSON.stringify(type === "activity" ? line : { campaignId: 1 });
  await edge.ctx.db.execute({
    sql: "INSERT INTO events (at, type, client, for_admins, campaign, data) VALUES (1, ?, ?, ?, ?, ?)",
    args: [
      type,
      client,
      Number(forAdmins),
      type.startsWith("campaign") ? 1 + TYPES.indexOf(type) : null,
      data,
    ],
  });
}

const typeOf = (frame: string): string => JSON.parse(frame).type;
