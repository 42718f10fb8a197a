/** The two cookies, over http and https, from every call that sets them; no caller can choose a session's id. */
import assert from "node:assert/strict";
import { cookiesOf, openTestApp, TEST_PASSWORD, type TestApp } from "../testing/test_app.ts";

const ENVIRONMENTS = [
  { publicUrl: undefined, prefix: "", secure: false },
  { publicUrl: new URL("http://shigur.example"), prefix: "", secure: false },
  { publicUrl: new URL("https://shigur.example"), prefix: "__Host-", secure: true },
];
const NEW_PASSWORD = "a new password";

interface Cookie {
  name: string;
  value: string;
  /** In alphabetical order. */
  attributes: string[];
}

function cookies(answer: Response): Cookie[] {
  return answer.headers.getSetCookie().map((text) => {
    const [pair, ...attributes] = text.split("; ");
    const [name, value] = pair!.split("=");
    return { name: name!, value: value!, attributes: attributes.sort() };
  });
}

function logIn(edge: TestApp, username: string, headers: HeadersInit = {}, password = TEST_PASSWORD) {
  return edge.visitor.ask("/api/auth/login", { method: "POST", json: { username, password }, headers });
}

for (const { publicUrl, prefix, secure } of ENVIRONMENTS) {
  Deno.test(`sessionCookie() at ${publicUrl?.origin ?? "no public URL"} sets, renews and clears with the same marks`, async () => {
    await using edge = await openTestApp({ publicUrl });
    const { username } = await edge.addPerson();
    const common = ["Path=/", "SameSite=Lax", ...(secure ? ["Secure"] : [])];
    const loggedIn = await logIn(edge, username);
    const cookie = cookiesOf(loggedIn);
    const changed = await edge.visitor.ask("/api/auth/password", {
      method: "POST",
      json: { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD },
      headers: { cookie },
    });
    for (const answer of [loggedIn, changed]) {
      const [session, hint] = cookies(answer);
      assert.deepEqual([session!.name, hint!.name], [`${prefix}shigur_session`, `${prefix}shigur_hint`]);
      assert.deepEqual(session!.attributes, [...common, "HttpOnly", "Max-Age=604800"].sort());
      assert.deepEqual(hint!.attributes, [...common, "Max-Age=604800"].sort());
      assert.match(session!.value, /^[\w-]{43}$/);
      assert.equal(hint!.value, "1", "no secret");
    }
    const loggedOut = await edge.visitor.ask("/api/auth/logout", {
      method: "POST",
      headers: { cookie: cookiesOf(changed) },
    });
    const cleared = cookies(loggedOut);
    assert.deepEqual(cleared.map(({ name }) => name), [`${prefix}shigur_session`, `${prefix}shigur_hint`]);
    for (const { value, attributes } of cleared) {
      assert.equal(value, "");
      assert.deepEqual(attributes, ["Max-Age=0", "Path=/", ...(secure ? ["Secure"] : [])]);
    }
  });
}

Deno.test("a session's id is never the caller's choice, and changes after every password check", async () => {
  await using edge = await openTestApp();
  const { username } = await edge.addPerson();
  const ids = new Set<string>();
  const me = async (cookie: string) =>
    (await edge.visitor.ask("/api/auth/me", { headers: { cookie } })).status;
  let cookie = `shigur_session=${"A".repeat(43)}`;
  for (const chosen of [cookie, "shigur_session=1", `${cookie}; ${cookie}`, "shigur_session="]) {
    const answer = await logIn(edge, username, { cookie: chosen });
    assert.equal(await me(chosen), 401, "what was planted opens nothing");
    const id = cookies(answer)[0]!.value;
    assert.ok(!chosen.includes(id) && !ids.has(id));
    ids.add(id);
    cookie = cookiesOf(answer);
  }
  const again = await logIn(edge, username, { cookie });
  assert.deepEqual([await me(cookie), await me(cookiesOf(again))], [401, 200], "the one before is over");
});

Deno.test("a refused login sets no cookie and keeps the present session", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  for (const username of [client.username, "nobody"]) {
    const answer = await logIn(edge, username, { cookie: client.cookie }, "wrong password");
    assert.deepEqual([answer.status, cookies(answer)], [401, []]);
  }
  assert.equal((await client.ask("/api/auth/me")).status, 200);
});

Deno.test("no other answer sets a cookie", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  for (const path of ["/", "/api/auth/me", "/api/campaigns", "/api/no-such", "/healthz", "/assets/x.js"]) {
    assert.deepEqual(cookies(await client.ask(path)), [], path);
  }
});
