/** Every route, requested by every kind of user: who may use it, who may not, and that nothing leaks to the others. */
import assert from "node:assert/strict";
import { DUTIES, type Duty, mayDo } from "shared/duty.ts";
import { findKeyCall } from "./auth/key_calls.ts";
import { createSite } from "./sites/create_site.ts";
import { revokeSite } from "./sites/revoke_site.ts";
import { serve } from "./http/serve.ts";
import { FakeSite } from "./testing/fake_agent.ts";
import { report, sendNew, take } from "./testing/queue_acts.ts";
import { addressOf, GUARDS, guardsOf, ROUTES, routesOf } from "./testing/route_table.ts";
import { containsSecret, openSecretHouse, type SecretHouse } from "./testing/secret_house.ts";
import { openTestApp, PROOF, type TestPerson } from "./testing/test_app.ts";

/** Returns the method and the path of a route, whose names fit its pattern. */
function cut(route: string): [method: string, path: string] {
  const [method, path] = route.split(" ") as [string, string];
  return [method, path];
}

type Asker = Pick<TestPerson, "ask">;

interface Answer {
  status: number;
  code: unknown;
  body: string;
}

async function ask(
  person: Asker,
  route: string,
  names: Record<string, number>,
  { headers = {}, proof }: { headers?: Record<string, string>; proof?: { password: string } } = {},
): Promise<Answer> {
  const method = route.slice(0, route.indexOf(" "));
  const given = ROUTES[route]!.json;
  const json = proof === undefined ? given : { ...given as object, proof };
  const answer = await person.ask(addressOf(route, names), { method, json, headers });
  const body = await answer.text();
  const isError = answer.status >= 400 && body.startsWith("{");
  return { status: answer.status, code: isError ? JSON.parse(body).code : undefined, body };
}

/** Returns the proof that a client's person gives; others are asked for none. */
function proofOf(route: string): { password: string } | undefined {
  const { access, needsProof } = ROUTES[route]!;
  return needsProof === "everybody" || (access === "owner" && needsProof === true) ? PROOF : undefined;
}

/** Returns the owner's ids for the parameters of `route`. */
function ownersNames(route: string, house: SecretHouse): Record<string, number> {
  const { owner, people, invitation, campaign, delivery, importId, list, contact, message } = house;
  const id = route.includes("/users/")
    ? owner.id
    : route.includes("/people/")
    ? people.writer.id
    : route.includes("/invitations/")
    ? invitation
    : route.includes("/keys/")
    ? house.key.id
    : route.includes("/messages/")
    ? message
    : /\/api\/(admin\/)?lists\//.test(route)
    ? list
    : campaign;
  return { id, delivery, importId, contact };
}

Deno.test("the table of routes names every route of the application, and no other", async () => {
  await using edge = await openTestApp();
  assert.deepEqual(routesOf(edge.app), Object.keys(ROUTES).sort());
  assert.deepEqual(guardsOf(edge.app), [...GUARDS].sort());
});

