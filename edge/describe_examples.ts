/**
 * Examples for the API description: of each JSON body that a call takes, and of each that it answers. They are built
 * from the schemas with plausible values by name, so none can be forgotten; the linter checks them against the schemas.
 */
import { ERROR_STATUS, type ErrorCode } from "shared/error_code.ts";
import { errorSentence } from "./text/error_text.ts";

type Schema = Record<string, unknown>;

/** Monday 30 November 2026, 12:00 in Jerusalem. */
const NOON = 1_796_032_800_000;

/** Values of fields by name, for the texts and numbers that a reader should recognize. */
const VALUES: Readonly<Record<string, unknown>> = {
  address: "הרצל 1, חיפה",
  addresses: ["203.0.113.0/24"],
  activeSessions: {},
  agentVersion: "1.0.0",
  at: NOON,
  campaignName: "תזכורת לתור",
  client: "משק הדר",
  clientName: "משק הדר",
  code: "123456",
  contacts: "all",
  currentPassword: "the-present-password",
  delaySeconds: 0,
  email: "office@example.co.il",
  fields: { שם: "נועה" },
  fileName: "contacts.csv",
  fingerprint: "0".repeat(64),
  id: 17,
  ids: [17],
  imageUrl: null,
  joinToken: "x".repeat(43),
  label: "נועה",
  message: "שלום! התור שלך נקבע למחר בשעה 10:00.",
  messageQuota: 5_000,
  name: "תזכורת לתור",
  newPassword: "sisma-aruka-1",
  nextCursor: null,
  numbers: "050-123-4567\n+972 52-765-4321",
  obtainedOn: "2026-11-01",
  password: "sisma-aruka-1",
  phone: "+972501234567",
  progress: 60,
  proof: { password: "sisma-aruka-1" },
  publicKey: "x".repeat(43),
  q: "054",
  reason: "הנמען ביקש",
  remainingQuota: 4_998,
  secret: `shg_live_${"x".repeat(49)}`,
  source: "טופס באתר",
  start: "shg_live_4fGk",
  status: "ready",
  text: "שלום! התור שלך נקבע למחר בשעה 10:00.",
  title: "תזכורת לתור",
  token: "x".repeat(43),
  types: ["campaign.completed", "message.sent"],
  userAgent: "Mozilla/5.0",
  url: "https://crm.example.co.il/hooks/shigur",
  username: "noa",
  version: "1.0.0",
};
const TIME = /(At|^at|Since|^since|Until|^until|timestamp|serverTime|databaseAt)$/;
/** So deep no answer is nested; it ends schemas that contain themselves. */
const MAX_DEPTH = 12;

/** Returns a function that builds the example of a schema of this document. */
export function exampleMaker(schemas: Readonly<Record<string, Schema>>): (schema: Schema) => unknown {
  function make(schema: Schema, name: string, depth: number): unknown {
    if (depth > MAX_DEPTH) return null;
    if (typeof schema.$ref === "string") {
      return make(schemas[schema.$ref.split("/").at(-1)!]!, name, depth + 1);
    }
    const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (choices !== undefined) return make(choices[0]!, name, depth + 1);
    if ("const" in schema) return schema.const;
    const known = VALUES[name];
    if (Array.isArray(schema.enum)) return schema.enum.includes(known) ? known : schema.enum[0];
    const types = [schema.type].flat() as string[];
    if (known !== undefined && fits(known, schema, types)) return known;
    if (types.includes("null") && !TIME.test(name)) return null;
    if ("default" in schema && types[0] !== "object") return schema.default;
    switch (types[0]) {
      case "object":
        return makeObject(schema, depth);
      case "array": {
        const item = make(schema.items as Schema ?? {}, name.replace(/s$/, ""), depth + 1);
        return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () => item);
      }
      case "integer":
      case "number":
        return makeNumber(schema, name);
      case "boolean":
        return false;
      case "string":
        return makeText(schema);
    }
    return {};
  }

  function makeObject(schema: Schema, depth: number): Record<string, unknown> {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return Object.fromEntries(properties.map(([key, value]) => [key, make(value, key, depth + 1)]));
  }

  return (schema) => make(schema, "", 0);
}

