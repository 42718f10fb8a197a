/** Another site's page with a person's cookie, at every unsafe route: it is refused before anything is read. */
import assert from "node:assert/strict";
import { addressOf, ROUTES } from "../testing/route_table.ts";
import { openSecretHouse } from "../testing/secret_house.ts";
import { TEST_ORIGIN } from "../testing/test_app.ts";

/** Headers that a browser sends for a form, an image, a fetch() or a sandboxed frame of another site. */
const SENDERS: Record<string, Record<string, string>> = {
  "another site": { origin: "https://attacker.example", "sec-fetch-site": "cross-site" },
  "a sibling host": { origin: "http://other.localhost", "sec-fetch-site": "same-site" },
  "another port": { origin: "http://localhost:8001", "sec-fetch-site": "same-site" },
  "a sandboxed frame": { origin: "null", "sec-fetch-site": "cross-site" },
  "a page that hides its origin": { "sec-fetch-site": "cross-site" },
  "a page that says it twice": { origin: `${TEST_ORIGIN}, https://attacker.example` },
};
/** A form can send the first three without a question beforehand (CORS preflight). */
const TYPES = [
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/json",
];
const UNSAFE = Object.keys(ROUTES).filter((route) => !/^GET /.test(route));

Deno.test("no unsafe route accepts another site's request with a person's cookie, in any form", async () => {
  await using house = await openSecretHouse();
  const { edge, owner, admin, campaign } = house;
  const before = await house.belongings();
  assert.ok(UNSAFE.length > 40 && UNSAFE.some((route) => route.startsWith("DELETE")));
  for (const route of UNSAFE) {
    const method = route.slice(0, route.indexOf(" "));
    const body = JSON.stringify(ROUTES[route]!.json ?? {});
    for (const [who, sender] of Object.entries(SENDERS)) {
      for (const type of TYPES) {
        for (const { cookie } of [owner, admin]) {
          const answer = await edge.app.request(`${TEST_ORIGIN}${addressOf(route, { id: campaign })}`, {
            method,
            headers: { ...sender, cookie, "content-type": type },
            body,
          });
          const { code } = await answer.json();
          assert.deepEqual([answer.status, code], [403, "foreign_origin"], `${route} by ${who} as ${type}`);
        }
      }
    }
  }
  assert.deepEqual(await house.belongings(), before);
});

Deno.test("a form of another site logs nobody in; a form of our page does", async () => {
  await using house = await openSecretHouse();
  const { edge } = house;
  const body = JSON.stringify({ username: house.owner.username, password: "correct horse" });
  const logIn = (headers: Record<string, string>) =>
    edge.app.request(`${TEST_ORIGIN}/api/auth/login`, { method: "POST", headers, body });
  for (const sender of Object.values(SENDERS).filter(({ origin }) => origin)) {
    for (const type of TYPES) assert.equal((await logIn({ ...sender, "content-type": type })).status, 403);
  }
  // A browser that hides its origin sends no cookie either, and what it may still send is not JSON.
  for (const type of TYPES.slice(0, 3)) assert.equal((await logIn({ "content-type": type })).status, 415);
  const own = { origin: TEST_ORIGIN, "content-type": "application/json" };
  assert.equal((await logIn(own)).status, 200);
});

Deno.test("no answer allows another site to read it (CORS), and a preflight gets an empty answer", async () => {
  await using house = await openSecretHouse();
  for (const method of ["GET", "OPTIONS", "HEAD"]) {
    for (const path of ["/api/campaigns", "/api/auth/login", "/ws", "/metrics", "/"]) {
      const { headers } = await house.owner.ask(path, {
        method,
        headers: {
          origin: "https://attacker.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
      const cors = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
      assert.deepEqual(cors, [], `${method} ${path}`);
      assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    }
  }
});

Deno.test("no route that changes something can be called by a link or an image", async () => {
  await using house = await openSecretHouse();
  const before = await house.belongings();
  for (const route of Object.keys(ROUTES).filter((route) => route.startsWith("GET /api"))) {
    await house.owner.ask(addressOf(route, { id: house.campaign, delivery: house.delivery }));
  }
  for (const route of UNSAFE) {
    for (const method of ["GET", "HEAD"]) {
      const headers = { "x-http-method-override": route.split(" ")[0]! };
      await house.owner.ask(addressOf(route, { id: house.campaign }), { method, headers });
    }
  }
  assert.deepEqual(await house.belongings(), before);
});
