import assert from "node:assert/strict";
import { type ApiDocument, breakingChanges } from "./api_changes.ts";

type Schema = Record<string, unknown>;

function documentOf(
  { asks = {}, answers = {}, ...call }: { asks?: Schema; answers?: Schema } & Record<string, unknown> = {},
): ApiDocument {
  const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
  const post = {
    operationId: "act",
    security: [{ session: [] }, { key: ["reports"] }],
    requestBody: { required: true, ...json(asks) },
    responses: { 200: json(answers), 409: json({ type: "string" }) },
    ...call,
  };
  return { paths: { "/api/acts": { post } }, components: { schemas: {} } };
}

const fields = (properties: Schema, required: string[] = []) => ({ type: "object", properties, required });
const TEXT = { type: "string" };

function changes(
  before: Parameters<typeof documentOf>[0],
  after: Parameters<typeof documentOf>[0],
): string[] {
  return breakingChanges(documentOf(before), documentOf(after)).map((line) =>
    line.replace("POST /api/acts: ", "")
  );
}

Deno.test("a call that goes, is renamed or is closed to a way of logging in breaks programs", () => {
  const { components } = documentOf();
  assert.deepEqual(breakingChanges(documentOf(), { paths: {}, components }), ["POST /api/acts: is gone"]);
  assert.deepEqual(changes({}, { operationId: "do" }), ["operationId was act"]);
  assert.deepEqual(changes({}, { security: [{ session: [] }] }), ['no longer by {"key":["reports"]}']);
  assert.deepEqual(changes({}, { responses: { 201: {} } }), ["no longer answers 200"]);
});

Deno.test("a request may gain optional fields and words, and nothing may become required or refused", () => {
  const one = fields({ name: TEXT });
  assert.deepEqual(changes({ asks: one }, { asks: fields({ name: TEXT, more: TEXT }) }), []);
  assert.deepEqual(changes({ asks: one }, { asks: fields({ name: TEXT }, ["name"]) }), [
    "body.name is required",
  ]);
  assert.deepEqual(changes({ asks: one }, { asks: fields({}) }), ["body.name is gone"]);
  const words = (...list: string[]) => ({ asks: fields({ kind: { type: "string", enum: list } }) });
  assert.deepEqual(changes(words("a"), words("a", "b")), []);
  assert.deepEqual(changes(words("a", "b"), words("a")), ["body.kind: no longer takes b"]);
  const most = (maxLength: number) => ({ asks: fields({ name: { ...TEXT, maxLength } }) });
  assert.deepEqual(changes(most(9), most(10)), []);
  assert.deepEqual(changes(most(9), most(8)), ["body.name: maxLength is 8"]);
  const parameter = { name: "before", in: "query", required: true, schema: TEXT };
  assert.deepEqual(changes({}, { parameters: [parameter] }), ["parameter before is required"]);
});

Deno.test("an answer may gain fields and lose none; a closed set gains no word, an open one does", () => {
  const one = { answers: fields({ id: { type: "integer" } }, ["id"]) };
  assert.deepEqual(
    changes(one, { answers: fields({ id: { type: "integer" }, more: TEXT }, ["id", "more"]) }),
    [],
  );
  assert.deepEqual(changes(one, { answers: fields({}) }), ["200.id is gone"]);
  assert.deepEqual(changes(one, { answers: fields({ id: { type: "integer" } }) }), ["200.id may be absent"]);
  const nullable = { answers: fields({ id: { type: ["integer", "null"] } }, ["id"]) };
  assert.deepEqual(changes(one, nullable), ["200.id: integer is now integer|null"]);
  assert.deepEqual(changes(nullable, one), []);
  const closed = (...list: string[]) => ({ answers: { type: "string", enum: list } });
  const open = (...list: string[]) => ({ answers: { type: "string", "x-extensible-enum": list } });
  assert.deepEqual(changes(closed("a"), closed("a", "b")), ["200: may be b"]);
  assert.deepEqual(changes(closed("a", "b"), closed("a")), []);
  assert.deepEqual(changes(open("a"), open("a", "b")), []);
});