Deno.test("every call of the document is a route", async () => {
  await using edge = await openTestApp();
  const { paths } = await (await edge.visitor.ask("/api/openapi.json")).json();
  for (const [path, methods] of Object.entries<Record<string, unknown>>(paths)) {
    for (const method of Object.keys(methods)) {
      assert.ok(ROUTES[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`], `${method} ${path}`);
    }
  }
});

Deno.test("no route shows or changes a client's data for a visitor, forged session, stranger or site", async (t) => {
  await using house = await openSecretHouse();
  const { edge, other, othersSender, othersKey } = house;
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const { joinToken } = await createSite(edge.ctx, "חיפה");
  const site = await FakeSite.enroll(listener.url, joinToken, edge.ctx.now);
  await listener.stop(1_000);
  const before = await house.belongings();
  edge.clock.now += 1;

  for (const [route, { access, least }] of Object.entries(ROUTES)) {
    if (route === "POST /api/auth/logout") continue; // Below, by a separate session.
    await t.step(route, async () => {
      const names = ownersNames(route, house);
      const withoutSession = [
        ["a visitor", {}],
        ["a forged session", { cookie: `shigur_session=${"A".repeat(43)}` }],
        ["a site's token", { authorization: `Bearer ${await site.sign()}` }],
      ] as const;
      for (const [who, headers] of withoutSession) {
        const answer = await ask(edge.visitor, route, names, { headers });
        assert.ok(!containsSecret(answer.body), who);
        if (access === "agent") {
          if (who === "a site's token") assert.notEqual(answer.status, 401, "the token itself is good");
          else assert.deepEqual([answer.status, answer.code], [401, "agent_not_authorized"], who);
        } else if (access === "operator") {
          assert.deepEqual([answer.status, answer.code], [404, "not_found"], who);
        } else if (who === "a site's token" && /^\w+ \/(api\/|ws$)/.test(route)) {
          assert.deepEqual([answer.status, answer.code], [401, "key_invalid"], who);
        } else if (access !== "open") {
          assert.deepEqual([answer.status, answer.code], [401, "not_logged_in"], who);
        } else assert.ok(![403, "not_logged_in"].includes(answer.code as string), who);
      }

      const stranger = await ask(other, route, names);
      const strangersKey = await ask(othersKey, route, names);
      assert.ok(!containsSecret(strangersKey.body), "a stranger's key");
      if (access === "own" && findKeyCall(...cut(route))) {
        const byClient = !/admin:/.test(String(findKeyCall(...cut(route))!.scopes[0]));
        if (byClient) assert.deepEqual([strangersKey.status, strangersKey.code], [404, "not_found"]);
      }
      assert.ok(!containsSecret(stranger.body), "a stranger");
      if (access === "admin") assert.deepEqual([stranger.status, stranger.code], [403, "not_allowed"]);
      if (access === "agent") {
        assert.deepEqual([stranger.status, stranger.code], [401, "agent_not_authorized"]);
      }
      if (access === "operator") assert.equal(stranger.status, 404);
      if (access === "own" || (access === "owner" && route.includes("/:id"))) {
        const proof = proofOf(route);
        const foreign = await ask(other, route, names, { proof });
        assert.deepEqual([foreign.status, foreign.code], [404, "not_found"]);
        const absent = await ask(other, route, { ...names, id: 999_999 }, { proof });
        assert.deepEqual(foreign, absent, "as if it did not exist");
      }
      const strangersPerson = await ask(othersSender, route, names);
      assert.ok(!containsSecret(strangersPerson.body), "a stranger's colleague");
      if (access === "own") {
        const refused = least === "owner" ? [403, "not_allowed"] : [404, "not_found"];
        assert.deepEqual([strangersPerson.status, strangersPerson.code], refused);
      }
      assert.deepEqual(await house.belongings(), before, "nothing of the owner's moved");
    });
  }
});

Deno.test("a client's own campaign gives no access to rows of another's", async () => {
  await using house = await openSecretHouse();
  const { other, othersCampaign, delivery, importId } = house;
  const before = await house.belongings();
  for (const route of Object.keys(ROUTES).filter((route) => /:(delivery|importId)/.test(route))) {
    const answer = await ask(other, route, { id: othersCampaign, delivery, importId });
    assert.deepEqual([answer.status, answer.code], [404, "not_found"], route);
  }
  assert.deepEqual(await house.belongings(), before);
});

Deno.test("an act on another client's campaign notifies neither its owner nor its site, in any status", async () => {
  await using house = await openSecretHouse();
  const { edge, fleet, owner, other } = house;
  const acts = [
    "send",
    "pause",
    "resume",
    "cancel",
    "deliveries/resolve",
    "test",
    "duplicate",
    "contacts/manual",
  ];
  const site = await fleet.addSite();
  const { id } = await sendNew(fleet, 3, owner);
  const events = () => fleet.one("SELECT max(id) AS last FROM events");
  const tryAll = async () => {
    edge.clock.now += 1;
    const [rows, last] = [await house.belongings(), await events()];
    for (const act of acts) {
      const answer = await ask(other, `POST /api/campaigns/:id/${act}`, { id });
      assert.deepEqual([answer.status, answer.code], [404, "not_found"], act);
    }
    assert.deepEqual([await house.belongings(), await events()], [rows, last]);
  };
  await tryAll();
  const lease = await take(fleet, site, 2);
  await report(fleet, site, { ...lease, items: lease.items.slice(0, 1) }, "unknown");
  await tryAll();
  for (const act of ["pause", "cancel"]) {
    assert.equal((await ask(owner, `POST /api/campaigns/:id/${act}`, { id })).status, 200);
    await tryAll();
  }
});

for (const [route, { access, least = "reader" }] of Object.entries(ROUTES)) {
  if (access === "open" || access === "operator") continue;
  Deno.test(`${route} by each person of a client`, async () => {
    const duties: Duty[] = [...DUTIES];
    const needed: Duty = access === "owner" ? "owner" : least;
    for (const duty of duties) {
      await using house = await openSecretHouse();
      const person = duty === "owner" ? house.owner : house.people[duty];
      const before = await house.belongings();
      const proof = proofOf(route);
      const { status, code } = await ask(person, route, ownersNames(route, house), { proof });
      if (access === "agent") assert.deepEqual([status, code], [401, "agent_not_authorized"], duty);
      else if (access === "admin" || !mayDo(duty, needed)) {
        assert.deepEqual([status, code], [403, "not_allowed"], duty);
      } else {
        await using another = await openSecretHouse();
        const owners = await ask(another.owner, route, ownersNames(route, another), { proof });
        assert.deepEqual([status, code], [owners.status, owners.code], `${duty} as the owner`);
        if (!route.includes("/auth/")) assert.ok(![401, 403].includes(status), duty);
        continue;
      }
      assert.deepEqual(await house.belongings(), before, `${duty} changes nothing`);
    }
  });
}

for (const [route, { access, admin: adminsGet, needsProof }] of Object.entries(ROUTES)) {
  if (access === "agent" || access === "operator") continue;
  if (access === "owner") {
    Deno.test(`${route} is for the owner of a client's account alone`, async () => {
      await using house = await openSecretHouse();
      const { owner, admin } = house;
      const names = ownersNames(route, house);
      const before = await house.belongings();
      const administrator = await ask(admin, route, names, needsProof && { proof: PROOF });
      assert.deepEqual([administrator.status, administrator.code], [403, "not_allowed"]);
      if (needsProof) {
        const bare = await ask(owner, route, names);
        const guessed = await ask(owner, route, names, { proof: { password: "wrong password" } });
        assert.deepEqual([bare.status, bare.code], [403, "proof_needed"]);
        assert.deepEqual([guessed.status, guessed.code], [401, "wrong_credentials"]);
      }
      assert.deepEqual(await house.belongings(), before);
      const owners = await ask(owner, route, names, needsProof && { proof: PROOF });
      assert.ok([200, 201, 204].includes(owners.status), owners.body);
    });
    continue;
  }
  Deno.test(`${route} is for ${access}`, async () => {
    await using house = await openSecretHouse();
    const { owner, admin } = house;
    const names = ownersNames(route, house);
    const isRead = route.startsWith("GET") && access === "own";

    if (needsProof) {
      const before = await house.belongings();
      const [bare, guessed] = [
        await ask(admin, route, names),
        await ask(admin, route, names, { proof: { password: "wrong password" } }),
      ];
      assert.deepEqual([bare.status, bare.code], [403, "proof_needed"]);
      assert.deepEqual([guessed.status, guessed.code], [401, "wrong_credentials"]);
      assert.deepEqual(await house.belongings(), before);
    }
    const administrator = await ask(admin, route, names, needsProof && { proof: PROOF });
    if (adminsGet === "refused") {
      assert.deepEqual([administrator.status, administrator.code], [403, "not_allowed"]);
    } else if (adminsGet === "nothing") assert.equal(administrator.status, 404);
    else if (isRead) assert.equal(administrator.status, 200, administrator.body);
    else if (access !== "open" && !route.includes("/auth/")) {
      assert.ok(![401, 403].includes(administrator.status), administrator.body);
    }
    if (access === "admin") return;
    const owners = await ask(owner, route, names, { proof: proofOf(route) });
    if (isRead) assert.equal(owners.status, 200, owners.body);
    else if (!route.includes("/auth/")) assert.ok(![401, 403].includes(owners.status), owners.body);
  });
}

Deno.test("the owner sees the marked values that this test looks for in answers to others", async () => {
  await using house = await openSecretHouse();
  const shown: string[] = [];
  // One at a time: a user may not download all exports at once.
  for (const route of Object.keys(ROUTES).filter((route) => route.startsWith("GET /api"))) {
    const { status, body } = await ask(house.owner, route, ownersNames(route, house));
    if (status === 200 && containsSecret(body)) shown.push(route);
  }
  assert.deepEqual(shown.sort(), [
    "GET /api/campaigns",
    "GET /api/campaigns/:id",
    "GET /api/campaigns/:id/deliveries",
    "GET /api/campaigns/:id/deliveries.csv",
    "GET /api/campaigns/:id/deliveries/:delivery",
    "GET /api/campaigns/:id/personal",
    "GET /api/consents.csv",
    "GET /api/keys",
    "GET /api/lists",
    "GET /api/lists/:id",
    "GET /api/lists/:id/contacts.csv",
    "GET /api/lists/:id/contacts/:contact",
    "GET /api/messages",
    "GET /api/messages.csv",
    "GET /api/messages/:id",
    "GET /api/people",
    "GET /api/profile",
    "GET /api/replies",
    "GET /api/suppressions",
    "GET /api/suppressions.csv",
  ]);
});

Deno.test("a session opens no agent route, and a revoked site's token opens none at all", async () => {
  await using house = await openSecretHouse();
  const { edge, admin, owner } = house;
  const listener = serve({ host: "127.0.0.1", port: 0 }, edge.app.fetch);
  const { siteId, joinToken } = await createSite(edge.ctx, "חיפה");
  const site = await FakeSite.enroll(listener.url, joinToken, edge.ctx.now);
  await listener.stop(1_000);
  const doors = Object.keys(ROUTES).filter((route) => ROUTES[route]!.access === "agent");
  assert.equal(doors.length, 2);
  for (const route of doors) {
    for (const person of [admin, owner]) assert.equal((await ask(person, route, {})).status, 401, route);
  }
  await revokeSite(edge.ctx, siteId, admin.id);
  for (const route of doors) {
    const headers = { authorization: `Bearer ${await site.sign()}` };
    assert.equal((await ask(edge.visitor, route, {}, { headers })).code, "agent_not_authorized", route);
  }
});
