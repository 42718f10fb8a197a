/**
 * Writes `src/api.ts`: the types of the calls that keys may make, from `shared/openapi.json`. `deno task client:types`.
 */

type Schema = Record<string, unknown>;
interface Operation {
  operationId: string;
  summary?: string;
  security?: Record<string, string[]>[];
  parameters?: { $ref?: string; name?: string; in?: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: { event: { post: Operation } };
  components: { schemas: Record<string, Schema> };
}

const HEADER = `// deno-fmt-ignore-file
/** The calls of API keys, by their operation: written by \`deno task client:types\` from the API's description. */
`;

/** Returns the text of \`src/api.ts\`. */
export function writeTypes({ paths, webhooks, components: { schemas } }: Document): string {
  const used = new Set<string>();
  const write = (schema: Schema | undefined) => typeOf(schema, used);
  const operations: string[] = [];
  const routes: string[] = [];
  for (const [path, calls] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(calls)) {
      if (!call.security?.some((way) => "key" in way)) continue;
      const of = (where: string) =>
        (call.parameters ?? []).filter((one) => one.in === where)
          .map(({ name, required, schema }) => {
            // In an address a number is as good as its digits.
            const type = where === "path" ? "string | number" : write(schema);
            return `${name}${required ? "" : "?"}: ${type}`;
          });
      const json = call.requestBody?.content["application/json"]?.schema;
      const form = call.requestBody?.content["multipart/form-data"]?.schema;
      const isOnce = (call.parameters ?? []).some(({ $ref }) => $ref?.endsWith("/IdempotencyKey"));
      const parts = [
        ...part("path", of("path")),
        ...part("query", of("query")),
        ...(json ? [`body: ${write(json)}`] : []),
        ...(form ? [`form: ${write(form)}`] : []),
        `answer: ${answerOf(call, write)}`,
      ];
      operations.push(
        `  /** ${call.summary ?? call.operationId} */\n  ${call.operationId}: { ${parts.join("; ")} };`,
      );
      routes.push(
        `  ${call.operationId}: { method: "${method.toUpperCase()}", path: "${path}", once: ${isOnce} },`,
      );
    }
  }
  const event = write(webhooks.event.post.requestBody!.content["application/json"]!.schema);
  const named: string[] = [];
  for (let count = -1; count !== used.size;) {
    count = used.size;
    named.length = 0;
    for (const name of [...used].sort()) named.push(`export type ${name} = ${write(schemas[name])};`);
  }
  return [
    HEADER,
    `export interface Operations {\n${operations.join("\n")}\n}\n`,
    `export const ROUTES: Record<keyof Operations, { method: string; path: string; once: boolean }> = {\n${
      routes.join("\n")
    }\n};\n`,
    `/** The body of a webhook's call. */\nexport type WebhookBody = ${event};\n`,
    named.join("\n"),
    "",
  ].join("\n");
}

function part(name: string, fields: string[]): string[] {
  if (fields.length === 0) return [];
  const isNeeded = fields.some((field) => !/^\w+\?:/.test(field));
  return [`${name}${isNeeded ? "" : "?"}: { ${fields.join("; ")} }`];
}

function answerOf({ responses }: Operation, write: (schema: Schema | undefined) => string): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const types = good.map(([, { content }]) => {
    if (content === undefined) return "void";
    const json = content["application/json"];
    return json ? write(json.schema) : "Response";
  });
  return [...new Set(types)].join(" | ") || "void";
}

function typeOf(schema: Schema | undefined, used: Set<string>): string {
  if (schema === undefined) return "unknown";
  const write = (one: unknown) => typeOf(one as Schema, used);
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1)!;
    used.add(name);
    return name;
  }
  if ("const" in schema) return JSON.stringify(schema.const);
  const choices = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined;
  if (choices) return `(${choices.map(write).join(" | ")})`;
  if (Array.isArray(schema.allOf)) return `(${schema.allOf.map(write).join(" & ")})`;
  if (Array.isArray(schema.enum)) return `(${schema.enum.map((one) => JSON.stringify(one)).join(" | ")})`;
  if (Array.isArray(schema["x-extensible-enum"])) {
    const words = (schema["x-extensible-enum"] as string[]).map((word) => JSON.stringify(word));
    // Editors still offer the known words.
    return `(${words.join(" | ")} | (string & Record<never, never>))`;
  }
  const types = [schema.type].flat() as (string | undefined)[];
  const written = types.map((type) => {
    switch (type) {
      case "null":
        return "null";
      case "boolean":
        return "boolean";
      case "integer":
      case "number":
        return "number";
      case "string":
        return schema.format === "binary" ? "Blob" : "string";
      case "array":
        return `Array<${write(schema.items)}>`;
      case "object":
        return objectOf(schema, write);
      default:
        return "unknown";
    }
  });
  return written.length === 1 ? written[0]! : `(${written.join(" | ")})`;
}

function objectOf(schema: Schema, write: (schema: unknown) => string): string {
  const required = (schema.required ?? []) as string[];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, value]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${write(value)}`;
  });
  if (fields.length > 0) return `{ ${fields.join("; ")} }`;
  const values = schema.additionalProperties;
  return typeof values === "object" ? `Record<string, ${write(values)}>` : "Record<string, unknown>";
}

const folder = new URL("./", import.meta.url);

/** Reads the API's description as it is frozen. */
export async function readDocument(): Promise<Document> {
  return JSON.parse(await Deno.readTextFile(new URL("../shared/openapi.json", folder)));
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("src/api.ts", folder), writeTypes(await readDocument()));
}