/** Adds an example to each JSON body of the calls, and names each refusal's codes by examples. */
export function addExamples(
  calls: readonly object[],
  schemas: Readonly<Record<string, Schema>>,
): void {
  const make = exampleMaker(schemas);
  for (const call of calls as Record<string, unknown>[]) {
    addExample((call.requestBody as { content?: Content } | undefined)?.content, make);
    for (const [status, answer] of Object.entries(call.responses as Record<string, Answer>)) {
      const json = answer.content?.["application/json"];
      if (Number(status) < 400) addExample(answer.content, make);
      else if (json?.schema?.$ref === ERROR_BODY) json.examples = refusalsOf(answer.description);
      else addExample(answer.content, make);
    }
  }
}

const ERROR_BODY = "#/components/schemas/ErrorBody";

/** Returns an example of each refusal that `calls` name, for the components of the document. */
export function refusalExamples(
  calls: readonly object[],
): Record<string, { value: { error: string; code: string } }> {
  const answers = (calls as { responses: Record<string, Answer> }[]).flatMap(({ responses }) =>
    Object.values(responses)
  );
  const named = new Set(
    answers.flatMap(({ content }) => Object.keys(content?.["application/json"]?.examples ?? {})),
  );
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => named.has(code));
  return Object.fromEntries(codes.map((code) => [code, { value: { error: errorSentence(code), code } }]));
}

type Content = Record<
  string,
  { schema?: Schema; example?: unknown; examples?: Record<string, { $ref: string }> }
>;
interface Answer {
  description: string;
  content?: Content;
}

function addExample(content: Content | undefined, make: (schema: Schema) => unknown): void {
  const json = content?.["application/json"];
  if (json?.schema !== undefined) json.example = make(json.schema);
}

function refusalsOf(description: string): Record<string, { $ref: string }> {
  const codes = description.split(", ").filter((code) => code in ERROR_STATUS);
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** Returns whether a value by name suits this schema; the same name may have another meaning elsewhere. */
function fits(value: unknown, schema: Schema, types: readonly string[]): boolean {
  if (value === null) return types.includes("null");
  if (typeof value === "number") {
    return types.some((type) => type === "integer" || type === "number") && inBounds(value, schema);
  }
  if (typeof value === "string") {
    return types.includes("string") && (!schema.pattern || new RegExp(String(schema.pattern)).test(value)) &&
      value.length >= Number(schema.minLength ?? 0) && value.length <= Number(schema.maxLength ?? Infinity);
  }
  if (Array.isArray(value)) {
    const items = [(schema.items as Schema | undefined)?.type].flat();
    return types.includes("array") && items.includes(typeof value[0] === "number" ? "integer" : "string");
  }
  return types.includes("object") && schema.additionalProperties !== undefined &&
    schema.properties === undefined;
}

function inBounds(value: number, { minimum, maximum, exclusiveMinimum }: Schema): boolean {
  return value >= Number(minimum ?? -Infinity) && value <= Number(maximum ?? Infinity) &&
    value > Number(exclusiveMinimum ?? -Infinity);
}

function makeNumber(schema: Schema, name: string): number {
  if (TIME.test(name) && inBounds(NOON, schema)) return NOON;
  const wanted = 3;
  const least = Math.max(
    Number(schema.minimum ?? -Infinity),
    Number(schema.exclusiveMinimum ?? -Infinity) + 1,
  );
  return Math.min(Math.max(wanted, least), Number(schema.maximum ?? Infinity));
}

function makeText({ pattern, format, minLength }: Schema): string {
  if (format === "date") return "2026-11-30";
  const fitting = ["text", "17", "+972501234567", "x".repeat(43), "0".repeat(64), "3600/100", "a1b2c3"];
  const least = Number(minLength ?? 0);
  const found = fitting.find((text) =>
    text.length >= least && (pattern === undefined || new RegExp(String(pattern)).test(text))
  );
  return found ?? "x".repeat(least);
}
