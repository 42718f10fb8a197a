import assert from "node:assert/strict";
import { KEY_CALLS } from "./auth/key_calls.ts";
import { REPEATABLE } from "./repeats.ts";
import { ROUTES } from "./testing/route_table.ts";
import { openTestApp } from "./testing/test_app.ts";

interface Call {
  operationId?: string;
  summary?: string;
  security?: unknown[];
  parameters?: { $ref?: string }[];
}

interface Body {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Described {
  requestBody?: { content: Record<string, Body> };
  responses: Record<string, { description: string; content?: Record<string, Body> }>;
}

async function readDocument(publicUrl?: URL) {
  await using edge = await openTestApp({ publicUrl });
  return await (await edge.visitor.ask("/api/openapi.json")).json();
}

function callsOf(document: { paths: Record<string, Record<string, Call>> }) {
  return Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => {
      const route = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      return { method, route, rule: ROUTES[route]!, call };
    })
  );
}

Deno.test("describeCalls() lists each call once, with its allowed callers and the purpose of its Origin", async () => {
  const calls = callsOf(await readDocument());
  const names = calls.map(({ call }) => call.operationId);
  assert.equal(new Set(names).size, calls.length);
  for (const { method, route, rule, call } of calls) {
    assert.match(call.operationId ?? "", /^[a-z][A-Za-z]+$/, route);
    assert.ok(call.summary, route);
    const byKey = KEY_CALLS[route];
    const keys = byKey === "any" ? [{ key: [] }] : byKey?.map((scope) => ({ key: [scope] }));
    const security = rule.access === "open" ? [] : keys && [{ session: [] }, ...keys];
    assert.deepEqual(call.security, security, route);
    const isRepeatable = (call.parameters ?? []).some(({ $ref }) => $ref?.endsWith("/IdempotencyKey"));
    assert.equal(isRepeatable, (REPEATABLE as readonly string[]).includes(route), route);
    const origins = (call.parameters ?? []).flatMap(({ $ref }) => $ref?.match(/\/(Origin\w*)$/)?.[1] ?? []);
    const needed = rule.access === "open" || byKey ? "OriginWithCookie" : "Origin";
    assert.deepEqual(origins, method === "get" ? [] : [needed], route);
  }
});

Deno.test("describeCalls() shows an example of every JSON body, and of every refusal by its code", async () => {
  const document = await readDocument();
  const bodies = callsOf(document).flatMap(({ route, call }) => {
    const { requestBody, responses } = call as unknown as Described;
    const asked = requestBody?.content["application/json"];
    return [
      ...(asked ? [{ what: `${route} asks`, body: asked }] : []),
      ...Object.entries(responses).flatMap(([status, { content, description }]) => {
        const body = content?.["application/json"];
        return body ? [{ what: `${route} ${status}`, body, codes: description.split(", ") }] : [];
      }),
    ];
  });
  assert.ok(bodies.length > 500);
  for (const { what, body, codes } of bodies as { what: string; body: Body; codes?: string[] }[]) {
    if (body.schema.$ref !== "#/components/schemas/ErrorBody") assert.ok(body.example !== undefined, what);
    else assert.deepEqual(Object.keys(body.examples ?? {}), codes, what);
  }
  const { examples } = document.components;
  assert.deepEqual(examples.key_scope.value.code, "key_scope");
});

Deno.test("describeCalls() leaves the sets that grow open", async () => {
  const { schemas } = (await readDocument()).components;
  const { code } = schemas.ErrorBody.properties;
  const notice = schemas.Campaign.properties.notices.items.properties.code;
  for (
    const schema of [schemas.CampaignStatus, schemas.DeliveryState, schemas.DeliveryReason, code, notice]
  ) {
    assert.equal(schema.enum, undefined);
    assert.ok(schema["x-extensible-enum"].length > 3);
  }
  // What is also sent, and what decides who may do what, is closed.
  for (const schema of [schemas.CampaignKind, schemas.User.properties.role, schemas.GivenDuty]) {
    assert.ok(schema.enum.length > 1);
  }
});

Deno.test("describeCalls() names the session's cookie as the edge sets it, over http and https", async () => {
  const nameOf = async (publicUrl?: URL) =>
    (await readDocument(publicUrl)).components.securitySchemes.session.name;
  assert.equal(await nameOf(), "shigur_session");
  assert.equal(await nameOf(new URL("https://shigur.example")), "__Host-shigur_session");
});

Deno.test("describeCalls() writes each schema that has a name once, and patterns that every generator reads", async () => {
  const document = await readDocument();
  const text = JSON.stringify(document);
  for (const name of ["User", "Campaign", "ErrorBody", "Settings"]) {
    assert.ok(document.components.schemas[name], name);
    assert.ok(text.includes(`"#/components/schemas/${name}"`), name);
  }
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json!));
  assert.ok(patterns.length > 0);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\p|\/[a-z]*$/, "a property or a leaked flag");
  }
});

Deno.test("describeCalls() returns a document of at most 480 kB without linter findings", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const text = JSON.stringify(await readDocument());
    assert.ok(text.length < 480_000, `${text.length} characters`);
    await Deno.writeTextFile(`${folder}/openapi.json`, text);
    const root = new URL("../", import.meta.url).pathname;
    const cli = "node_modules/@redocly/cli/bin/cli.js";
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", cli, "lint", `${folder}/openapi.json`, "--config", "redocly.yaml"],
      cwd: root,
      stdin: "null",
      // Disables update checks and telemetry.
      env: { NO_COLOR: "1", REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, output);
    assert.match(output, /is valid|no problems/i);
    assert.doesNotMatch(output, /warning/i);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
