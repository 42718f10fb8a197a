/** Thousands of hostile requests to every route, from every kind of user: none may cause an internal error. */
import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { errorBodySchema } from "shared/error_code.ts";
import { openTestApp } from "./testing/test_app.ts";

/** The suite sends a twentieth of all, `deno task lies` all of them (HOSTILE). */
const RUNS = 10_000 * Number(Deno.env.get("HOSTILE") ?? 0.05);

const STRANGE = [
  "",
  "0",
  "-1",
  "1",
  "2",
  "1e9",
  "9007199254740993",
  "99999999999999999999",
  "null",
  "NaN",
  "__proto__",
  "constructor",
  "'; DROP TABLE users; --",
  "../../etc/passwd",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "%E0%A4%A",
  "שלום",
  "\u202e",
  "🎺",
  "a".repeat(3000),
  "*",
  "{id}",
];
const strange = fc.oneof(fc.constantFrom(...STRANGE), fc.string({ unit: "binary", maxLength: 20 }));
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom(
      "username",
      "password",
      "role",
      "messageQuota",
      "requestId",
      "name",
      "message",
      "numbers",
      "ids",
      "as",
      "disabled",
      "joinToken",
      "publicKey",
      "__proto__",
    ),
    fc.oneof(
      strange,
      fc.double(),
      fc.integer(),
      fc.constantFrom(null, true, [], {}, [1], "all", "resend", 1e308, -0),
    ),
  ),
);
const body = fc.oneof(
  { arbitrary: anyJson.map((value) => JSON.stringify(value)), weight: 6 },
  { arbitrary: strange, weight: 1 },
  { arbitrary: fc.uint8Array({ maxLength: 200 }), weight: 1 },
  {
    arbitrary: fc.constant(`--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n05`),
    weight: 1,
  },
);
const type = fc.constantFrom(
  "application/json",
  "application/json",
  "application/json; charset=utf-16",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/csv",
  "",
);
const query = fc.option(
  fc.array(fc.tuple(fc.constantFrom("cursor", "limit", "q", "state", "campaign", "before"), strange), {
    maxLength: 3,
  }),
);

Deno.test(`createApp() answers ${RUNS} hostile requests with a refusal or a success, never a failure`, async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson({ messageQuota: 3 });
  const admin = await edge.addPerson({ role: "admin" });
  const { paths } = await (await edge.visitor.ask("/api/openapi.json")).json();
  const calls = Object.entries<Record<string, unknown>>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }))
    // These routes end the session or the user of the test; they have their own tests.
  ).filter(({ path }) => path !== "/api/auth/logout");
  const seen = new Map<number, number>();

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls, { method: "GET", path: "/{id}" }, { method: "POST", path: "/api/{id}" }),
      fc.constantFrom(client, admin, edge.visitor),
      strange,
      query,
      body,
      type,
      async (call, person, id, query, body, type) => {
        const escaped = call.path.replace(
          "{id}",
          () => id.includes("%") ? id : encodeURIComponent(id.toWellFormed()),
        );
        const search = query === null ? "" : `?${new URLSearchParams(query.map(([k, v]) => [k, v]))}`;
        const hasBody = call.method !== "GET";
        const answer = await person.ask(escaped + search, {
          method: call.method,
          body: hasBody ? body as BodyInit : undefined,
          headers: hasBody && type !== "" ? { "content-type": type } : {},
        });
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        const text = await answer.text();
        assert.ok(answer.status < 500 || text.includes("deno task build"), `${answer.status} ${text}`);
        if (answer.status >= 400 && call.path.startsWith("/api")) errorBodySchema.parse(JSON.parse(text));
      },
    ),
    { numRuns: RUNS },
  );

  // Some requests must pass the first checks: otherwise the test shows nothing.
  for (const status of [200, 400, 401, 403, 404, 415]) assert.ok(seen.get(status), `no answer was ${status}`);
  assert.equal((await admin.ask("/api/users")).status, 200);
  const { rows } = await edge.ctx.db.execute(
    `SELECT count(*) AS wrong FROM users WHERE message_quota <>
      (SELECT coalesce(sum(delta), 0) FROM quota_ledger WHERE client = users.id)`,
  );
  assert.equal(rows[0]!.wrong, 0);
});
