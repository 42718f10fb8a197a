import assert from "node:assert/strict";
import { ROUTES } from "./testing/route_table.ts";
import { openTestApp } from "./testing/test_app.ts";

interface Call {
  operationId?: string;
  summary?: string;
  security?: unknown[];
  parameters?: { $ref?: string }[];
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
    assert.deepEqual(call.security, rule.access === "open" ? [] : undefined, route);
    const origins = (call.parameters ?? []).flatMap(({ $ref }) => $ref?.match(/\/(Origin\w*)$/)?.[1] ?? []);
    const needed = rule.access === "open" ? "OriginWithCookie" : "Origin";
    assert.deepEqual(origins, method === "get" ? [] : [needed], route);
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

Deno.test("describeCalls() returns a document of at most 280 kB without linter findings", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const text = JSON.stringify(await readDocument());
    assert.ok(text.length < 280_000, `${text.length} characters`);
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
